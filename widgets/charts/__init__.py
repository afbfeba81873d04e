"""Charts of results, drawn from the plain data that `engine.evaluation.results` makes.

drawing    draws a chart from its description: pyqtgraph does the axes and the layout, and one item paints all marks
view       the widget that shows a chart: hovering and keys describe its marks, and a click opens their attempts
"""
