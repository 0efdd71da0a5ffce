"""Git and files: the only package that touches a knowledge base on disk.

Read `commits.commit` first (how a record is written), then `journal` and `index` (how records are
read). `signals` and `local` keep what stays on this machine.
"""
