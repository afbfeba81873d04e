"""Forms, made from what pydantic records declare of their fields.

checks_field    some of several values, each a box to tick
data_field      a field for lists and records, which are typed as JSON
fields          a field for each kind of value, with its label, its help, and what is wrong there
laying_out      fields below and beside each other
making          makes the field for a part of a record
places          places in a document of plain data
record_details  the fields of the chosen record of a list
record_form     some parts of a record as rows, with errors beside the fields
records         a list of records, of which one is edited at a time
records_list    the names of the records, with buttons that add, remove and move them
texts           texts on several lines, in one language at a time
vector_field    a few numbers that belong together, such as a place or a size
"""
