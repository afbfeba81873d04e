"""Draws scenes with VTK off screen, without any widget.

    bodies        where rigid bodies are: their poses, and the boxes around them
    camera        the camera of a 3D view: a turntable about a target, computed in numpy, independent of any toolkit
    compose       combines pictures: merges a ghost by depth, draws outlines around masks, places samples in a pixel
    copies        meshes that have the same faces but different vertices, such as the pieces of a heap
    drawing       keeps a set of items drawn on VTK renderers, and updates them item by item
    extent        where items are: their corner points and centres, and the parts of them that ids refer to
    frames        the last frame of a view, with what has been marked, placed or pointed at since it was drawn
    gathering     gathers items of a scene that are drawn together
    ground        the ground grid: a sheet whose lines are drawn by its shader, fading beyond its extent
    items         a drawer for each kind of item
    parts         parts draw one data set each, with one actor if they are solid and several if they are see-through
    picking       what a line of sight meets, computed in numpy: boxes by slabs, voxels by walking the grid
    picture       pictures of scenes, made without any widget, for reports, thumbnails and the command line
    probe         finds out which kind of OpenGL window works here, in a child process
    renderer      draws a scene off screen: a full frame with its depths, then quick changes on top of it
    section       planes that cut a scene open
    shading       how surfaces are lit, and how their edges are drawn
    shapes        small meshes and surfaces made in numpy: the unit box and stud, voxels' faces, columns, dashes, cones
    sheets        polygons in space that are drawn together: hundreds of faces cost little more than one
    style         how elements look beyond their own colours: highlighted, faded, selected, hidden
    visibility    which bricks and studs can be seen at all: those enclosed by other bricks are not worth drawing
    vtkdata       converts numpy arrays to VTK's data
    window        an off-screen render window: draws VTK renderers and returns their colours and depths as numpy arrays

`Renderer3D` keeps a scene drawn while it changes; `render_scene` makes one picture; `probe` finds out what works on
this machine. Nothing here imports a Qt widget.
"""
