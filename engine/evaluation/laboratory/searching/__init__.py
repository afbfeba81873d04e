"""The search for answers that verifiers judge differently.

asking    asks every verifier about an answer, and finds where two of them part
choosing  which source is asked next: the one that gave most for its time
edges     an answer that passes and one that fails, brought together until they are next to each other
lanes     a search on several processes, stored in a project and resumed
mutating  changes of plain data and of texts, drawn at random
sources   where answers come from: references, stored attempts, random answers, mutations, commands, edges
task_search   the search in one task, from a state to the next
"""
