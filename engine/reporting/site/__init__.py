"""A static site of a project's results, which an author can put on any web server.

    choice            what an author chooses to publish
    audience          the records that may be published, without names and keys
    studies           the public form of chosen studies
    contents          what the site says, as plain data
    listing           what goes in and what stays out, as sentences, before anything is written
    rules             the rules of tasks, from Markdown to HTML
    kept_tables       tables that take long to compute, kept in the user's cache
    scene_data        scenes as data for the viewer of the site
    built_scene       how an answer was built, as frames of its scene
    attempt_drawing   the drawing of one attempt, made by a child
    drawings          the pictures and scenes of attempts, of which those made before are kept
    run_scores        the scores from which a reader compares any two runs
    pages             the pages as HTML, and the same as JSON
    folder            a folder that is written whole or not at all
    publishing        makes the site

What must be true of a site: it holds no keys, no reference solutions and no hidden parameters; nobody's name who did
not ask for it; nothing of studies but the public form of those that were named; and a canary on each page. Everything
that others wrote is text, never HTML or script. `tests/reporting/site/test_privacy.py` tries a hostile project.
"""
