"""A session's wrap-up as a model writes it, held against the session.

Read `question` first: what a model is asked about the lines of a condensed session. `answer` keeps
what those lines support.
"""
