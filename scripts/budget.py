"""How much code there is, and what calls what: printed, and held to the limits in pyproject.toml.

A limit may be lowered, never raised. `[tool.budget.wings]` names the modules of each wing; all else
is the kernel. An arrow is an import at run time, at the top of a module or in a function.
"""

import ast
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grimp

ROOT = Path(__file__).parents[1]
EXPORT = ("cli.export",)
LOOP = ("cli.journal.wrapup", "cli.reflect.reflect", "wings.site.commands.site", *EXPORT)


def main() -> None:
    """Print a line for each figure; exit with those that are over their limits."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "budget"
    ]
    limits: dict[str, int] = settings["limits"]
    found = figures(settings["wings"])
    over = [f"{name} {found[name]:,} of {limits[name]:,}" for name in limits
            if found[name] > limits[name]]  # fmt: skip
    for name, value in found.items():
        print(f"{name:28} {value:8,}  {f'of {limits[name]:,}' if name in limits else ''}".rstrip())
    if over:
        sys.exit(f"over budget: {'; '.join(over)}")


def figures(wings: dict[str, list[str]]) -> dict[str, int]:
    """Return each figure by its name."""
    graph = grimp.build_graph("calmkb", exclude_type_checking_imports=True)
    lines = {name: text.count("\n") for name, text in _modules().items()}
    wing_of = {name: wing for name in lines if (wing := _wing(name, wings))}
    arrows = [(importer, name) for importer in lines if importer in graph.modules
              for name in graph.find_modules_directly_imported_by(importer)]  # fmt: skip
    inward = [one for one in arrows if one[1] in wing_of and one[0] not in wing_of]
    across = [
        one for one in arrows
        if {*one} <= wing_of.keys() and wing_of[one[0]] != wing_of[one[1]]
    ]  # fmt: skip
    functions = [node for text in _modules().values() for node in _functions(text)]
    folders = {path.parent for path in (ROOT / "calmkb").rglob("*.py")}
    pages = list((ROOT / "docs").rglob("*.md"))
    return {
        "lines": sum(lines.values()),
        "lines of the kernel": sum(n for name, n in lines.items() if name not in wing_of),
        **{f"lines of {wing}": sum(n for name, n in lines.items() if wing_of.get(name) == wing)
           for wing in wings},
        "lines the loop can reach": _reach(graph, lines, LOOP),
        "lines export can reach": _reach(graph, lines, EXPORT),
        "arrows from kernel to wing": len(inward),
        "arrows from wing to wing": len(across),
        "files": len(lines),
        "folders": len(folders),
        "functions over 40 lines": sum(_length(one) > 40 for one in functions),
        "files over 250 lines": sum(n > 250 for n in lines.values()),
        "pages of documentation": len(pages),
        "words of documentation": sum(len(path.read_text("utf-8").split()) for path in pages),
    }  # fmt: skip


def _modules() -> dict[str, str]:
    """Return the text of each module by its name."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"):
            path.read_text(encoding="utf-8")
        for path in sorted((ROOT / "calmkb").rglob("*.py"))
    }  # fmt: skip


def _wing(module: str, wings: dict[str, list[str]]) -> str:
    below = module.removeprefix("calmkb.")
    return next(
        (wing for wing, rooms in wings.items()
         for room in rooms if below == room or below.startswith(f"{room}.")),
        "",
    )  # fmt: skip


def _reach(graph: Any, lines: dict[str, int], starts: tuple[str, ...]) -> int:
    """Return the lines of all modules that those of `starts` import, and of what these import."""
    names = {f"calmkb.{one}" for one in starts}
    reached = names.union(*(graph.find_upstream_modules(name) for name in names))
    return sum(lines[name] for name in reached)


def _functions(text: str) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def _length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


if __name__ == "__main__":
    main()
