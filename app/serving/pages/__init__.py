"""The pages that a study's server gives to browsers, apart from the window itself.

entry_form      what somebody has told on the page of a link
entry_words     what the page of a link says of the check
gate_pages      what the pages say, as HTML
incompatible    the exit for people whose computer does not fit
page_languages  in which language somebody reads the pages
templates       the templates of the pages
text_pages      the consent text and the debriefing as pages that can be saved or printed
typed_codes     the page on which somebody types a code with its PIN, or a phrase
"""
