"""The search for answers that verifiers judge differently.

asking    asks every verifier about an answer, and finds where two of them part
choosing  which source is asked next: the one that gave most for its time
drawing   what changes are drawn from: entries, numbers, and what is known of the instance
edges     an answer that passes and one that fails, brought together until they are next to each other
elsewhere  a sample of answers, asked again in another process
lanes     a search on several processes, stored in a project and resumed
mutating  changes of plain data, drawn at random
nearing   answers one of whose figures comes to a number that the rules name
shapes    changes of what elements form together: levels, paths, boxes, groups, meshes
sources   where answers come from: references, stored attempts, random answers, mutations, commands, edges
texts     changes of texts: words, spelling, expressions of the same value, tables of numbers
task_search   the search in one task, from a state to the next
"""
