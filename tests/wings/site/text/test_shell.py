"""A page from records may hold what the theme puts around it, and nothing else that lives."""

import pytest

from calmkb.wings.site.text.shell import Shell, parsed, with_policy

SHELL = """<!doctype html><html><head><title>x</title>
<link rel="stylesheet" href="../assets/main.css"><link rel="icon" href="../assets/icon.svg">
<script>__scope=new URL("..",location)</script></head><body>
<form class="search"><input></form><main><article></article></main>
<script id="config" type="application/json">{"base": "..", "search": "../worker.js"}</script>
<script src="../assets/main.js"></script></body></html>"""
SHELL_OF_REMOTE_FONT = SHELL.replace(
    "</head>", '<link rel="stylesheet" href="https://fonts.example/a.css"></head>'
)


def deeper(article: str) -> str:
    """The same shell two folders down, as a theme would print it."""
    there = SHELL.replace('".."', '"../../.."').replace('"../', '"../../../')
    return there.replace("<article>", f"<article>{article}")


def faults(article: str) -> list[str]:
    return [str(fault) for fault in Shell(SHELL).faults(parsed(deeper(article)))]


def test_a_page_of_words_links_and_pictures_is_clean() -> None:
    words = (
        '<p>Words, <a href="../x/">a link</a>, <a href="https://example.org" rel="noopener">out</a>'
        ' <a href="mailto:a@example.org">mail</a> <img src="../a.png"> <code>onload=1</code></p>'
        '<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>'
    )

    assert faults(words) == []


@pytest.mark.parametrize(
    "payload",
    [
        "<script>alert(1)</script>",
        '<script src="../assets/other.js"></script>',
        '<script src="https://evil.example/x.js"></script>',
        "<img src=x onerror=alert(1)>",
        "<svg/onload=alert(1)>",
        '<img src="https://evil.example/p.png">',
        '<img src="//evil.example/p.png">',
        '<img srcset="https://evil.example/p.png 2x">',
        '<video poster="https://evil.example/p.png"></video>',
        '<iframe src="../x/"></iframe>',
        "<object></object>",
        '<embed src="x">',
        '<base href="https://evil.example/">',
        '<form action="https://evil.example/"><button>Go</button></form>',
        "<style>*{background:url(https://evil.example)}</style>",
        '<p style="position:fixed">over everything</p>',
        '<a href="javascript:alert(1)">x</a>',
        '<a href=" java\nscript:alert(1)">x</a>',
        '<a href="data:text/html,<script>alert(1)</script>">x</a>',
        '<a href="vbscript:x">x</a>',
        '<link rel="stylesheet" href="https://evil.example/x.css">',
        '<meta http-equiv="refresh" content="0;url=https://evil.example">',
        '<svg><image href="https://evil.example/p.png"/></svg>',
        '<svg><use href="https://evil.example/p.svg#a"/></svg>',
        '<button formaction="https://evil.example">x</button>',
        "<p>gpj\u202egnp.exe</p>",
        "<p>zero\u200bwidth</p>",
    ],
)
def test_whatever_could_run_load_or_mislead_is_a_fault(payload: str) -> None:
    assert faults(payload) != []


def test_the_policy_names_the_themes_scripts_and_forbids_the_rest() -> None:
    page = parsed(deeper("<script>alert(1)</script>"))
    policy = Shell(SHELL).policy(page)

    assert policy.startswith("default-src 'none'; script-src 'self' 'sha256-")
    assert policy.count("'sha256-") == 1
    assert "unsafe-inline" not in policy.split("style-src")[0]
    assert "https:" not in policy


def test_a_host_that_the_sites_own_settings_load_from_stays_allowed() -> None:
    shell = Shell(SHELL_OF_REMOTE_FONT)
    page = parsed(SHELL_OF_REMOTE_FONT)

    assert shell.faults(page) == []
    assert "style-src 'self' 'unsafe-inline' https://fonts.example;" in shell.policy(page)


def test_the_policy_comes_before_all_it_governs() -> None:
    page = with_policy(SHELL, "default-src 'none'")

    assert page.index("Content-Security-Policy") < page.index("<script>")
    assert page.index("Content-Security-Policy") < page.index("<link")
