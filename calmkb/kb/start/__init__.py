"""The first look at what a machine holds, before anything is written.

Read `histories` first: what agents left. `preview` reads it in a temporary folder, `keeping` adds
it to the journal.
"""
