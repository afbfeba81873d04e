"""Runs that make machines, as trees to browse: workflows of models, and searches.

node_detail      one machine of a run: drawn and played, judged, with its changes and requests
nodes            the list of a run's machines as a tree: pictures, steps, figures and changes
page             a page that browses a run: its tree at the left, the chosen machine at the right
search_dialog    asks how to search for better machines of a level
search_page      a search for better machines: its machines come in while it runs, and it can be cancelled and resumed
work             functions of background processes: draw, judge, simulate, search
"""
