"""A page of another package whose template is wrong: its author reads where and what."""

import pytest

from calmkb.errors import CalmError
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.pages.page import Page
from calmkb.wings.site.staging.render import PageWriter
from tests.wings.site.sample import LIBRARY


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("unknown", "# Rota\n\n{{ people.first }}\n", "line 3: UndefinedError: 'people' is undef"),
        ("broken", "# Rota\n{% for one in two %}\n", "line 2: TemplateSyntaxError: Unexpected end"),
        ("filter", "{{ 1 | line(3) }}\n", "line 1: AttributeError: "),
    ],
)
def test_a_template_that_fails_names_its_file_line_and_fault(
    tmp_path, monkeypatch, name, text, what
):
    package = tmp_path / f"rota_{name}"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "rota.md.j2").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(CalmError) as caught:
        PageWriter(Catalogue(LIBRARY)).body(Page("rota.md", f"rota_{name}:rota"))
    assert str(package / "rota.md.j2") in str(caught.value)
    assert what in str(caught.value)
