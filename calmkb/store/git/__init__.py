"""Git: the one way to run it, and what is read from a repository.

Read `run` first (`Git`, the one door), then `repository` (`Repository`, `find_repository`).
"""
