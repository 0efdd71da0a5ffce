"""`calmkb reflect`: proposals and signals reviewed in the terminal, as JSON, or by pull request.

Read `reflect` first; `review` is the review itself, without a terminal.
"""
