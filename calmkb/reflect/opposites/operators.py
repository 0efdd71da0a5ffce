"""The words of other languages that deny, prefer and command, said in English.

The parser of preferences reads English. What it needs of another language are a few words: "nimm
pnpm statt npm" says "use pnpm instead of npm", whatever the rest means.
"""

import re

from calmkb.language.detect import ENGLISH, language

_NAME = r"([`'\"]?[\w@/+#.*-]+[`'\"]?)"
_SPOKEN = {
    "de": {
        "instead of": "statt|anstatt|anstelle von|an stelle von",
        "don't": "nicht|keinen?|keine[mrs]?|nie|niemals|auf keinen fall",
        "use": "nimm|nehmt|nehmen|verwende[nt]?|benutze?n?|nutze?n?",
        "always": "immer|stets|grundsätzlich", "but": "sondern",
        "": "hier|bitte|doch|die|der|das|den",
    },
    "fr": {
        "instead of": "au lieu d[e']|plutôt qu[e']|à la place d[e']",
        "don't": "pas|jamais", "": "ici|la|les|le",
        "use": "utilise[rzs]?|utilisons|emploie[rz]?|prends|prenez",
        "always": "toujours|systématiquement", "but": "mais",
    },
    "es": {
        "instead of": "en vez de|en lugar de", "don't": "no|nunca|jamás",
        "use": "usa|usar|uses|usamos|utiliza|utilizar|utilices|usad", "always": "siempre",
        "but": "sino", "": "aquí",
    },
    "pt": {
        "instead of": "em vez d[eo]|ao invés d[eo]|no lugar d[eo]", "don't": "não|nunca|jamais",
        "use": "usa|use|usar|uses|usamos|utilize|utiliza|utilizar", "always": "sempre",
        "but": "mas sim|e sim",
    },
    "it": {
        "instead of": "invece d[i']|al posto d[i']|anziché", "don't": "non|mai",
        "use": "usa|usare|usate|usiamo|utilizza|utilizzare", "always": "sempre", "but": "bensì",
    },
    "ru": {
        "instead of": "вместо", "don't": "\u0430 не|не|никогда|нельзя",
        "use": "используй(?:те)?|используем|использовать|бери|берём", "always": "всегда",
    },
    "zh": {
        "instead of": "而不是|而非|代替",
        "don't": "不要|不能|不用|不准|禁止|从不|绝不|不得|不許|别|別|不",
        "use": "使用|改用|统一用|采用|用", "always": "总是|始终|一律|必须",
        "": "这里|要",
    },
    "ja": {"always": "必ず|常に|いつも"},
    "ko": {"always": "항상|반드시|꼭"},
}  # fmt: skip
# French denies around the verb; Japanese and Korean put what is rejected first, and deny last.
_BEHIND = {
    "fr": ((r"\b(?:ne |n')(\w+) (?:pas|jamais|plus)\b", r"don't \1"),),
    "ja": (
        (
            rf"{_NAME}\s*(?:ではなく|じゃなく|でなく|の代わりに|より)(?:て)?[、,]?\s*",
            r"not \1, use ",
        ),
        (
            rf"{_NAME}\s*(?:は|を|も)?\s*(?:使わない|使用しない|使うな|使わず|禁止|しない)",
            r"do not use \1 ",
        ),
        (rf"{_NAME}\s*(?:を|に)\s*(?:使う|使って|使用|する|して|統一)", r"use \1 "),
    ),
    "ko": (
        (rf"{_NAME}\s*(?:말고|대신(?:에)?|이? ?아니라)[,]?\s*", r"not \1, use "),
        (
            rf"{_NAME}?([을를은는]?)\s*(?:쓰지|사용하지|하지) ?(?:마\w*|말\w*|않\w*)",
            r"do not use \1 ",
        ),
        (rf"{_NAME}\s*(?:쓰|써|사용)\w*", r"use \1 "),
    ),
}  # fmt: skip
_WITHOUT_SPACES = ("zh", "ja", "ko")
_EAST = "\u3041-\u30fa\u30fc\u4e00-\u9fff\uac00-\ud7a3"
_SEAM = re.compile(rf"(?<=[\w`'\"])(?=[{_EAST}])(?<![{_EAST}])|(?<=[{_EAST}])(?=[A-Za-z0-9`'\"])")
# "pnpm, nicht npm" contrasts two names; elsewhere the word denies what is done.
_CONTRAST = re.compile(r"\s*[,;]\s+don't\s+")
# "Fails without X" denies nothing: it says that X is needed.
_FAILS_WITHOUT = re.compile(
    r"\b(?:fail(?:s|ed|ing)?|breaks?|broke|crash(?:es|ed)?|hangs?|hung|stop(?:s|ped)?) without\b",
    re.IGNORECASE,
)
_CHARACTER = re.compile("[\u4e00-\u9fff]")
_MARKS = str.maketrans("\uff0c\u3001\u3002\uff1b\uff1a\uff01", ",,.;:!")


def in_english_operators(text: str) -> str:
    """Return `text` with the words that deny, prefer and command in English; the rest stays."""
    spoken = language(text)
    if spoken == ENGLISH:
        return _FAILS_WITHOUT.sub("needs", text)
    if spoken in _WITHOUT_SPACES:
        text = _SEAM.sub(" ", text.translate(_MARKS))
    for pattern, english in _BEHIND.get(spoken, ()):
        text = re.sub(pattern, english, text)
    for english, words in _SPOKEN[spoken].items():
        whole = words if spoken in _WITHOUT_SPACES else rf"(?<!\w)(?:{words})(?!\w)"
        text = re.sub(whole, f" {english} ", text, flags=re.IGNORECASE)
    text = _CONTRAST.sub(", not ", text)
    if spoken == "zh":
        text = _CHARACTER.sub(r" \g<0> ", text)
    return " ".join(text.split())
