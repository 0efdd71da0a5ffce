"""What a hook receives from a client, and what it answers.

Read `signals` first: it turns a hook's input into plain fields for the signal store.
"""
