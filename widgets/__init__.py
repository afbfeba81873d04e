"""Qt widgets that know tasks but not the application: views of scenes, panels, and one editor a task.

appearance      the current theme, for every widget that paints itself
buttons         a button that does something
charts          charts of results, drawn from plain data
clipboard       where copied things go and pasted ones come from
cube_net        the unfolded cube: six faces of nine stickers in a plane, to look at or to paint
editing         the editor kit: controls as data, shared gestures, the base class
editors         one module or package for each task, named like the task
empty_state     what an empty page shows: a heading, what to do, and a button where that helps
encoding        pictures of Qt as the bytes of a file
fitted_picture  a picture in the room that there is
flow_layout     a layout in rows
forms           forms, made from what records declare of their fields
icons           the application's line icons, in the colours of the theme
layouts         columns, rows and splitters, as editors lay out their views
marked_slider   a slider with ticks where something happens
number_box      spin boxes whose text stands as far from the border as in other fields
panels          the prompt, the answer as text, the verdict, and the parts that show figures
plain_text      signs that change the direction of text
qt              small additions to Qt
render3d        draws scenes with VTK off screen, without any widget
rich_text       rich text in labels, only on request
scene_views     views of scenes, in three dimensions or two
search_field    a field in which one searches, and the cross that empties a field
shown_text      replaces the text of a field, and leaves the cursor where it was as far as that can be
sketch          a viewer of pages with vector drawings over them
tables          tables of figures as cards, and sections of results that hold them with their charts
theme           the application's colours, and what the roles of scenes look like in them
wheel_fields    fields that the wheel changes only while they have the focus
"""
