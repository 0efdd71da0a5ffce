"""Approved memories as checks of what an agent is about to do.

Read `checks` first: the kinds of check and the line of text that each is written as. `compile`
makes such lines of a memory's words and `phrases` of fixed ones, `prefilter` the patterns by which
a shell sees that no check can fire.
"""
