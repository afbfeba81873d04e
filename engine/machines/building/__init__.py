"""How machines are built: block types, the tree, poses, joints, rules of space, edit commands, and texts about them.

blocks         the 27 block types, their faces, sizes and masses
edits          lines such as "Add [15] to [3] in [0]", carried out one after the other
game_files     machines in files of the game, `.bsg`
grid           points in cells, to find those near a place without looking at all
information    the 3D information beside the tree: where every block is and what it does
joining        automatic joints: a free end that meets a face of another block is glued to it
listing        a machine as somebody types it: what the text means, and which line every fault is in
poses          where the blocks of a machine are, and which boxes they fill
positions      machines as one entry a block, with its building point and rotation
settings       what a single block has of its own: parameters, and entries of a file of the game
spatial        the rules of space: no overlap, no face used twice, nothing larger than allowed
tree           the ordered list of blocks that is a machine, its reading and its rules
wording        the blocks and the rules of building in words, for prompts
"""
