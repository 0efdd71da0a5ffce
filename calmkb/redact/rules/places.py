"""Secrets by where they are: URLs, headers, commands and credential files."""

import re

from calmkb.redact.rules import conditions
from calmkb.redact.rules.names import NAME
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
         r"(?:docker|podman|helm|oras|az|oc|cf)\b[^\n|]{0,60}?\blogin\b[^\n|]{0,120}?\s-p|"
         r"(?:(?:un)?zip|sqlcmd)\b[^\n|]{0,160}?\s-P|(?:7z[azr]?|mongo\w{0,8}|user(?:add|mod))\b"
         r"[^\n|]{0,160}?\s-p|ssh-keygen\b[^\n|]{0,120}?\s-N|openssl\s\w[^\n|]{0,120}?\s-[kK]|"
         r"net\suse[^\n]{0,120}?/user:\S{1,60}|net\suser\s\S{1,60}|sqlplus\s(?:-\w+\s){0,4}\w{1,40}/|"
         r"htpasswd\s{1,4}-\w{0,8}b\w{0,8}\s{1,4}\S{1,200}\s{1,4}\S{1,100}\s|operator\s(?:unseal|rekey)|"
         r"wandb\slogin(?:\s--\S{1,60}){0,3}|smbclient\b[^\n|]{0,120}?\s-U\s?[\"']?[\w.\\]{1,60}%)"
         rf"\s{{0,4}}{_Q}(?P<value>[^\s\"'-][^\s\"']{{3,}})",
         "sshpass login redis ldap zip sql 7z mongo user ssh-keygen openssl smb htpass operator",
         when=conditions.plain),
    rule("command",  # what is put into a store of secrets
         r"\b(?:gh|glab|kubectl|oc|az|aws|gcloud|vault|doppler|infisical)\s[^\n|]{0,120}?"
         r"(?:\bsecrets?\b|\bkv\s(?:put|patch)\b|put-parameter)[^\n|]{0,160}?"
         r"(?:\s(?:-b|--body|--value|--secret-string)[ =]|(?:\s|--from-literal=)[\w.-]{1,60}=)"
         rf"{_Q}(?P<value>[^\s\"']{{6,}})", "secret kv put-parameter", when=conditions.strong),
    rule("command",
         rf"\b(?:echo|printf)\s{{1,4}}(?:-n\s|'%s(?:\\n)?'\s)?{_Q}(?:\w{{1,32}}:)?"
         rf"(?P<value>[^\s\"'|]{{6,256}}){_Q}\s{{0,4}}(?:(?P<sign>\|)[^\n|]{{0,80}}?(?:--password-stdin|"
         r"chpasswd|sudo -S|--with-token|--stdin|secrets? (?:set|put))|"
         rf">{{1,2}}\s{{0,4}}[\w./~-]{{0,80}}?{NAME})",
         "echo printf", when=conditions.valued, flags=_I),
    rule("command", r"(?<=[\s\"'])pass:(?P<value>[^\s\"']{6,})", "pass:", when=conditions.plain),
    rule("sql",
         r"\b(?:identified\s{1,4}(?:with\s\S{1,40}\s)?by|(?:with\s|set\s|encrypted\s)password|"
         r"set\spassword\sfor\s[^\n=]{1,80}=)\s{1,4}(?:password\s)?[\"'](?P<value>[^\"'\n]{4,})[\"']",
         "identified password", when=conditions.plain, flags=_I),
    rule("netrc", r"\b(?:machine|login)\s{1,4}\S{1,200}\s{1,8}password\s{1,4}(?P<value>\S{4,})",
         "machine login", when=conditions.plain),
    rule("pgpass",
         r"^[\w.*-]{1,200}:(?:\d{4,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:(?P<value>\S{6,})$",
         ":", when=conditions.plain, flags=re.MULTILINE),
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
         rf"{_Q}\s?(?:is\s|=|:|\s)\s?{_Q}"
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
