"""The checks that every HTTP server of calmkb puts before its application."""

from calmkb.runs.http.guard import Guard, allowed_hosts, check_address

__all__ = ["Guard", "allowed_hosts", "check_address"]
