"""The checks that every HTTP server of calmkb puts before its application."""

from calmkb.http_server.guard import Guard, allowed_hosts, check_address
from calmkb.http_server.timeouts import RequestTimeoutProtocol

__all__ = ["Guard", "RequestTimeoutProtocol", "allowed_hosts", "check_address"]
