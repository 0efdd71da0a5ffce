"""A session's wrap-up as a model writes it, held against the session.

Read `condense` first: the lines that a model gets. `question` asks, `answer` keeps what the lines
support.
"""
