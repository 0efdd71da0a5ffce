"""Words that say the opposite of each other, and words that deny."""

import re
from functools import cache

from calmkb.reflect.similarity.terms import stem

NEGATORS = frozenset(
    """not no never don't dont doesn't didn't avoid avoids avoided avoiding stop stops stopped
    without cannot can't won't shouldn't mustn't isn't aren't wasn't weren't needn't wouldn't
    couldn't hasn't haven't nor neither forbid forbids forbidden ban bans banned skip skips refuse
    nobody nothing none hardly rarely """.split()
)
DENYING_VERBS = frozenset("avoid ban forbid refus skip stop".split())
"""Stems of the verbs among them: "it is not skipped" denies skipping."""
_OPPOSITES = (
    "always never", "always rarely", "enable disable", "activate deactivate",
    "allow forbid", "allow deny", "permit forbid", "permit prohibit", "on off", "true false",
    "add remove", "add drop", "insert delete", "create delete", "with without", "first last",
    "more less", "more fewer", "most least", "many few", "increase decrease", "increase reduce",
    "increase lower", "raise lower", "raise ignore", "raise swallow", "raise suppress",
    "grow shrink",
    "public private", "public internal", "tabs spaces", "sync async", "synchronous asynchronous",
    "local global", "local remote", "required optional", "mandatory optional",
    "mandatory voluntary", "merge rebase", "squash rebase", "same different", "up down",
    "open close", "open closed", "include exclude", "above below", "over under", "upper lower",
    "uppercase lowercase", "absolute relative", "start stop", "begin end", "accept reject",
    "accept refuse", "approve reject", "fast slow", "faster slower", "early late", "earlier later",
    "eager lazy", "pass fail", "safe unsafe", "single double", "single multiple", "one many",
    "commit ignore", "commit discard", "keep delete", "keep remove", "keep drop", "keep discard",
    "client server", "frontend backend", "old new", "oldest newest", "min max", "minimum maximum",
    "minimal maximal", "small large", "small big", "smaller larger", "smallest largest",
    "short long", "shorter longer", "shortest longest", "ascending descending", "show hide",
    "visible hidden", "lock unlock", "mount unmount", "encode decode", "encrypt decrypt",
    "read write", "push pull", "upload download", "import export", "internal external",
    "inside outside", "left right", "top bottom", "high low", "higher lower", "highest lowest",
    "strict lenient", "strict loose", "static dynamic", "mutable immutable", "stateful stateless",
    "blocking nonblocking", "serial parallel", "sequential parallel", "sequentially concurrently",
    "together separately", "shared separate", "manual automatic", "manually automatically",
    "explicit implicit", "explicitly implicitly", "even odd", "positive negative", "empty full",
    "everyone nobody", "anyone nobody", "anyone only", "everyone only",
    "everything nothing", "all none", "all only", "every no", "every only", "both neither",
    "often rarely", "often seldom", "inheritance composition", "success failure", "succeed fail",
    "succeeds fails", "whitelist blacklist", "allowlist denylist", "opt-in opt-out", "join split",
    "inline extract", "wide narrow", "deep shallow", "hot cold", "forward backward",
    "forwards backwards", "upgrade downgrade", "wrap unwrap", "attach detach", "connect disconnect",
    "subscribe unsubscribe", "trust distrust", "valid invalid", "online offline",
    "staging production", "development production", "debug release", "primary replica",
    "spaces underscores", "single-quoted double-quoted", "good bad", "better worse", "best worst",
    "use avoid", "prefer avoid", "want avoid", "recommended discouraged", "recommend discourage",
)  # fmt: skip
_DENIED = re.compile(
    r"\b(?:never|not|don't|dont|avoid|without|no|instead of|rather than|forbid\w*|refuse\w*)\b"
    r"[^.;,:]{0,40}\Z",
    re.IGNORECASE,
)
_PREFIXES = ("un", "in", "im", "ir", "dis", "non", "non-", "a", "de", "mis")
_LONG_ENOUGH = 4


@cache
def _table() -> dict[str, frozenset[str]]:
    """Return the opposites of each stem, made at first use: the stemmer takes 60 ms to load."""
    found: dict[str, set[str]] = {}
    for pair in _OPPOSITES:
        one, other = (stem(word) for word in pair.split())
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}


def are_opposite(one: str, other: str) -> bool:
    """Return whether two stems deny each other: "enabl" and "disabl", "sign" and "unsign"."""
    if other in _table().get(one, ()):
        return True
    short, long = sorted((one, other), key=len)
    return len(short) >= _LONG_ENOUGH and any(long == prefix + short for prefix in _PREFIXES)


def is_denied(before: str) -> bool:
    """Return whether the words before a place deny what stands there."""
    return _DENIED.search(before) is not None
