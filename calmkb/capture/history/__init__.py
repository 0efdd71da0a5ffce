"""The history that agents keep on this machine, for `calmkb import`.

Read `sources` first: it lists where each agent keeps its sessions and notes.
"""
