"""Frames of zstd."""

from calmkb.system.entry_points import zstd

_LEVEL = 9
"""Slower levels save little of transcripts; it is done once, in the background."""


def compressed(data: bytes) -> bytes:
    """Return data as one zstd frame."""
    packed: bytes = zstd().compress(data, _LEVEL)
    return packed


def expanded(data: bytes, limit: int) -> bytes:
    """Return what a zstd frame holds, of which at most `limit` bytes; ValueError if it is none."""
    try:
        found: bytes = zstd().ZstdDecompressor().decompress(data, limit)
    except zstd().ZstdError as error:
        raise ValueError(str(error)) from error
    return found
