"""Tokens and cost in the stream of Claude Code."""

from collections.abc import Mapping
from typing import Any

from calmkb.wings.runs.usage import Usage, dollars, whole


class ClaudeUsage:
    """Adds up the answers of the model; one answer comes as several lines with the same id."""

    def __init__(self) -> None:
        self._answers: dict[str, Usage] = {}
        self._model = ""

    def answered(self, message: Mapping[str, Any]) -> Usage | None:
        """Return the total so far where an answer changes it."""
        given, model = message.get("usage"), message.get("model")
        if not isinstance(given, dict):
            return None
        self._model = model if isinstance(model, str) else self._model
        name, one = str(message.get("id", "")), _usage(given, self._model)
        if self._answers.get(name) == one:
            return None
        self._answers[name] = one
        return sum(self._answers.values(), Usage(model=self._model))

    def ended(self, result: Mapping[str, Any]) -> Usage | None:
        """Return what the client itself reports at its end, sub-agents included."""
        cost = dollars(result.get("total_cost_usd"))
        models = result.get("modelUsage")
        if isinstance(models, dict) and models:
            each = [_of_model(one) for one in models.values() if isinstance(one, dict)]
            total = sum(each, Usage())
        elif isinstance(result.get("usage"), dict):
            total = _usage(result["usage"], self._model)
        else:
            total = sum(self._answers.values(), Usage())
        return Usage(
            model=self._model or next(iter(models or {}), ""), cost=cost,
            input_tokens=total.input_tokens, output_tokens=total.output_tokens,
            cache_read_tokens=total.cache_read_tokens,
            cache_write_tokens=total.cache_write_tokens,
        )  # fmt: skip


def _usage(given: Mapping[str, Any], model: str) -> Usage:
    read = whole(given.get("cache_read_input_tokens"))
    written = whole(given.get("cache_creation_input_tokens"))
    return Usage(
        model=model, input_tokens=whole(given.get("input_tokens")) + read + written,
        output_tokens=whole(given.get("output_tokens")),
        cache_read_tokens=read, cache_write_tokens=written,
    )  # fmt: skip


def _of_model(given: Mapping[str, Any]) -> Usage:
    names = {
        "input_tokens": "inputTokens", "output_tokens": "outputTokens",
        "cache_read_input_tokens": "cacheReadInputTokens",
        "cache_creation_input_tokens": "cacheCreationInputTokens",
    }  # fmt: skip
    return _usage({name: given.get(theirs) for name, theirs in names.items()}, "")
