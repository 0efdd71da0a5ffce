"""State of this machine that is not in git: approvals, notices, logs, open reviews.

Each module is one file or folder of the state folder or the git directory.
"""
