"""Every page is named once: by its title, or by what it shows."""

from calmkb.site.content.catalogue import Catalogue
from calmkb.site.pages.headings import front_matter, heading
from calmkb.site.pages.page import Page
from calmkb.site.pages.table import pages
from tests.site.sample import LIBRARY


def test_every_page_but_the_front_page_has_a_title() -> None:
    untitled = [page.uri for page in pages(Catalogue(LIBRARY)) if not heading(page).title]

    assert untitled == ["index.md"]


def test_a_page_with_a_new_template_needs_its_title_alone() -> None:
    assert front_matter(Page("glossary.md", "glossary", title="<Glossary>")) == {
        "title": "&lt;Glossary&gt;"
    }
    assert front_matter(Page("glossary.md", "glossary")) == {}
