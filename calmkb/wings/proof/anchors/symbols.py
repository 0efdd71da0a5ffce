"""The functions, classes and constants that a source file defines, by tree-sitter's grammars.

Without the extra `code` there are no grammars: `definitions` then answers None.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_GRAMMARS = {
    "bash": ("tree_sitter_bash", "language"),
    "go": ("tree_sitter_go", "language"),
    "java": ("tree_sitter_java", "language"),
    "js": ("tree_sitter_javascript", "language"),
    "py": ("tree_sitter_python", "language"),
    "rs": ("tree_sitter_rust", "language"),
    "ts": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
}
_SAME = {"sh": "bash", "zsh": "bash", "cjs": "js", "mjs": "js", "jsx": "js", "pyi": "py",
         "cts": "ts", "mts": "ts"}  # fmt: skip
_DEFINES = ("_definition", "_declaration", "_declarator", "_item", "_spec", "_signature", "_elem",
            "_alias", "enum_assignment")  # fmt: skip
_DEEP = 60
_DEFINITION = r"""(?x)
    \b(?:class|const|def|define|defp|enum|extension|fn|fun|func|function|impl|interface|let|macro
        |macro_rules!|module|object|package|protocol|record|static|struct|sub|trait|type|union|val
        |var)\s+(?:\([^)]*\)\s*)?(?:\w+[.:]+)*{name}\b
    | (?<!::)\b{name}["']?\s*(?::=|\s=(?!=))  # a variable, a property
    | ^\s*(?!case\ )(?:\w+\ )*-?\s*{name}\??:(?![:=])(?:\s[^,({]*)?(?<!,)$  # a field, a setting
    | ^\s*{name}:\s*(?:async\b|function\b|\(.*=>)  # a method of an object
    | ^\s*(?:export\s+)?{name}=(?!=)  # of a shell
    | ^\s*(?!(?:await|assert|defer|elif|else|from|go|if|import|new|raise|return|throw|use|while
        |yield)\b)(?:[\w.<>,&*?\[\]]+\s+)+[*&]?{name}\s*(?:\([^;]*$|;)  # with its type before it
    | ^\s+(?=[A-Z]){name}\s+[\w.*\[\]]+\s*(?:`.*)?$  # a field of Go
    | ^\s*{name}\s*\([^;]*[{:]\s*$  # of a method
    | (?:get\w*\(|\[)\s*["']{name}["']  # a setting that is read
    | ["'](?![A-Z].*["']\s*:\s*(?:false|true|["']\w+able)){name}["']\s*:  # but a linter's globals
"""


def definitions(path: str, text: str) -> dict[str, str] | None:
    """Return the text of each definition in a source file by its name, the first of each name.

    None where its language is not known here.
    """
    extension = path.rpartition(".")[2].lower()
    parser = _parser(_SAME.get(extension, extension))
    if parser is None:
        return None
    source = text.encode(errors="replace")
    found: dict[str, str] = {}
    for name, node in _defined(parser.parse(source).root_node, 0):
        found.setdefault(name, source[node.start_byte : node.end_byte].decode(errors="replace"))
    return found


def _defined(node: "Node", depth: int) -> Iterator[tuple[str, "Node"]]:
    """Yield (name, node) of what is defined below a node.

    In all grammars a definition is a node that names what it defines in its field `name`; Python's
    assignments at the top of a module or class are the one exception.
    """
    for child in node.named_children:
        name = None
        if child.type.endswith(_DEFINES):
            name = child.child_by_field_name("name")
        elif child.type == "assignment":
            name = child.child_by_field_name("left")
            name = name if name is not None and name.type == "identifier" else None
        if name is not None and name.text:
            yield name.text.decode(errors="replace"), child
        if depth < _DEEP:
            yield from _defined(child, depth + 1)


@lru_cache(maxsize=len(_GRAMMARS))
def _parser(language: str) -> "Parser | None":
    if language not in _GRAMMARS:
        return None
    module, function = _GRAMMARS[language]
    try:
        from tree_sitter import Language, Parser

        return Parser(Language(getattr(import_module(module), function)()))
    except ImportError:
        return None


def is_definition(name: str, line: str) -> bool:
    """Return whether a line of code gives a name its meaning, in any language and without grammars.

    A name that code only uses is a library's: that it is gone says nothing about this project.
    """
    return re.search(_DEFINITION.replace("{name}", re.escape(name)), line) is not None
