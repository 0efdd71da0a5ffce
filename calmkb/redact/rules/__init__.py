"""Rules that find secrets: by shape, by name, by place.

Read `rule` first; `conditions` say what a value must look like to be taken for a secret.
"""
