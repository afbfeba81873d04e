"""Plans of studies: what people are asked, in which order, under which limits, and what is fixed before they begin.

amending           which changes keep the sessions of two versions from being analysed together
attention          attention items: easy instances of the plan's own tasks that it has nowhere else
checking           what is wrong with a study: addresses, orders, limits and conditions that do not fit
codes              codes of participants, with a letter that finds slips of the keyboard
consenting         what people agree to, written from the plan
default_texts      what a new study says and asks by default, in each of its languages
document           the study document: everything that a participant can meet and everything that the analysis will do
briefing           what people are told before the first item that counts, written from the plan
drafting           what a new study begins with, to be edited before it is frozen
freezing           what is fixed beside a study's document, so that every machine asks the same
keyboard           the tasks whose editors give a full answer by keys alone
orders             which participant meets which item when
paying             the bonus that a plan works out, in words for the people who take part
preregistration    the plan of a study as Markdown, for a registry
prompts            the lines of an item's prompt that are never broken, and so decide how much room the prompt needs
sample_size        how many people a study needs
slots              the planned places of a study, each with its code, its condition and its items in order
"""
