"""The checks that every HTTP server of calmkb puts before its application."""

from calmkb.runs.http.guard import Guard, allowed_hosts, check_address
from calmkb.runs.http.timeouts import RequestTimeoutProtocol

__all__ = ["Guard", "RequestTimeoutProtocol", "allowed_hosts", "check_address"]
