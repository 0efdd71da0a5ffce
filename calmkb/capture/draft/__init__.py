"""A wrap-up drafted from a transcript without a model.

Read `draft` first: `person` says what was typed, what it teaches and what is quoted; `summary` puts
`goal`, `findings`, `commits` and `ending` into sentences; `next_steps` makes the other list.
"""
