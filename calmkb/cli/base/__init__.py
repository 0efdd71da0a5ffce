"""What all commands share: errors, exit codes, the knowledge base, prompts, progress.

Read `common` first: `run` turns errors into messages and exit codes.
"""
