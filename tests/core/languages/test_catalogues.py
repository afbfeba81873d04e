"""Catalogues are read, written and compiled as gettext does it."""

import pytest

from spatial_workbench.engine.core.languages.catalogues import (
    CatalogueError,
    CatalogueMessage,
    read_catalogue,
    translations_of,
    write_catalogue,
)

HEADER = """# A note to translators.
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 ? 1 : 2);\\n"
"""
TEXT = f"""{HEADER}
#: app/a.py
#: app/b.py
msgid "Say \\"yes\\"\\n"
"or no"
msgstr "„ja“ oder nein"

msgid "{{number}} item"
msgid_plural "{{number}} items"
msgstr[0] "eins"
msgstr[1] "ein paar"
msgstr[2] "viele"

#, fuzzy
msgid "Doubtful"
msgstr "Zweifelhaft"

msgid "Not yet"
msgstr ""
"""


def test_a_catalogue_is_read_with_its_sources_plurals_and_doubts():
    header, quoted, plural, fuzzy, lacking = read_catalogue(TEXT)
    assert (header.id, header.notes) == ("", ("# A note to translators.",))
    assert quoted == CatalogueMessage('Say "yes"\nor no', "", ("„ja“ oder nein",), ("app/a.py", "app/b.py"))
    assert plural.texts == ("eins", "ein paar", "viele")
    assert (fuzzy.is_fuzzy, fuzzy.is_translated) == (True, False)
    assert lacking.is_translated is False


def test_writing_and_reading_gives_the_same_messages():
    messages = read_catalogue(TEXT)
    assert read_catalogue(write_catalogue(messages)) == messages


def test_translations_use_the_plural_forms_of_the_header_and_leave_out_what_is_doubtful():
    spoken = translations_of(read_catalogue(TEXT))
    assert spoken.gettext('Say "yes"\nor no') == "„ja“ oder nein"
    assert [spoken.ngettext("{number} item", "{number} items", n) for n in (1, 3, 11)] == ["eins", "ein paar", "viele"]
    assert (spoken.gettext("Doubtful"), spoken.gettext("Not yet")) == ("Doubtful", "Not yet")


def test_a_line_that_means_nothing_is_named():
    with pytest.raises(CatalogueError, match="line 7"):
        read_catalogue(HEADER + "\nmsgid yes")
