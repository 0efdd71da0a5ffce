"""Corrections and rules that are not in English."""

import json

import pytest

from calmkb.capture.formats.cleaning import sentences
from calmkb.capture.mining.lessons import TABLE, lessons
from calmkb.capture.mining.prompt_features import Prompt
from calmkb.capture.mining.prompt_model import judge
from calmkb.language.detect import language


def taught(text, **more):
    return [(one.label, one.sentence) for one in lessons(Prompt(text, **more))]


@pytest.mark.parametrize(
    "code, text",
    [
        ("en", "No, don't use npm here, we use pnpm"),
        ("de", "Nein, nimm hier pnpm statt npm, sonst ändert sich die Lock-Datei"),
        ("fr", "Non, utilise pnpm au lieu de npm, sinon le fichier de lock change"),
        ("es", "No, usa pnpm en vez de npm, que si no cambia el archivo de lock"),
        ("pt", "Não, usa pnpm em vez de npm, senão o arquivo de lock muda"),
        ("it", "No, usa pnpm invece di npm, altrimenti cambia il file di lock"),
        ("ru", "Нет, используй pnpm, а не npm, иначе меняется lock-файл"),
        ("zh", "不对,这里要用 pnpm 而不是 npm,否则 lock 文件会变"),
        ("ja", "違います、npmではなくpnpmを使ってください。ロックファイルが変わってしまいます"),
        ("ko", "아니, npm 말고 pnpm을 써야 해. 안 그러면 lock 파일이 바뀌어"),
    ],
)
def test_a_correction_is_heard_in_ten_languages(code, text):
    assert language(text) == code
    assert " ".join(sentence for _, sentence in taught(text)).startswith(text[:12])


@pytest.mark.parametrize(
    "text",
    [
        "Kannst du bitte einen Test für den leeren Warenkorb schreiben?",
        "Oui, parfait, tu peux continuer avec la page suivante",
        "¿Por qué tarda tanto el build hoy?",
        "Obrigado, ficou ótimo! Pode fazer o commit",
        "Aggiungi un pulsante per svuotare il carrello",
        "Запусти тесты и покажи мне вывод",
        "帮我看一下这个函数是做什么的",
        "テストを実行して結果を見せてください",
        "좋아, 다음 단계로 진행해 줘",
    ],
)
def test_a_wish_a_question_and_thanks_teach_nothing_in_any_language(text):
    assert taught(text) == []


def test_several_statements_of_a_message_are_told_apart_where_no_space_parts_them():
    assert sentences("不对。测试放在 tests/ 里！记住了吗？「好。」") == [
        "不对。", "测试放在 tests/ 里！", "记住了吗？", "「好。」",
    ]  # fmt: skip


def test_the_reason_given_with_a_refusal_counts_in_any_language():
    assert taught("du hast die falsche Datei geändert", rejection=True) == [
        ("correction", "du hast die falsche Datei geändert")
    ]


def test_prose_in_another_language_is_no_paste():
    long = (
        "Die Rundung gehört ans Ende der Rechnung, nicht in jede einzelne Zeile davor. "
        "Sonst weicht die Summe am Monatsende um ein paar Cent ab und niemand findet den Grund."
    )
    assert taught(long)


REQUEST = (
    "In `src/rechnung.ts:14` fehlt die Rundung — die Summe weicht am Monatsende ab.\n\n"
    "**Ziel**: Die Beträge stehen nach Monaten gruppiert auf einer Seite. Die Summe steht unten.\n"
    "Der Export `export.csv` enthält dieselben Zeilen, ohne die Spalte für den Rabatt.\n\n"
    "**Grenzen**: Die Ansicht bleibt unter 200 ms. Alte Rechnungen bleiben unverändert.\n"
)


def test_a_formal_request_in_another_language_is_still_typed_by_a_person():
    assert not judge(Prompt(REQUEST, first=True)).is_machine


def test_the_table_is_small_and_sound():
    assert TABLE.stat().st_size < 400_000
    models = json.loads(TABLE.read_text("utf-8"))["models"]
    assert set(models) == {"lesson", "rule"}


@pytest.mark.parametrize("text", ["あ" * 100_000, "нет " * 20_000, "\ud800 nein", "？" * 5_000])
def test_a_strange_text_is_judged_like_any_other(text):
    assert isinstance(taught(text), list)


@pytest.mark.parametrize(
    "text",
    [
        "benutze pnpm, nicht npm",
        "utilise pnpm, pas npm",
        "use pnpm, não npm",
        "usa pnpm, non npm",
        "используй pnpm, не npm",
        "用 pnpm，不要用 npm",
        "niemals direkt auf main pushen",
        "nunca subas archivos generados",
        "nunca faça push direto na main",
        "никогда не пушь прямо в main",
        "我们的约定是文件名用小写加连字符",
    ],
)
def test_a_rule_in_so_many_words_is_heard_whatever_the_table_says(text):
    assert [said for _, said in taught(text)] == [text]


@pytest.mark.parametrize(
    "text",
    [
        "furbo, non ci avrei pensato",
        "wann benutzen wir pnpm, nicht npm?",
        "danke, passt so",
        "nunca se sabe, parece que está bien",
        "почему мы используем pnpm?",
        "为什么用 pnpm？",
    ],
)
def test_what_only_sounds_like_a_rule_is_none(text):
    assert taught(text) == []
