"""Embeddings kept by content: made once, and never in the way."""

from calmkb.store.caches.vectors import cached


class Model:
    """A stand-in for a model: it counts what it is asked, and answers by length."""

    def __init__(self):
        self.asked = []

    def __call__(self, texts):
        self.asked += texts
        return [[float(len(text)), 0.5] for text in texts]


def test_a_text_is_embedded_once_whatever_record_holds_it(tmp_path):
    model, place = Model(), str(tmp_path / "vectors.sqlite")
    assert cached(place, ["a", "bb", "a"], model, model="toy") == [
        [1.0, 0.5],
        [2.0, 0.5],
        [1.0, 0.5],
    ]
    assert cached(place, ["bb", "ccc"], model, model="toy") == [[2.0, 0.5], [3.0, 0.5]]
    assert model.asked == ["a", "bb", "ccc"]


def test_a_new_models_vectors_take_the_place_of_those_before(tmp_path):
    place = str(tmp_path / "vectors.sqlite")
    for name in ("toy", "a-toy", "toy"):
        model = Model()
        cached(place, ["a"], model, model=name)
        assert model.asked == ["a"]


def test_a_broken_or_missing_cache_costs_the_making_and_no_more(tmp_path):
    place = tmp_path / "vectors.sqlite"
    place.write_bytes(b"no database at all" * 100)
    assert cached(str(place), ["a"], Model(), model="toy") == [[1.0, 0.5]]
    assert cached(None, ["a"], Model(), model="toy") == [[1.0, 0.5]]
    assert cached(str(tmp_path / "gone" / "v.sqlite"), ["a"], Model(), model="toy") == [[1.0, 0.5]]
