"""Tokens and cost of runs: counted from a stream, bounded by a budget."""

from dataclasses import dataclass
from typing import Any, ClassVar

from calmkb.errors import CalmError
from calmkb.wings.runs.model import Json


class BudgetError(CalmError):
    """A run used more than its budget."""


_NAMES = {
    "model": "model", "input_tokens": "inputTokens", "output_tokens": "outputTokens",
    "cache_read_tokens": "cacheReadTokens", "cache_write_tokens": "cacheWriteTokens",
    "cost": "costUsd",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What models were given and answered; `input_tokens` includes those read from a cache.

    `cost` is in US dollars, as the client itself reports it; None where it does not.
    """

    __pydantic_config__: ClassVar = {"alias_generator": _NAMES.get}

    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost: float | None = None

    @property
    def tokens(self) -> int:
        """Return all tokens, in and out."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: "Usage") -> "Usage":
        costs = [one.cost for one in (self, other) if one.cost is not None]
        numbers = {name: getattr(self, name) + getattr(other, name) for name in _NUMBERS}
        return Usage(model=other.model or self.model, cost=sum(costs) if costs else None, **numbers)

    def as_json(self) -> dict[str, Any]:
        """Return it as it is stored and served."""
        return {shown: getattr(self, name) for name, shown in _NAMES.items()}


_NUMBERS = tuple(name for name in _NAMES if name.endswith("tokens"))
_LARGEST = 2**53


def usage_of(stored: Json | None) -> Usage:
    """Return usage from JSON; what is missing or invalid there counts as nothing."""
    known = stored or {}
    numbers = {name: whole(known.get(_NAMES[name])) for name in _NUMBERS}
    model = known.get("model")
    return Usage(model=model if isinstance(model, str) else "",
                 cost=dollars(known.get("costUsd")), **numbers)  # fmt: skip


def reported(given: Json, *, cached: str, model: str = "") -> Usage:
    """Return what a client reports; tokens read from a cache have its own name for them."""
    return Usage(
        model=model,
        input_tokens=whole(given.get("input_tokens")),
        output_tokens=whole(given.get("output_tokens")),
        cache_read_tokens=whole(given.get(cached)),
    )


def whole(value: object) -> int:
    """Return a number of tokens; an invalid one is 0."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and 0 <= value < _LARGEST else 0  # type: ignore[operator, return-value]


def dollars(value: object) -> float | None:
    """Return an amount of money, or None for an invalid one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < _LARGEST else None


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that a run may use; None is no limit."""

    cost: float | None = None
    tokens: int | None = None

    def check(self, usage: Usage) -> None:
        """Raise BudgetError where more was used."""
        if self.tokens is not None and usage.tokens > self.tokens:
            raise BudgetError(
                f"stopped after {usage.tokens:,} tokens, over its budget of {self.tokens:,}"
            )
        if self.cost is not None and usage.cost is not None and usage.cost > self.cost:
            raise BudgetError(f"stopped after ${usage.cost:.4f}, over its budget of ${self.cost:g}")


NO_BUDGET = Budget()


def budget_of(config: Json) -> Budget:
    """Return the budget that a run's configuration sets."""
    tokens = whole(config.get("maxTokens"))
    return Budget(cost=dollars(config.get("maxCost")), tokens=tokens or None)
