"""How answers are read: one pipeline for all tasks, whose steps are each entered once (docs/models.md).

candidates    the second step: the parts of a text that may be the answer
fields        the fourth step: which part of the data is the answer, and which of its fields are known
how_read      the kinds that are stored with verdicts, and what was done to a text to read it
limits        the first step: the caps on length, nesting, number of values, and size of numbers
mending       the third step: text as data, as JSON or as what people and models write instead of JSON
pipeline      reads answers, by all steps
"""
