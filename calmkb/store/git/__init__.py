"""Git: the one way to run it, and what is read from a repository.

Read `run` first (`run_git`, `ask_git`), then `repository` (`Repository`, `find_repository`).
"""
