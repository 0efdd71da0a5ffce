"""State of this machine that is not in git, a module for each file or folder.

Read `approvals` first (`TrustStore`); notices, logs, open reviews and choices are beside it.
"""
