"""`calmkb start`: the first look at what a machine holds, then the choices.

Read `verbs.histories` first: what agents left. `verbs.preview` reads it in a temporary folder,
`commands.steps` are the questions that follow.
"""
