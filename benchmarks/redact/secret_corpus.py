"""Secrets that never were, in the places where real ones turn up: made from a seed at run time.

No secret-looking literal stands here: a scanner that reads this repository finds nothing. Each
context has its wordings in two halves, and some kinds are kept aside whole: what rules are fixed on
(`TUNING`) and what they are measured on at the end (`HELD_OUT`) share neither values nor wordings.
"""

# ruff: noqa: E501 - a wording is read as it stands, on one line
import base64
import string
from collections.abc import Callable
from dataclasses import dataclass

from dice import ALNUM, WORDS, Dice
from secret_contexts import CONTEXTS, FORMS, fill

TUNING, HELD_OUT = 11, 4711
CONTEXTS_A_KIND = 7
KEPT_ASIDE = (
    "linear",
    "pulumi",
    "postman",
    "shopify",
    "vault",
    "django-key",
    "hex-40",
    "passphrase",
)


@dataclass(frozen=True)
class Sample:
    """A text that holds one secret; `secret` must not survive, nor half of it."""

    kind: str
    context: str
    text: str
    secret: str


def _jwt(d: Dice) -> str:
    parts = [base64.urlsafe_b64encode(text.encode()).decode().rstrip("=") for text in (
        '{"alg":"HS256","typ":"JWT"}', f'{{"sub":"{d.randint(1, 9**9)}","name":"A"}}')]  # fmt: skip
    return ".".join([*parts, d.alnum(43)])


def _telegram(d: Dice) -> str:
    return d.of("123456789", 10) + ":" + "AA" + d.alnum(33)


