"""Results of a project: tables beside the published ones, charts, the Results page and the report.

attempt_pictures    attempts as pages show them: a picture, what the verifier says, and a model to turn
choice_bar          the bar that chooses which results are shown
comparing           the dialog that compares two runs in pairs
page                the page: tables beside the published ones, charts, the cube, diagnostics
publishing          the dialog that publishes the results as a site
report              the report: everything that the page shows, and pictures of attempts, as one HTML file
saving              saves the report from the page
site                what draws for a site that is published, and a site written in the background
study_report        the report on a study as one HTML file, and its data as files
"""
