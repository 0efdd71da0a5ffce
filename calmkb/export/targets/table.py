"""The exporters by name: `EXPORTER` of every module in this package, and those of others.

Another installed package declares its own as an entry point in the group `calmkb.exporters`.
"""

from importlib import import_module
from pkgutil import iter_modules, resolve_name

from calmkb.errors import ExportError
from calmkb.export import targets
from calmkb.export.base import Exporter
from calmkb.system.entry_points import added


def _exporters() -> dict[str, Exporter]:
    modules = [import_module(f"{targets.__name__}.{one.name}")
               for one in iter_modules(targets.__path__) if one.name != "table"]  # fmt: skip
    found = [module.EXPORTER for module in modules if hasattr(module, "EXPORTER")]
    found += [resolve_name(place) for place in added("calmkb.exporters").values()]
    return {one.name: one for one in sorted(found, key=lambda one: (one.order, one.name))}


EXPORTERS: dict[str, Exporter] = _exporters()


def find_exporter(name: str) -> Exporter:
    """Return the exporter called `name`; raise ExportError naming those there are."""
    if name not in EXPORTERS:
        raise ExportError(f"{name!r} is not an exporter; choose from: {', '.join(EXPORTERS)}")
    return EXPORTERS[name]
