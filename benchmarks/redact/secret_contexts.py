"""Where secrets stand: the wordings of each context, and forms that have a secret of their own.

Even places in a list belong to the tuning split, odd ones to the split that is kept aside.
"""

# ruff: noqa: E501 - a wording is read as it stands, on one line
import base64
from collections.abc import Callable

from dice import Dice

CONTEXTS: dict[str, tuple[str, ...]] = {
    "env": ("@N=@V", "@N='@V'", '@N="@V"  # prod', "@N = @V", "@N=@V # rotate in May", '@N: "@V"'),
    "shell": ("export @N=@V", "@N=@V ./deploy.sh --now", "setx @N @V", "$env:@N = '@V'",
              'heroku config:set @N=@V -a shop', "set -gx @N @V", "declare -x @N=\"@V\"",
              "env @N=@V make test"),
    "yaml": ("@l: @V", '  @c: "@V"', "- name: @N\n  value: @V", "    - @N=@V",
             "env:\n  @N: @V\n", "  @k: '@V'  # do not share"),
    "json": ('{"@l": "@V"}', '{"env": {"@N": "@V"}}', '{"name": "@N", "value": "@V"}',
             '{"a":1,"@c":"@V","b":[2]}', r'"{\"@l\": \"@V\"}"', r'{"input": "{\"@c\":\"@V\"}"}'),
    "flag": ("deploy --@k @V --region eu", "deploy --@k=@V", "docker run -e @N=@V image",
             'tool --@k "@V"', "docker build --build-arg @N=@V .", "kubectl create secret generic app --from-literal=@k=@V"),
    "url": ("https://api.example.org/v1/items?@l=@U&page=2", "GET /v1/x?limit=5&@c=@U HTTP/1.1",
            "curl 'https://example.org/hook?@l=@U'", "wss://example.org/socket?@k=@U"),
    "header": ("Authorization: Bearer @V", "X-Api-Key: @V", "curl -H 'Authorization: token @V' https://example.org",
               "-H \"X-@K: @V\"", '{"Authorization": "Bearer @V"}', "x-auth-token: @V",
               "headers = {'X-Api-Key': '@V'}", "Proxy-Authorization: Bearer @V"),
    "prose": ("the @s is @V, use it for the tests", "Here is my @s: @V", "I rotated it, the new @s is `@V` now",
              "@s = @V (do not commit)", "set the @s to @V and restart", "my @s: \"@V\""),
    "python": ('@l = "@V"', 'os.environ["@N"] = "@V"', 'client = Client(@l="@V", timeout=3)',
               'monkeypatch.setenv("@N", "@V")', 'os.environ.setdefault("@N", "@V")', '@N: str = "@V"',
               '    "@l": "@V",', "settings.@N = '@V'"),
    "script": ("const @c = '@V';", "process.env.@N = `@V`", "  @c: '@V',", "export const @N = \"@V\"",
               "let @c: string = '@V'", "window.__@N__ = \"@V\";"),
    "compiled": ('@c := "@V"', 'private static final String @N = "@V";', 'os.Setenv("@N", "@V")',
                 'let @l: &str = "@V";', '#define @N "@V"', 'string @c = "@V";', 'const @c string = "@V"',
                 'val @c: String = "@V"'),
    "web": ("define('@N', '@V');", "'@l' => '@V',", "ENV['@N'] = '@V'", "$@l = '@V';",
            "<@c>@V</@c>", '<add key="@N" value="@V" />', "putenv('@N=@V');", "config.@l = '@V'"),
    "log": ("2026-10-19T14:22:33Z INFO  loaded @l=@V from env", 'level=debug msg="using key" @c=@V',
            "[debug] @s: @V", "DEBUG request headers: {'X-@K': '@V'}", "+ @N=@V", "time=12:01 @k=\"@V\" status=200"),
    "settings": ("[default]\n@l = @V\n", "app.@k=@V", "ENV @N @V", "ARG @N=@V", '  @l = "@V"', "spring.datasource.@k: @V",
                 "; prod\n@c=@V\n", "@N := @V"),
}  # fmt: skip


def fill(wording: str, name: str, value: str) -> str:
    """Return a wording with the name in its spelling and the value in its place."""
    words = name.lower().split("_")
    spelt = {
        "@N": name, "@l": "_".join(words), "@k": "-".join(words), "@s": " ".join(words),
        "@K": "-".join(word.title() for word in words),
        "@c": words[0] + "".join(word.title() for word in words[1:]),
        "@U": value, "@V": value,
    }  # fmt: skip
    parts = wording.split("@")
    return parts[0] + "".join(spelt["@" + part[0]] + part[1:] for part in parts[1:])


Form = Callable[[Dice], tuple[str, str]]


def _around(before: str, after: str, value: Callable[[Dice], str]) -> Form:
    def form(dice: Dice) -> tuple[str, str]:
        secret = value(dice)
        return before + secret + after, secret

    return form


def _forms(value: Callable[[Dice], str], *wordings: str) -> tuple[Form, ...]:
    parts = [wording.partition("@V") for wording in wordings]
    return tuple(_around(before, after, value) for before, _, after in parts)


def _plain(d: Dice) -> str:
    return d.alnum(d.randint(10, 20))


def _body(d: Dice) -> str:
    return "\n".join(d.b64(48) for _ in range(6)) + "\n" + d.b64(20)


def _key(kind: str, *, end: bool = True) -> Form:
    head, foot = f"-----BEGIN {kind}-----", f"-----END {kind}-----" if end else ""
    return _around(f"the key:\n{head}\n", f"\n{foot}\n", _body)


