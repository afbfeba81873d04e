"""Programs as users write them from docs/library.md alone, with the light install and under strict types.

judge_files        judges the answers of files, also text answers, and says what is wrong with them
draw_questions     instances of every difficulty of a generator, as questions with their schemas
ask_a_function     a function as a model, stored in a project, with a table of the attempts
build_by_commands  an answer that is built step by step, and repeated by its calls
compare_verifiers  where a published verifier judges differently, and unknown names
"""
