"""Geometry over manifold3d, trimesh and numpy: solids, polyhedra, and mesh files.

compiled       loops that are compiled at their first use, or come compiled with a bundle
convex         convex polyhedra: from points to planes and back, and as solids
gltf           meshes in single-file glTF 2.0
mesh_files     meshes in the files of other programs: STL, OBJ, 3MF and glTF
mesh_limits    limits for reading mesh files from untrusted sources, the same for every format
nesting        the total size of nested parts, counted before anything is built
pieces         the pieces of a triangle mesh
polyhedron     polyhedra with polygonal faces: measures, edges and crossings, triangles to faces and back, modelling
primitives     boxes, cylinders and spheres as triangle meshes around the origin
rectangles     turned rectangles in the plane: corners, nearest points and penetration depths
remember       a cache for solids: manifold3d complains about solids that outlive the interpreter's modules
stl            reads and writes text and binary STL
threemf        meshes in 3MF files, counted before they are built
wavefront      meshes in Wavefront OBJ files: vertices and faces
welding        vertices that are closer together than a distance become one
"""
