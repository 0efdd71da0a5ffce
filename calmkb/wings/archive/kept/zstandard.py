"""zstd, which comes with Python from 3.14 on and from `backports.zstd` before."""

from functools import cache
from importlib import import_module
from typing import Any

_LEVEL = 9
"""Slower levels save little of transcripts; it is done once, in the background."""


def compressed(data: bytes) -> bytes:
    """Return data as one zstd frame."""
    packed: bytes = _zstd().compress(data, _LEVEL)
    return packed


def expanded(data: bytes, limit: int) -> bytes:
    """Return what a zstd frame holds, of which at most `limit` bytes; ValueError if it is none."""
    zstd = _zstd()
    try:
        found: bytes = zstd.ZstdDecompressor().decompress(data, limit)
    except zstd.ZstdError as error:
        raise ValueError(str(error)) from error
    return found


@cache
def _zstd() -> Any:
    try:
        return import_module("compression.zstd")
    except ImportError:
        return import_module("backports.zstd")
