"""Secrets by where they are: URLs, headers, commands and credential files."""

import re

from calmkb.redact.rules import conditions
from calmkb.redact.rules.rule import Rule, rule

_I = re.IGNORECASE
_Q = r"[\"']?"

PLACE_RULES: tuple[Rule, ...] = (
    rule("private-key",
         r"-----BEGIN[A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
         r"(?P<value>(?!\s{0,8}\[redacted)(?s:.*?))(?=-----END|\Z)",
         "private", when=lambda found: bool(found["value"].strip()), spans=True),
    rule("url-password", r"(?<=://)(?P<value>[^\s/:@'\"`<>]{0,256}:[^\s/'\"`<>]{1,1024})(?=@)",
         "://", when=conditions.url),
    rule("url-user", r"(?<=://)(?P<value>[0-9a-f]{32}|[\w-]{32,100})(?=@)", "://"),
    rule("signed-url", r"(?<=[?&])(?:sig|signature|x-(?:amz|goog)-(?:signature|security-token))="
         r"(?P<value>[\w%+/=~-]{20,})", "sig= signature= token=", flags=_I),
    rule("authorization",
         r"\b(?:bearer|basic|token|apikey|negotiate|digest)[ ](?P<value>[^\s\"'`,;<>(){}\\]{8,})",
         "bearer basic token apikey negotiate digest", when=conditions.authorization, flags=_I),
    rule("authorization",
         rf"\bauthorization{_Q}\s?[:=]\s?{_Q}(?:[A-Za-z][\w-]{{1,20}}[ ])?"
         r"(?P<value>[^\s\"'`,;<>(){}\\]{16,})", "authorization", when=conditions.strong, flags=_I),
    rule("cookie", rf"\b(?:set-)?cookie{_Q}:\s?{_Q}[\w.-]{{1,64}}=(?P<value>[^\s\"'\\]{{8,2000}}"
         r"(?:;\s?[\w.-]{1,64}=[^\s;\"'\\]{1,})*)", "cookie", when=conditions.cookie, flags=_I),
    rule("curl-cookie", rf"(?<=\s)(?:-b|--cookie)[ =]{_Q}[\w.-]{{1,64}}=(?P<value>[^\s\"']{{8,}})",
         "-b --cookie"),
    rule("curl-user",
         rf"(?<=\s)(?:-u|--user|--proxy-user)[ =]{_Q}(?![A-Za-z]:[\\/])[^\s:\"'\[$]{{1,64}}:"
         r"(?P<value>[^\s\"']{4,})", "-u --user --proxy-user", when=conditions.plain),
    rule("command", rf"\b(?:mysql\w{{0,8}}|mariadb)\b[^\n|]{{0,200}}?\s-p{_Q}"
         r"(?P<value>[^\s\"'-][^\s\"']{4,})", "mysql mariadb", when=conditions.plain),
    rule("command",
         r"\b(?:sshpass\s{1,4}-p|redis-cli\b[^\n|]{0,120}?\s-a|ldap\w{1,10}\b[^\n|]{0,160}?\s-w|"
         r"(?:docker|podman|helm|oras|az|oc|cf)\b[^\n|]{0,60}?\blogin\b[^\n|]{0,120}?\s-p)"
         rf"\s?{_Q}(?P<value>[^\s\"'-][^\s\"']{{3,}})",
         "sshpass login redis-cli ldap", when=conditions.plain),
    rule("command",
         rf"\bhtpasswd\s{{1,4}}-\w{{0,8}}b\w{{0,8}}\s{{1,4}}\S{{1,200}}\s{{1,4}}\S{{1,100}}\s{{1,4}}{_Q}"
         r"(?P<value>[^\s\"']{4,})", "htpasswd", when=conditions.plain),
    rule("command",
         rf"\becho\s{{1,4}}(?:-n\s)?{_Q}(?:\w{{1,32}}:)?(?P<value>[^\s\"'|]{{6,256}}){_Q}\s{{0,4}}\|"
         r"[^\n|]{0,80}?(?:--password-stdin|chpasswd|sudo -S|--with-token|--stdin)",
         "--password-stdin chpasswd sudo --with-token --stdin", when=conditions.plain),
    rule("command", r"(?<=[\s\"'])pass:(?P<value>[^\s\"']{6,})", "pass:", when=conditions.plain),
    rule("sql",
         r"\b(?:identified\s{1,4}(?:with\s\S{1,40}\s)?by|(?:with\s|set\s|encrypted\s)password)"
         r"\s{1,4}(?:password\s)?[\"'](?P<value>[^\"'\n]{4,})[\"']",
         "identified password", when=conditions.plain, flags=_I),
    rule("netrc", r"\b(?:machine|login)\s{1,4}\S{1,200}\s{1,8}password\s{1,4}(?P<value>\S{4,})",
         "machine login", when=conditions.plain),
    rule("pgpass",
         r"^[\w.*-]{1,200}:(?:\d{4,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:(?P<value>\S{6,})$",
         ":", when=conditions.plain, flags=re.MULTILINE),
    rule("command", r"\bwandb\s{1,4}login\s{1,4}(?:--\S{1,60}\s{1,4}){0,3}(?P<value>[0-9a-f]{40})",
         "wandb"),
    rule("command", r"\boperator\s{1,4}(?:unseal|rekey)\s{1,4}(?P<value>[A-Za-z0-9+/][\w+/=]{20,})",
         "operator"),
    rule("command", r"(?:\b|(?<=-D))sonar\.(?:login|token|password)\s?=\s?(?P<value>[^\s\"']{6,})",
         "sonar.", when=conditions.plain),
    rule("credential-call",
         r"(?:NetworkCredential|UsernamePasswordCredentials?|HTTPBasicAuth|DirectoryEntry)"
         r"\(\s{0,20}(?:[\"'][^\"'\n]{0,128}[\"']\s{0,4},\s{0,40}){1,2}"
         r"[\"'](?P<value>[^\"'\n]{4,256})[\"']\s{0,4}[,)]",
         "networkcredential usernamepasswordcredential httpbasicauth directoryentry",
         when=conditions.plain, spans=True),
    rule("rpc-key", r"_api_key[\"'],\s{0,20}[\"']params[\"']\s?:\s?\[\s{0,20}[\"']"
         r"(?P<value>[^\s\"']{16,512})[\"']", "_api_key", when=conditions.strong),
    rule("credential-call",
         r"(?:Credentials?|BasicAuth|basic_auth|login|\bauth)(?:\(|\s?=\s?\()\s{0,4}"
         r"[\"'][^\"'\n]{0,64}[\"']\s{0,2},\s{0,4}[\"'](?P<value>[^\"'\n]{4,256})[\"']\s{0,4}[,)]",
         "credential basicauth basic_auth login auth", when=conditions.strong),
    rule("login-pair",
         r"\b(?:log(?:ged)?[ -]?in|sign(?:ed)?[ -]?in|credentials?|creds)\b[^\n]{0,24}?"
         r"(?:\bwith|\bas|\bare|:)\s[^\s/]{1,64}\s/\s(?P<value>[^\s\"'`]{6,128})",
         "log sign cred", when=conditions.strong, flags=_I),
    rule("seed-phrase",
         r"\b(?:mnemonic|(?:seed|recovery|backup|wallet)[ _-]?(?:phrase|words?))[\"'`]?\s?"
         r"(?:is\s?|was\s?)?[:=]?\s{0,3}[\"'`(\[]?"
         r"(?P<value>(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})\b",
         "mnemonic phrase word", flags=_I),
    rule("otp-seed",
         r"(?i:\b(?:[th]?otp|2fa|mfa|authenticator)[ _-]?(?:secret|seed|key|setup)?(?:[ _-]key)?)"
         rf"{_Q}\s?(?:is\s|=|:)\s?{_Q}"
         rf"(?P<value>[A-Z2-7]{{4}}(?:[ -]?[A-Z2-7]{{4}}){{3,15}}={{0,6}})"
         r"(?![A-Za-z0-9])", "otp 2fa mfa authenticator"),
    rule("otp-seed", r"(?<=[?&]secret=)(?P<value>[A-Z2-7]{16,128})", "otpauth"),
    rule("jenkins",
         r"<(?:secret|id|password|apiToken|privateKey)>\{(?P<value>[^{}<>\n]{16,2000})\}",
         "<secret>{ <id>{ <password>{ <apitoken>{ <privatekey>{", when=conditions.mixed),
    rule("docker-auth", r"(?<=\"auth\")\s?:\s?\"(?P<value>[A-Za-z0-9+/]{8,}=*)\"", '"auth"'),
    rule("npm-auth", rf"(?<![\w.-])_auth(?:token)?\s?=\s?{_Q}(?P<value>[^\s\"'$]{{6,2000}})",
         "_auth", when=conditions.plain, flags=_I),
)  # fmt: skip
