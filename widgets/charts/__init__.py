"""Charts of results, as plain data (`description`, `build`) and drawn by a widget.

drawing    draws a chart from its description: pyqtgraph does the axes and the layout, and one item paints all marks
view       the widget that shows a chart: hovering and keys describe its marks, and a click opens their attempts
"""
