"""Tables of records, tables of figures as cards, and sections of results that hold them with their charts.

rows            records of one kind as a table whose columns are data
section_view    shows one section of the results or of a report: its words, its charts, its tables
sorted_header   marks the sorted column with an arrow beside its title
table_view      a table of results as a card: title, table with two-line cells, notes
"""
