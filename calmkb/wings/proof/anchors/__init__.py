"""What a text says of a repository (paths, commands, names, links), and whether it is there.

Read `references` first; `judge` holds one against a `tree`, which is plain data.
"""
