"""The collector that OpenTelemetry's standard environment variables name."""

import json
import re
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import unquote, urlsplit

from calmkb.errors import CalmError, ConfigError
from calmkb.model.words import short_line
from calmkb.wings.runs.addresses import is_address, opened, read_whole

_BASE = "OTEL_EXPORTER_OTLP_"
_SECONDS = 10.0
_LONGEST, _SHOWN = 65_536, 200


@dataclass(frozen=True, slots=True)
class Collector:
    """Where spans are posted, and with which headers."""

    address: str
    headers: Mapping[str, str]
    seconds: float = _SECONDS

    def send(self, body: Mapping[str, Any]) -> None:
        """Post a request; CalmError where it is not accepted, in whole."""
        headers = {"Content-Type": "application/json", **self.headers}
        data = json.dumps(body).encode()
        request = urllib.request.Request(self.address, data, headers)  # noqa: S310 - checked
        place = urlsplit(self.address).netloc
        try:
            with opened(request, self.seconds) as reply:
                fault = _fault(read_whole(reply, self.seconds, _LONGEST))
        except OSError as error:
            if isinstance(error, HTTPError):
                error.close()
            fault = str(error)
        except (ValueError, HTTPException) as error:
            fault = f"its answer is not one of HTTP: {short_line(str(error), _SHOWN)}"
        if fault:
            raise CalmError(f"the collector at {place} did not take the spans: {fault}")


def collector_of(env: Mapping[str, str]) -> Collector:
    """Return the collector named by the environment; ConfigError where none or a wrong one is."""
    own = env.get(f"{_BASE}TRACES_ENDPOINT", "").strip()
    common = env.get(f"{_BASE}ENDPOINT", "").strip()
    address = own or (f"{common.rstrip('/')}/v1/traces" if common else "")
    if not address:
        raise ConfigError(
            f"no collector is named; set {_BASE}ENDPOINT (http://localhost:4318), or give a FILE"
        )
    if not is_address(address):
        raise ConfigError(
            f"{_BASE}ENDPOINT is {address.rpartition('@')[2]!r}; give an http:// or https:// "
            f"address without user and password: these go into {_BASE}HEADERS"
        )
    if _named(env, "PROTOCOL") == "grpc":
        raise ConfigError(
            f"{_BASE}PROTOCOL is grpc; calmkb sends http/json: name that and its port"
        )
    return Collector(address, _pairs(_named(env, "HEADERS"), "HEADERS"), _timeout(env))


def resource_of(env: Mapping[str, str]) -> dict[str, str]:
    """Return what the environment says about who makes the spans."""
    given = _pairs(env.get("OTEL_RESOURCE_ATTRIBUTES", ""), "RESOURCE_ATTRIBUTES")
    named = env.get("OTEL_SERVICE_NAME") or given.get("service.name", "calmkb")
    return {**given, "service.name": named}


def _named(env: Mapping[str, str], name: str) -> str:
    return (env.get(f"{_BASE}TRACES_{name}") or env.get(f"{_BASE}{name}") or "").strip()


def _pairs(text: str, name: str) -> dict[str, str]:
    parts = [part.partition("=") for part in text.split(",") if part.strip()]
    pairs = {unquote(key.strip()): unquote(value.strip()) for key, _, value in parts}
    if any(char in item for pair in pairs.items() for item in pair for char in "\r\n"):
        raise ConfigError(f"OTEL {name} holds a line end; take it out")
    return pairs


def _timeout(env: Mapping[str, str]) -> float:
    given = _named(env, "TIMEOUT")
    return int(given) / 1_000 if re.fullmatch("0*[1-9][0-9]{0,7}", given) else _SECONDS


def _fault(given: bytes) -> str:
    """Return what an answer says against the spans, "" for nothing; what is no answer is quoted."""
    try:
        reply = json.loads(given or b"{}")
        partial = reply.get("partialSuccess") or {}
        is_sound, refused = not reply.keys() & {"code", "error"}, partial.get("rejectedSpans") or 0
        if is_sound and not int(refused):
            return ""
        words = str(partial.get("errorMessage") or "it gave no reason")
    except (ValueError, ArithmeticError, AttributeError, TypeError, RecursionError):
        is_sound = False
    if is_sound:
        return f"it refused some spans: {short_line(words, _SHOWN)}"
    return f"its answer is not one of OTLP: {given[:_SHOWN].decode(errors='replace')!r}"
