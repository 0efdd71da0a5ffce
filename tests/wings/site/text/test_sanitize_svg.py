"""No drawing passes: words in SVG are the known way past a sanitizer."""

import pytest

from calmkb.wings.site.text.sanitize import clean_html


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
    live = (
        "alert",
        "x.org",
        "<svg",
        "<script",
        "<style",
        "<title",
        "<use",
        "<image",
        "<iframe",
        "<set",
    )

    assert [word for word in live if word in cleaned] == []