def _escaped_key(d: Dice) -> tuple[str, str]:
    body = _body(d).replace("\n", "\\n")
    head = "-----BEGIN PRIVATE" + " KEY-----"
    foot = "-----END PRIVATE" + " KEY-----"
    return f'{{"type": "service_account", "private_key": "{head}\\n{body}\\n{foot}\\n"}}', body


def _indented_key(d: Dice) -> tuple[str, str]:
    body = "\n    ".join(_body(d).split("\n"))
    return (
        "  tls.key: |\n    -----BEGIN EC PRIVATE" + f" KEY-----\n    {body}\n    -----END EC",
        body,
    )


def _encoded(d: Dice) -> str:
    return base64.b64encode(d.human().encode()).decode()


def _pair(d: Dice) -> str:
    return base64.b64encode(f"deploy:{d.human()}".encode()).decode()


def _human(d: Dice) -> str:
    return d.human()


FORMS: dict[str, tuple[Form, ...]] = {
    "connection-url": _forms(_plain, "postgres://app:@V@db.example.org/app", "DATABASE_URL=mysql://root:@V@10.0.0.5:3306/shop",
        "redis://:@V@cache:6379/0", "mongodb+srv://svc:@V@cluster0.example.net/?retryWrites=true",
        "amqp://guest1:@V@mq:5672/%2F", "git clone https://oauth2:@V@gitlab.example.org/a/b.git",
        "sqlalchemy.url = postgresql+psycopg://app:@V@db/app", "remote: https://bot:@V@git.example.org/x"),
    "connection-string": _forms(_plain, "Server=db;User Id=sa;Password=@V;Encrypt=true", "host=db user=app password=@V dbname=app",
        "jdbc:postgresql://db/app?user=app&password=@V", "Endpoint=sb://x.example.net/;SharedAccessKeyName=Root;SharedAccessKey=@V",
        "ALTER USER app WITH PASSWORD '@V';", "CREATE USER 'app'@'%' IDENTIFIED BY '@V';".replace("'@'%'", ""),
        "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=@V;", "Data Source=db;Uid=app;Pwd=@V"),
    "credentials-file": _forms(_plain, "machine api.example.org login ada password @V", "machine git.example.org\n  login ada\n  password @V\n",
        "db.example.org:5432:app:app:@V", "*:*:shop:ada:@V".replace("*:*", "localhost:5433"), "//registry.npmjs.org/:_authToken=@V", "_auth=@V",
        "[default]\naws_access_key_id = x\naws_secret_access_key = @V", "[client]\nuser=root\npassword=@V\n",
        "//npm.example.org/:_password=\"@V\"", "https://ada:@V@github.com"),
    "docker-config": _forms(_pair, '{"auths": {"ghcr.io": {"auth": "@V"}}}', '"auth": "@V"'),
    "kubernetes": _forms(_encoded, "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  password: @V\n",
        "kind: Secret\nmetadata:\n  name: x\ntype: Opaque\ndata:\n  conf.ini: @V\n", "kind: Secret\nstringData:\n  username: app\n  license: @V\n",
        "data:\n  admin: @V\nkind: Secret\n"),
    "command": _forms(_human, "mysql -u root -p'@V' shop", "sshpass -p '@V' ssh ada@host", "curl -u 'ada:@V' https://example.org",
        "PGPASSWORD='@V' psql -h db", "redis-cli -h cache -a '@V' ping", "docker login -u ada -p '@V' ghcr.io",
        "echo '@V' | docker login --username ada --password-stdin", "openssl enc -aes-256-cbc -pass 'pass:@V'",
        "htpasswd -b .htpasswd ada '@V'", "curl --user 'ada:@V' https://example.org", "echo 'root:@V' | chpasswd",
        "ldapsearch -x -D cn=admin -w '@V'", "az login --service-principal -u app -p '@V'", "wget --http-password='@V' https://example.org"),
    "basic-auth": _forms(_pair, "Authorization: Basic @V", "-H 'authorization: basic @V'", "'Authorization': 'Basic @V'",
        "Proxy-Authorization: Basic @V"),
    "cookie": _forms(_plain, "Cookie: sessionid=@V; theme=dark", "Set-Cookie: connect.sid=@V; Path=/; HttpOnly", "curl -b 'session=@V' https://example.org",
        "curl --cookie 'sid=@V' https://example.org"),
    "signed-url": _forms(lambda d: d.hex(64), "https://b.s3.amazonaws.com/a.zip?X-Amz-Date=20261019&X-Amz-Signature=@V",
        "https://shop.blob.core.windows.net/c/f?sv=2024-11-04&se=2026-12-01&sr=b&sp=r&sig=@V",
        "https://storage.googleapis.com/b/o?X-Goog-Expires=900&X-Goog-Signature=@V", "https://d.cloudfront.net/f?Expires=1&Signature=@V&Key-Pair-Id=K"),
    "private-key": (_key("RSA PRIVATE" + " KEY"), _key("OPENSSH PRIVATE" + " KEY"), _key("PRIVATE" + " KEY", end=False),
        _key("PGP PRIVATE" + " KEY BLOCK"), _escaped_key, _indented_key, _key("ENCRYPTED PRIVATE" + " KEY"), _key("DSA PRIVATE" + " KEY", end=False)),
    "said": _forms(_human, "log in with password @V please", "user ada, pw: @V", "Username: ada / Password: @V", "the wifi password's @V",
        "pass: @V", "password -> @V"),
}  # fmt: skip
