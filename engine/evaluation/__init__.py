"""Evaluations: batches of questions, their scores, what was published, and why attempts fail.

agent_runs       a model is asked step by step, and an interrupted run can be resumed
attempt_lines    an attempt with everything about it as a line of JSON data, and back
batch_process    starts the process that works on a batch, and outlives its starter
collect          the results of a project as records to be averaged
columns          many records in columns, to be counted and averaged in a moment
comparing        two sets of attempts at the same instances, compared in pairs
datasets         data sets of generated instances as Parquet files
dossiers         everything that a project knows about an attempt, read one by one
edit_histories   how an answer was built, edit by edit, by a person or a model with hands
export           attempts as files for other programs: JSON lines with everything, tables without texts
failure_modes    why attempts fail: a language model labels each failed attempt after scoring
hands            models that build an answer step by step with the commands of the editor
inspect_data     what logs of Inspect and projects have in common: names, edits of scores, kept logs
importing        attempts that were made elsewhere, stored in a project as they are
laboratory       answers that two verifiers judge differently: found, made small, explained
labelling        labels the failed attempts of a project with failure modes
lock             one process per batch: a lock that the system releases however its holder ends
piloting         what a pilot says of a study's scores: how they vary between people, and within a person
planning         plans of batches: who is asked what, what that is expected to take, and how a batch begins
puzzles          models that judge steps and annotations of puzzles in a project, and reviews by people
results          tables and charts as plain data, made once for the page, the report and files
reverify         judges stored attempts again with today's verifiers, and stores and reports what changed
rulings          verifiers that disagree, side by side, and the export of people's rulings on them
running          what the process of a batch is made of: asking, judging, storing, watching
runner           the process of a batch: asks, stores and verifies until everything is done or somebody stops it
scbench          the published results of SCBench, and their known errors
scored           the record of one item: an instance, asked once
scores           averages the scores of attempts for tasks, buckets and the whole benchmark
study_results    the people of studies as runs, for each condition whose outcomes are unsealed
sweep            the sweep over token budgets: accuracy against the tokens actually used
transcripts      one transcript for all that a model did: replies, calls of tools, code, searches, pictures
unsealing        opens the outcomes of a study: every submission is judged by all verifiers
work             the jobs that a batch runs in other processes, from JSON data to JSON data
"""
