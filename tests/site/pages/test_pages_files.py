"""Which sessions changed a file; and sessions turn by turn, only where a person said so."""

from dataclasses import replace

from calmkb.model import Library, SessionView
from calmkb.model.sessions.archive import KeptTurn
from calmkb.site.content.addresses import file_uri
from calmkb.site.staging.stage import stage
from tests.site.sample import ENTRIES

CART = "src/cart.ts"
VIEWS = tuple(
    SessionView(entry=replace(one, files=(CART, f"src/only-{number}.ts")))
    for number, one in enumerate(ENTRIES[:4])
)
TURNS = (
    KeptTurn(line=1, role="person", text="Why is the <cart> slow?"),
    KeptTurn(line=2, role="agent", kind="call", tool="Bash", text="time make cart"),
    KeptTurn(line=3, role="tool", tool="Bash", text="real 9s\n</pre><script>x()</script>"),
    KeptTurn(line=4, role="agent", text="It renders twice."),
)


def session_page(pages: dict[str, str], entry_id: str) -> str:
    return next(text for uri, text in pages.items() if f"{entry_id[:8]}.md" in uri)


def test_a_file_leads_to_the_sessions_that_changed_it_and_back() -> None:
    pages = stage(Library(sessions=VIEWS))
    uri = file_uri("storefront", CART)
    assert f"](../{uri})" in pages["files/index.md"] or f"]({uri[6:]})" in pages["files/index.md"]
    assert "2 sessions" in pages["files/index.md"]
    assert "Split the cart reducer" in pages[uri]
    assert "Wrote the nightly" not in pages[uri]  # another project's file of the same path
    assert f"](../../../{uri})" in session_page(pages, ENTRIES[2].id)


def test_a_file_of_one_session_is_named_there_alone() -> None:
    pages = stage(Library(sessions=VIEWS))
    assert "only-2.ts" not in pages["files/index.md"]
    assert "`src/only-2.ts`" in session_page(pages, ENTRIES[2].id)


def test_without_changed_files_there_is_no_page_of_files() -> None:
    assert not any(
        uri.startswith("files/")
        for uri in stage(Library(sessions=(SessionView(entry=ENTRIES[0]),)))
    )


def test_a_thread_reads_well_and_runs_nothing() -> None:
    entry = VIEWS[2].entry
    pages = stage(Library(sessions=VIEWS, threads={entry.id: TURNS}))
    ((uri, thread),) = [one for one in pages.items() if "/thread/" in one[0]]
    assert thread.index("Why is the") < thread.index("<summary>2 Bash: time make cart</summary>")
    assert "<script>" not in thread
    assert "It renders twice." in thread
    assert f"]({uri.rsplit('/', 3)[1]}/thread/index.md)" in session_page(pages, entry.id)


def test_a_long_thread_goes_on_on_another_page() -> None:
    turns = tuple(KeptTurn(line=n, role="agent", text=f"Step {n}.") for n in range(1, 60))
    pages = stage(Library(sessions=VIEWS, threads={VIEWS[0].entry.id: turns}))
    assert len([uri for uri in pages if "/thread/" in uri]) == 3
