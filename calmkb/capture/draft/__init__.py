"""A wrap-up drafted from a transcript without a model.

Read `draft` first: `person` says what was typed and what it teaches; `summary` puts `goal`,
`findings`, `commits` and `ending` into sentences; `quotes` and `next_steps` make the lists.
"""
