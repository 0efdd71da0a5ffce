"""Sessions kept on this machine: copied, filtered, searched, read and asked why.

Read `verbs.keep` first; `kept` is the files, `turns` the index of what was said.
"""
