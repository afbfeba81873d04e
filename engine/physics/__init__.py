"""Rigid bodies by PyBullet, in a process of its own: the engine prints on import, and holds the interpreter's lock.

block_states       the positions and velocities of the blocks of a machine
bodies             a machine's rigid parts as bodies of the physics engine, joined where they can move
client             asks the physics process, starts it when it is needed, and restarts it if it died
connections        what holds a machine together: its connections, and the bodies that they make
driving            motors, steering and the springs of suspensions
engine             the connection to the physics engine, PyBullet, which prints when it is loaded
failures           simulations that could not be run, and the trace that stands for them
forces             what the engine does not know: springs, braces and wind
frames             from the machine's frame to the engine's and the drawings', and back
grabbers           each holds the first thing that comes near its face, as long as it is switched on
live               a machine that somebody drives: simulated in a process of its own
load_kernels       the compiled loops over parts, blocks and connections from which loads follow
loads              what connections bear by Newton's and Euler's laws, and which of them breaks next
machine_jobs       simulations as jobs of an executor, whose process the physics engine runs in
machine_judging    the judge of machines: what a machine does, and what that is worth
machine_results    simulated machines, remembered by their content in this process and on disk
machine_run        whole simulations of machines: settles them, runs them, and records what happens
machine_world      a machine in a level, step by step, until its connections break
motion             how the rigid parts of a machine move
outside            what acts on blocks from outside of their joints: contacts, springs, wind
parts              the rigid parts of a machine: blocks that move as one, their mass, and what of them collides
places             where blocks are in the engine: the body and link of each, and constraints between them
rocks              rocks that blasts set rolling over a height map (a package)
scenery            levels in the physics engine: ground, obstacles and balls
server             the physics process: simulates what is sent to it
stored             results of simulations on disk, in the user's cache folder
"""
