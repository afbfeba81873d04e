"""Views of scenes, in three dimensions or two: drawing, gestures, selection and overlays.

canvas2d            `Canvas2D`: shows flat scenes from above, and pans and zooms them
canvas2d_items      paints flat scenes with QPainter, on any paint device
flight              a camera that flies from one place to another
following           a camera that goes along with what moves, and never goes below the ground
gizmo               the axes in a view's corner
interactive_view    what both views share: selection, what is marked, and Qt's events
legend              what colours and lines mean, painted at the top left of a view
out_of_sight        hidden views release their graphics, and are drawn again when they are shown again
overlays            texts and frames painted over a view's picture
rulers              coordinates along the left and the lower edge of a canvas
section_control     cuts a 3D view open: a choice of axis, and a slider along it
timeline            plays the frames of a scene: play, pause, step, scrub, loop, speed
view                what every view of a scene can do, and the tools that editors give it
view_gestures       what the pointer does in a view, and the element that it hovers over
view_texts          the texts over a view: hint, note beside the pointer, status
viewport3d          `Viewport3D`: shows frames of an off-screen drawing, and turns gestures into camera moves
viewport_frames     when the frames of a 3D viewport are drawn, and how fine they are
views               the view that fits a scene
"""