# kind: (names it is kept under, the value)
KINDS: dict[str, tuple[tuple[str, ...], Callable[[Dice], str]]] = {
    "github-classic": (("GITHUB_TOKEN", "GH_TOKEN"), lambda d: "gh" + "p_" + d.alnum(36)),
    "github-fine": (("GH_PAT", "GITHUB_TOKEN"),
                    lambda d: "github" + "_pat_" + d.alnum(22) + "_" + d.alnum(59)),
    "gitlab": (("GITLAB_TOKEN",), lambda d: "gl" + "pat-" + d.alnum(20)),
    "aws-id": (("AWS_ACCESS_KEY_ID",),
               lambda d: "AK" + "IA" + d.of(string.ascii_uppercase + "234567", 16)),
    "aws-secret": (("AWS_SECRET_ACCESS_KEY",), lambda d: d.b64(30)),
    "anthropic": (("ANTHROPIC_API_KEY",), lambda d: "sk-" + "ant-api03-" + d.alnum(93) + "AA"),
    "openai": (("OPENAI_API_KEY",), lambda d: "sk-" + "proj-" + d.alnum(48)),
    "slack-bot": (("SLACK_BOT_TOKEN",),
                  lambda d: "xo" + f"xb-{d.of('123456789', 12)}-{d.of('123456789', 12)}-{d.alnum(24)}"),
    "slack-hook": (("SLACK_WEBHOOK_URL",), lambda d: "https://hooks.slack" + ".com/services/T"
                   + d.of(string.ascii_uppercase, 8) + "/B" + d.of(string.ascii_uppercase, 8)
                   + "/" + d.alnum(24)),
    "discord-hook": (("DISCORD_WEBHOOK_URL",), lambda d: "https://discord" + ".com/api/webhooks/"
                     + d.of("123456789", 18) + "/" + d.alnum(68)),
    "stripe": (("STRIPE_SECRET_KEY",), lambda d: "sk" + "_live_" + d.alnum(24)),
    "stripe-hook": (("STRIPE_WEBHOOK_SECRET",), lambda d: "whs" + "ec_" + d.alnum(32)),
    "google-api": (("GOOGLE_API_KEY", "MAPS_KEY"), lambda d: "AI" + "za" + d.alnum(35)),
    "google-oauth": (("GOOGLE_CLIENT_SECRET",), lambda d: "GOC" + "SPX-" + d.alnum(28)),
    "pypi": (("PYPI_TOKEN", "TWINE_PASSWORD"), lambda d: "py" + "pi-AgEIcHlwaS5vcmc" + d.alnum(150)),
    "npm": (("NPM_TOKEN",), lambda d: "np" + "m_" + d.alnum(36)),
    "sendgrid": (("SENDGRID_API_KEY",), lambda d: "S" + "G." + d.alnum(22) + "." + d.alnum(43)),
    "hugging-face": (("HF_TOKEN",), lambda d: "h" + "f_" + d.alnum(34)),
    "twilio": (("TWILIO_AUTH_TOKEN",), lambda d: d.hex(32)),
    "mailgun": (("MAILGUN_API_KEY",), lambda d: "ke" + "y-" + d.hex(32)),
    "datadog": (("DD_API_KEY", "DATADOG_APP_KEY"), lambda d: d.hex(32)),
    "digitalocean": (("DO_TOKEN",), lambda d: "dop" + "_v1_" + d.hex(64)),
    "heroku": (("HEROKU_API_KEY",), lambda d: d.uuid()),
    "jwt": (("ID_TOKEN", "SESSION_TOKEN"), _jwt),
    "docker-hub": (("DOCKER_TOKEN",), lambda d: "dck" + "r_pat_" + d.alnum(27)),
    "telegram": (("TELEGRAM_BOT_TOKEN",), _telegram),
    "square": (("SQUARE_ACCESS_TOKEN",), lambda d: "EA" + "AA" + d.alnum(60)),
    "notion": (("NOTION_TOKEN",), lambda d: "nt" + "n_" + d.alnum(46)),
    "terraform": (("TFE_TOKEN",), lambda d: d.alnum(14) + ".atlas" + "v1." + d.alnum(64)),
    "azure-storage": (("AZURE_STORAGE_KEY",), lambda d: d.b64(64)),
    "azure-client": (("AZURE_CLIENT_SECRET",), lambda d: d.alnum(3) + "8Q~" + d.alnum(34)),
    "cloudflare": (("CF_API_TOKEN",), lambda d: d.alnum(40)),
    "new-relic": (("NEW_RELIC_API_KEY",), lambda d: "NR" + "AK-" + d.of(string.ascii_uppercase, 27)),
    "sentry": (("SENTRY_AUTH_TOKEN",), lambda d: "sntr" + "ys_" + d.alnum(80)),
    "grafana": (("GRAFANA_TOKEN",), lambda d: "gl" + "sa_" + d.alnum(32) + "_" + d.hex(8)),
    "supabase": (("SUPABASE_ACCESS_TOKEN",), lambda d: "sb" + "p_" + d.hex(40)),
    "doppler": (("DOPPLER_TOKEN",), lambda d: "dp" + ".pt." + d.alnum(43)),
    "airtable": (("AIRTABLE_TOKEN",), lambda d: "pa" + "t" + d.alnum(14) + "." + d.hex(64)),
    "age": (("SOPS_AGE_KEY",),
            lambda d: "AGE-SECRET" + "-KEY-1" + d.of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
    "password-human": (("DB_PASSWORD", "ADMIN_PASSWORD", "SMTP_PASS"), lambda d: d.human()),
    "password-random": (("POSTGRES_PASSWORD", "REDIS_PASSWORD"),
                        lambda d: d.of(ALNUM + "!#%^*_-+", 17) + "7q"),
    "api-key-alnum": (("API_KEY", "INTERNAL_API_KEY"), lambda d: d.alnum(32)),
    "client-secret": (("CLIENT_SECRET", "OAUTH_CLIENT_SECRET"), lambda d: d.alnum(40)),
    "signing-key": (("JWT_SECRET", "SIGNING_KEY", "ENCRYPTION_KEY"), lambda d: d.b64(32)),
    "rails-key": (("SECRET_KEY_BASE", "RAILS_MASTER_KEY"), lambda d: d.hex(128)),
    "linear": (("LINEAR_API_KEY",), lambda d: "lin" + "_api_" + d.alnum(40)),
    "pulumi": (("PULUMI_ACCESS_TOKEN",), lambda d: "pu" + "l-" + d.hex(40)),
    "postman": (("POSTMAN_API_KEY",), lambda d: "PM" + "AK-" + d.hex(24) + "-" + d.hex(34)),
    "shopify": (("SHOPIFY_ACCESS_TOKEN",), lambda d: "sh" + "pat_" + d.hex(32)),
    "vault": (("VAULT_TOKEN",), lambda d: "hv" + "s." + d.alnum(90)),
    "django-key": (("DJANGO_SECRET_KEY",), lambda d: d.of(string.ascii_lowercase + "0123456789!@#^*(-_=+)", 50)),
    "hex-40": (("LEGACY_API_TOKEN",), lambda d: d.hex(40)),
    "passphrase": (("BACKUP_PASSPHRASE", "KEY_PASSPHRASE"), lambda d: "-".join(d.sample(WORDS, 4)) + str(d.randint(2, 99))),
}  # fmt: skip


def secrets(seed: int) -> list[Sample]:
    """Return the labelled secrets of a split: `TUNING` or `HELD_OUT`."""
    dice = Dice(seed)
    half = 0 if seed == TUNING else 1
    made = []
    for kind, (names, value) in KINDS.items():
        if seed == TUNING and kind in KEPT_ASIDE:
            continue
        for context in dice.sample(sorted(CONTEXTS), CONTEXTS_A_KIND):
            secret = value(dice)
            wording = dice.choice(CONTEXTS[context][half::2])
            made.append(Sample(kind, context, fill(wording, dice.choice(names), secret), secret))
    for kind, forms in FORMS.items():
        for form in forms[half::2]:
            text, secret = form(dice)
            made.append(Sample(kind, kind, text, secret))
    return made
