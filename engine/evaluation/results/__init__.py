"""What results are: tables and charts as plain data, made once for the page, the report and files."""
