"""What drawings may be made of: shapes and words, with measures for attributes."""

import pytest

from calmkb.wings.site.text.sanitize import clean_html

DRAWING = (
    '<svg class="calm-drawing" viewBox="0 0 640 200" role="img" aria-labelledby="calm-a calm-b">'
    '<desc id="calm-b">words</desc><g class="calm-x"><rect x="1" y="2" width="3" height="4"></rect>'
    '<line x1="0" x2="9.5" y1="-1" y2="2"></line><polyline points="1,2 3,4"></polyline>'
    '<path d="M0 16V4H3A1 1 0 0 1 2 2Z"></path>'
    '<a href="../friction/#theme-1"><circle cx="1" cy="2" r="3"></circle>'
    '<text x="1" y="2" text-anchor="end">hi '
    '<tspan x="1" dy="1.2em">there</tspan></text></a></g></svg>'
)


def test_a_drawing_of_ours_passes_whole() -> None:
    assert clean_html(DRAWING) == DRAWING


@pytest.mark.parametrize(
    "hostile",
    [
        "<svg onload=alert(1)><rect onclick=alert(1)></rect></svg>",
        "<svg><script>alert(1)</script></svg>",
        "<svg><style>@import url(//x.org)</style></svg>",
        "<svg><use href='#x'></use><image href='https://x.org/p.png'></image></svg>",
        "<svg><foreignObject><iframe src=https://x.org></iframe></foreignObject></svg>",
        "<svg><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
        "<svg><a href='javascript:alert(1)'><text>x</text></a></svg>",
        "<svg><animate attributeName=href values=javascript:alert(1)></animate></svg>",
        "<svg><set attributeName=onmouseover to=alert(1)></set></svg>",
        "<svg><path style='background:url(//x.org)' fill='url(//x.org)' d='M0 0'></path></svg>",
        "<svg><path d='url(//x.org)'></path><rect width='calc(1px)'></rect></svg>",
        "<svg></p><title><a id='</title><img src=x onerror=alert(1)>'></title></svg>",
        "<svg><desc><img src=x onerror=alert(1)></desc></svg>",
        "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></table></math>",
    ],
)
def test_a_hostile_drawing_neither_runs_nor_fetches(hostile: str) -> None:
    cleaned = clean_html(hostile)
    live = ("alert", "x.org", "<script", "<style", "<title", "<use", "<image", "<iframe", "<set")

    assert [word for word in live if word in cleaned] == []


def test_an_id_in_a_drawing_is_one_of_ours() -> None:
    cleaned = clean_html('<svg id="searchbox"><desc id="calm-d" class="md-x calm-y">x</desc></svg>')

    assert cleaned == '<svg><desc id="calm-d" class="calm-y">x</desc></svg>'
