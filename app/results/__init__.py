"""Results of a project: tables beside the published ones, charts, the Results page and the report."""
