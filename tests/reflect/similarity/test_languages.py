"""Similarity and opposites of statements that are not in English."""

import pytest

from calmkb.reflect.opposites.compare import contradicts
from calmkb.reflect.similarity.terms import topics

OPPOSITES = {
    "de": ("Nimm hier pnpm statt npm", "Nimm hier npm statt pnpm"),
    "fr": ("Utilise pnpm au lieu de npm ici", "Utilise npm au lieu de pnpm ici"),
    "es": ("Usa pnpm en vez de npm en este repo", "Usa npm en vez de pnpm en este repo"),
    "pt": ("Use pnpm em vez de npm neste repo", "Use npm em vez de pnpm neste repo"),
    "it": ("Usa pnpm invece di npm in questo repo", "Usa npm invece di pnpm in questo repo"),
    "ru": ("Используй pnpm вместо npm", "Используй npm вместо pnpm"),
    "zh": ("这里使用 pnpm 而不是 npm", "这里使用 npm 而不是 pnpm"),
    "ja": ("npmではなくpnpmを使う", "pnpmではなくnpmを使う"),
    "ko": ("npm 말고 pnpm을 써야 해", "pnpm 말고 npm을 써야 해"),
}
DENIED = {
    "de": ("Die Datenbank in Tests mocken", "Die Datenbank in Tests nicht mocken"),
    "fr": ("On mocke la base dans les tests", "On ne mocke pas la base dans les tests"),
    "es": ("Simula la base de datos en los tests", "No simula la base de datos en los tests"),
    "pt": ("Simule o banco nos testes", "Não simule o banco nos testes"),
    "it": ("Simula il database nei test", "Non simula il database nei test"),
    "ru": ("Мокай базу в тестах", "Не мокай базу в тестах"),
    "zh": ("测试里要模拟数据库", "测试里不要模拟数据库"),
}
SAME = {
    "de": ("Der Test schlägt ohne Container fehl", "Die Tests schlagen ohne den Container fehl"),
    "fr": ("Les migrations échouent sans conteneur", "La migration échoue sans le conteneur"),
    "es": ("Las migraciones fallan sin contenedor", "La migración falla sin el contenedor"),
    "ru": ("Тесты падают без контейнера", "Тест падает без контейнеров"),
    "zh": ("没有启动容器时迁移失败", "迁移失败,因为容器没有启动"),
    "ja": (
        "コンテナがないとマイグレーションが失敗する",
        "マイグレーションはコンテナがないと失敗します",
    ),
    "ko": ("컨테이너가 없으면 마이그레이션이 실패한다", "마이그레이션은 컨테이너 없이 실패합니다"),
}


@pytest.mark.parametrize("one, other", [*OPPOSITES.values(), *DENIED.values()])
def test_opposites_are_seen_in_every_language(one, other):
    assert contradicts(one, other)
    assert not contradicts(one, one)


@pytest.mark.parametrize("one, other", SAME.values(), ids=SAME)
def test_endings_and_missing_spaces_do_not_hide_what_a_text_is_about(one, other):
    a, b = topics(one), topics(other)
    shared = sum((a & b).values()) / min(sum(a.values()), sum(b.values()))
    assert shared >= 0.5


@pytest.mark.parametrize("one, other", SAME.values(), ids=SAME)
def test_the_same_in_other_words_is_no_opposite(one, other):
    assert not contradicts(one, other)
