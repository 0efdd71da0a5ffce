"""One review for proposals, signals and memories: the same keys, words and screen.

Read `items` first (what a kind of review gives), then `loop`, which asks; `keys` reads a line,
`screen` lays an item out.
"""
