"""The sketch pad: a viewer of pages with vector drawings over them.

actions        the actions of the pad with their keys
camera         where a view looks at a page: the place in its middle, the scale, quarter turns, and mirroring
desk           what the tools work on: the layer in front, what is selected, and the look of new shapes
history        steps of a sketch's history
marks          what marks a page besides its shapes: its frame, its grid, and boxes around what is selected
pad            the sketch pad: pages as tabs, a tool bar, the page, and a line that says what the tool does
page_painting  paints a page from its tiles as a camera sees it, and a lens over it
pages          the pages of the pad, each with a layer of shapes, and which of them the view shows
painting       paints the shapes of a layer with Qt, so that they look as `figure_of` draws them for a set
pictures       decoded pages: a picture at several scales, from which tiles of a view are cut
pointer        the pointer, the pen and held keys over the view of a page: they draw, pan, zoom and enlarge
shapes         operations on the shapes of a layer: hitting, moving and removing them
status_line    the line below the page: what the tool does, the point under the pointer, and how the page is seen
text_entry     the field in which a text is typed
tiles          tiles of a page with its shapes, painted when they come into view and kept
tool_bar       the bar above the page: tools, colours, width and opacity, and how the page is seen
toolbox        the tools of the pad, one of them in hand
tools          the tools of the sketch pad
view           the view of a page: zooms, pans, turns and mirrors it, with a lens, and shows what is being drawn
"""

from spatial_workbench.widgets.sketch.pad import SketchPad

__all__ = ["SketchPad"]
