"""The pages of the participant's window, from the consent to the end.

column        pages with one column of text and fields, and a button to continue
entry_pages   the pages before the items: code, language, consent, questions about the person, instructions
fields        fields for questions
head          the head of every page: where one is, what time is left, and what can be done
item_opening  loads what an editor needs, then makes the page of the item
item_page     an item: its prompt beside the editor, the field for a typed answer, or the options
later_pages   the pages between and after the items: feedback, questions, breaks, the load, the end
page_making   makes the pages of a session, and connects them with it
page_stack    one page at a time, and what covers it
"""
