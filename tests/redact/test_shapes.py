"""Shapes and places of secrets that real texts have, and harmless lines that look like them."""

from pathlib import Path

import pytest

from calmkb.redact import Redactor

R = Redactor(home=Path("/home/ada"))
RANDOM = "q7Zk2vX9" + "Lm4Tn8Rw"
HEX = "1a2b3c4d" * 5
UUIDS = "5f0c6a0e-3f0e-4a6b-9a51-0f6f2b7f7c11@5f0c6a0e-3f0e-4a6b-9a51-0f6f2b7f7c12"
HUMAN = "Winter" + "2026!"

SHAPES = [
    ("Authorization: SSWS 00" + RANDOM * 2, RANDOM),
    (f"https://outlook.office.com/webhook/{UUIDS}/IncomingWebhook/{HEX}/{UUIDS[:36]}", HEX),
    (f"https://acme.webhook.office.com/webhookb2/{UUIDS}/IncomingWebhook/{HEX}/x", HEX),
    ("session 00D" + f"50000000IehZ!AQcAQ{RANDOM * 5}", RANDOM),
    ("the azure pat abcdefghij2klmnopqrstuvwxyz234567abcdefghijklmnopqr7", "klmnopqrstuvwxyz23"),
    (RANDOM * 4 + "abcdefghijkl" + "AZDO" + "ab12", RANDOM),
    ("key id LT" + f"AI5t{RANDOM}AbCd", RANDOM),
    ("slk" + "_" + "abcdef0123456789" * 4, "abcdef0123456789abcdef"),
    ("odt" + "_1a2b3c4d5e6f7a8b9c0d1e2f", "3c4d5e6f7a8b9c0d"),
    ("live" + "_123456789_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123", "RsTuVwXy"),
    ("shippo" + f"_test_{HEX}", HEX),
    ("duffel" + "_test_aB3_dE5-fG7hJ9kL1mN2pQ4rS6tU8vW0xYz1B2aB3dE", "hJ9kL1mN2"),
    (f"wandb login {HEX}", HEX),
    (f"SECRET_KEY = 'django-insecure-_{RANDOM}^c!%(^+={RANDOM[::-1]}*k*$'", RANDOM[::-1]),
    (f"vault operator unseal {RANDOM * 2}abcdEFGH1234=", RANDOM),
    (f"mvn sonar:sonar -Dsonar.login={HEX}", HEX),
    (f'new NetworkCredential("ada", "{HUMAN}")', HUMAN),
    (f"login with ada / {HUMAN}", HUMAN),
    ("Fly" + f"V1 fm2_{RANDOM * 3},fm2_{RANDOM * 3}", RANDOM),
    ("discord token = 1234567890" + "12345678901", "123456789012345678901"),
    ("seed phrase: legal winner thank year wave sausage worth useful legal winner thank yellow",
     "wave sausage worth"),
    ("otp seed: JBSWY3DPEHPK3PXPJBSW", "Y3DPEHPK"),
    ("TOTP secret: JBSW Y3DP EHPK 3PXP JBSW", "Y3DP EHPK"),
    (f"api key - '{RANDOM}'", RANDOM),
    ("<secret>{AQAA" + f"ABAAAAAQ{RANDOM * 2}=}}</secret>", RANDOM),
    (f"| token | {RANDOM} |", RANDOM),
    (f"| API key | `{RANDOM}` | prod |", RANDOM),
    (f"| user | password |\n|---|---|\n| ada | {RANDOM} |", RANDOM),
    (f"Your API key:\n{RANDOM}", RANDOM),
    (f"[DEBUG] Using Key={RANDOM}Yb3K", RANDOM),
    (f"Your shop key is {RANDOM}Yb3K, keep it", RANDOM),
    ("\"AdminPassword\" : \"" + "thisismypassword\"", "thisismypassword"),
    ('new NetworkCredential("ada@example.org", "vzihlaqu' + 'knriqlht")', "knriqlht"),
    ("license: eu01xxaa7460e1ea3abdfbbbd36e85c1" + "0cd0NRAL", "7460e1ea3abd"),
    (f'new DirectoryEntry("LDAP://x.org",\n  "ada@x.org",\n  "{HUMAN}")', HUMAN),
    ("the default password is 'blooberry'", "blooberry"),
    (f"fbApiKey:            '{RANDOM}'", RANDOM),
    ("sl" + f".{RANDOM * 8}", RANDOM),
    (f'"auth.login_with_api_key", "params": ["8-{RANDOM * 4}"]', RANDOM),
    ("[DEBUG] using key = 9f86d081" + "884c7d659a2feaa0c55ad015a3bf4f1b", "884c7d659a2feaa0"),
    ("<secret>{shop AQAA" + f"ABAAA {RANDOM}}}</secret>", RANDOM),
    (f"**the token is:**\n\n    {RANDOM}\n", RANDOM),
]  # fmt: skip


@pytest.mark.parametrize(("text", "secret"), SHAPES, ids=[text[:20] for text, _ in SHAPES])
def test_a_secret_of_this_shape_or_place_goes(text, secret):
    assert secret not in R.text(text)


@pytest.mark.parametrize(
    "name",
    """Passwort:|Das Passwort ist|Kennwort:|mot de passe :|le mot de passe est|contraseña:|la
    contraseña es|contrasena =|senha:|a senha é|palavra-passe:|пароль:|мой пароль это|密码：|密码是|
    密碼:|口令: |パスワード：|パスワードは|비밀번호:|كلمة المرور:|كلمة السر هي|
    पासवर्ड:|पासवर्ड है|পাসওয়ার্ড:|kata sandi:|
    kata sandi adalah|پاس ورڈ:|hasło:|wachtwoord:|şifre:|mật khẩu:|lösenord:|heslo:""".replace(
        "\n    ", ""
    ).split("|"),
)
def test_a_password_goes_in_whatever_language_it_is_named(name):
    assert HUMAN not in R.text(f"{name} {HUMAN}")
    assert R.text(f"{name} geheim und sicher") == f"{name} geheim und sicher"


@pytest.mark.parametrize(
    "line",
    [
        "- **Pass linting**",
        "- **Pass tests**",
        'Unexpected: "js-tokens": "^4.0.0"',
        '"js-tokens": "^3.0.0 || ^4.0.0"',
        "LONG_CONTEXT_THRESHOLD_TOKENS = 512_000",
        "tokens: $3/$15",
        "the package xoxo-indieweb-1 is small",
        "hf_requiredCharacteristicTypesForDisplay",
        "Unexpected token u_1234567",
        "kubectl get secret my-app-tls-2024",
        "SESSION_KEY = 'calmkb.session.v1'",
        "bypass=true1234",
        'bypass="always-2x"',
        "compass: north-west-12",
        "sk-estimator-very-long-name-of-a-class",
        "OLD_PASSWORD → NEW_PASSWORD",
        "the key is required-for-all-sessions",
        "The password is 'required' here",
        "cygpath -u 'C:\\Program Files\\x'",
        "| password | required | 12 characters |",
        "cache key: linux-node-3197ffd9a1b2c3d4e5f60718293a4b5c6d7e8f90",
        "key: 3197ffd9a1b2c3d4e5f60718293a4b5c6d7e8f90",
        "sort(key=functools_cmp_to_key_of_the_items)",
        "total_tokens=orig.total_tokens,",
        "The tokens:\n\nbert-base-uncased",
        "echo $TOKEN | base64 | tee x1",
    ],
)
def test_a_harmless_line_stays_to_the_letter(line):
    assert R.text(line) == line
