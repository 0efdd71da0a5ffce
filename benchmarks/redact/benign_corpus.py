"""Lines that look like secrets and are none: what a filter must hand back to the letter."""

# ruff: noqa: E501 - a wording is read as it stands, on one line
import base64

from dice import Dice
from secret_corpus import TUNING

# Even places belong to the tuning split, odd ones to the split that is kept aside.
PLAIN = r"""
password = os.environ["DB_PASSWORD"]
token = os.getenv("GITHUB_TOKEN", "")
api_key: str = Field(...)
def login(user: str, password: str, token: str | None = None) -> Session:
    def __init__(self, api_key: Optional[str] = None, secret: bytes = b""):
the token: expired tokens are refused
the secret: to begin early
password: required
PASSWORD=<your password>
API_KEY=your-api-key-here
token=${{ secrets.GITHUB_TOKEN }}
GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}
DB_PASSWORD=${DB_PASSWORD:?set it first}
export TOKEN=$(gh auth token)
password = getpass.getpass("Password: ")
token := r.Header.Get("Authorization")
const token = await getToken(user.id);
if (password !== confirmPassword) {
if token == "":
assert response.json()["token"] == token
user.password = hash_password(password)
return {"token": create_token(user), "expires": 3600}
max_tokens=100000
"max_tokens": 4096,
total_tokens: 1283921, cached tokens: 990112
input_tokens=123456 output_tokens=98765
tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
tokenizer: BertTokenizerFast
pad_token_id = 50256
special_tokens_map.json
secretKeyRef: {name: db, key: password}
secretName: storefront-tls
imagePullSecrets: [{name: regcred}]
secrets: inherit
password_file: /run/secrets/db_password
POSTGRES_PASSWORD_FILE=/run/secrets/postgres
--password-file ~/.config/app/password
--token-file=/var/run/token
credentials: ~/.aws/credentials
GOOGLE_APPLICATION_CREDENTIALS=/etc/gcp/service-account.json
private_key_path = "~/.ssh/id_ed25519"
ssl_certificate_key /etc/nginx/certs/site.key;
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
Authorization: Bearer ${token}
curl -H "Authorization: Bearer $GITHUB_TOKEN" https://api.github.com/user
curl -u "$USER:$PASSWORD" https://example.org
curl -u user:password https://example.org/docs
postgres://user:password@localhost:5432/app
postgresql://$DB_USER:$DB_PASS@db/app
mysql://root:${MYSQL_ROOT_PASSWORD}@db
redis://localhost:6379/0
https://example.org/a@b/c:d
git@github.com:ada/storefront.git
ssh://git@gitlab.example.org:2222/a/b.git
mysql -u root -p shop
docker login -u "$USER" --password-stdin ghcr.io
sshpass -e ssh ada@example.org
the password is checked twice
your password is wrong, try again
The api key is missing from the request
token is required
invalid token: unexpected end of input
SyntaxError: Unexpected token: punc (})
JSONDecodeError: unexpected token } in JSON at position 17
error: invalid credentials: login failed
warning: password authentication failed for user "app"
FATAL:  password authentication failed for user "postgres"
token expired at 2026-10-19T14:22:33Z
session token: refreshed
AccessTokenExpired: token has expired
test_password_reset_sends_mail PASSED
tests/test_token.py::test_token_is_refreshed_before_it_expires PASSED
tests/auth/test_secret_rotation.py::TestRotate::test_old_secret_refused[sha256-32] FAILED
def test_wrong_password_is_refused(client, make_user):
it("rejects an expired token", async () => {
describe('password strength', () => {
SECRET_KEY = env("SECRET_KEY")
SECRET_KEY = config("SECRET_KEY", default="insecure")
secret_key = settings.SECRET_KEY
app.config["SECRET_KEY"] = os.urandom(32)
client_secret=self._client_secret,
password=password, token=token, api_key=api_key
login(username=username, password=user_password)
const { token, secret, password } = req.body;
type Props = { token: string; password?: string; apiKey: ApiKey };
interface Credentials { accessToken: string; refreshToken: string | null }
private String password;
@Value("${app.secret}") private String secret;
password: "{{ vault_db_password }}"
db_password: !vault |
token: !Ref GithubToken
password = var.db_password
secret_id = aws_secretsmanager_secret.db.id
secret_arn = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf"
token = "op://vault/github/token"
data "vault_generic_secret" "db" { path = "secret/db" }
password=******** user=app
Password: ••••••••
token=xxxxxxxxxxxxxxxx
api_key = "XXXXXXXXXXXXXXXX"
api_key = "..."
password = "changeme"
PASSWORD = "example"
"password": null,
"password": "",
"token": true,
password=None
<input type="password" name="password" placeholder="Password" autocomplete="current-password">
<label for="token">Token</label>
<PasswordField label={t("password")} value={password} />
.password-input { color: #3b5998; }
input[type=password]:focus { outline: 2px solid #1a73e8 }
grep -rn "password" src/ | head -20
rg 'token\s*=' --type py
sed -i 's/password/passphrase/g' docs/*.md
git log -S'api_key' --oneline
kubectl get secret db -o jsonpath='{.data.password}' | base64 -d
aws secretsmanager get-secret-value --secret-id prod/db
gh secret set NPM_TOKEN < token.txt
vault kv get -field=password secret/db
ssh-keygen -t ed25519 -C ada@example.org
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl ada
-----BEGIN PUBLIC KEY-----
-----BEGIN CERTIFICATE-----
Use a password manager; never put a token into a commit.
Passwords are hashed with argon2id before they are stored.
Set the `API_KEY` environment variable, or pass `--api-key`.
The `--token` flag takes precedence over GITHUB_TOKEN.
| `token` | string | yes | the access token of the user |
- `secret`: a string of at least 32 characters
"secret" is a reserved word: choose another name
basic usage: see README.md
Basic authentication is turned off
the bearer of this message
bearer token missing
cookie: the banner hides it
Cookie settings: accept all
monkeypatch.delenv("GITHUB_TOKEN", raising=False)
os.environ.pop("API_KEY", None)
password := flag.String("password", "", "the password")
token, err := jwt.Parse(raw, keyFunc)
let secret = std::env::var("APP_SECRET")?;
String token = request.getHeader("X-Auth-Token");
X-Auth-Token: {token}
headers["X-Api-Key"] = api_key
logger.info("token: %s", mask(token))
print(f"token={token!r}")
console.log(`password: ${password.length} characters`)
puts "token: #{token}"
Token: {{ .Values.token }}
auth.token = process.env.NPM_TOKEN
//registry.npmjs.org/:_authToken=${NPM_TOKEN}
machine api.example.org login ada password $PASSWORD
passwd: password updated successfully
pwd: /srv/storefront/app
PWD=/srv/storefront/app
OLDPWD=/srv/storefront
passphrase: not set
Enter passphrase for key '/srv/keys/id_rsa':
mypassword123 is a bad idea for the docs heading
primary_key=True, unique_key="name"
cache_key = f"user:{user_id}:profile"
partition_key: created_at
key: value
keyboard: de-latin1
foreign_key :user_id
SSH_AUTH_SOCK=/tmp/ssh-XXXX/agent.12
sort_key="created_at"
tokens.css, token-list.tsx, secret-santa.md
secret_santa = assign_pairs(people)
the Secret Garden: chapter 12
credential helper: osxkeychain
git config credential.helper store
pip install keyring secretstorage
from django.contrib.auth.hashers import make_password, check_password
import { useToken } from "./hooks/useToken";
require("./config/secrets.json")
src/auth/token.ts:42:13 - error TS2345: Argument of type 'string | undefined'
app/secrets.py:12: error: Incompatible types in assignment  [assignment]
  File "/usr/lib/python3/dist-packages/secretstorage/util.py", line 46, in <module>
src/password.go:12:5: undefined: Hash
""".strip("\n").split("\n")


def _digest_line(d: Dice) -> list[str]:
    b64 = base64.b64encode
    words = d.choice(
        ("the quick brown fox jumps", "hello wide world again", "lorem ipsum dolor sit")
    )
    return [
        f"commit {d.hex(40)}", f"{d.hex(40)} refs/heads/main", f"merge {d.hex(7)}..{d.hex(7)}",
        f"index {d.hex(7)}..{d.hex(7)} 100644", f"100644 blob {d.hex(40)}\tsrc/token.py",
        f"id: {d.uuid()}", f'"session_id": "{d.uuid()}"', f"/projects/{d.uuid()}.jsonl",
        f"sha256:{d.hex(64)}", f"image@sha256:{d.hex(64)}", f"{d.hex(64)}  dist/app.tar.gz",
        f'"integrity": "sha512-{b64(d.randbytes(64)).decode()}",',
        f"    resolution: {{integrity: sha512-{b64(d.randbytes(64)).decode()}}}",
        f'checksum = "{d.hex(64)}"', f"h1:{b64(d.randbytes(32)).decode()}",
        f"golang.org/x/crypto v0.31.0 h1:{b64(d.randbytes(32)).decode()}",
        f"--hash=sha256:{d.hex(64)} \\", f'{{file = "a.whl", hash = "sha256:{d.hex(64)}"}},',
        f"etag: W/\"{d.hex(32)}\"", f"md5 {d.hex(32)}", f"x-request-id: {d.uuid()}",
        f"https://example.org/issues/{d.randint(10**5, 10**7)}?utm={d.hex(12)}",
        f"https://docs.example.org/d/{d.alnum(44)}/edit", f"https://youtu.be/{d.alnum(11)}",
        f"data:image/png;base64,{b64(d.randbytes(90)).decode()}",
        f"echo {b64(words.encode()).decode()} | base64 -d", f"ref: {d.hex(40)}",
        f"rev: v{d.randint(1, 9)}.{d.randint(0, 20)}.{d.randint(0, 9)}", f"pnpm@{d.randint(8, 10)}.1.{d.randint(0, 9)}+sha512.{d.hex(128)}",
        f"0x{d.hex(16)} in main ()", f"[{d.hex(8)}] started in {d.randint(10, 900)} ms",
        f"Traceback id {d.hex(16)}", f"span_id={d.hex(16)} trace_id={d.hex(32)}",
        f"uses: actions/checkout@{d.hex(40)}", f"app-{d.hex(8)}.js  {d.randint(10, 900)} kB",
        f"2026-10-{d.randint(10, 28)}T14:22:33.{d.randint(100, 999)}Z", f"build {d.randint(10**9, 10**10)} passed",
        f'"digest": "{d.hex(64)}"', f"node_modules/.cache/{d.hex(32)}.json", f"fingerprint SHA256:{b64(d.randbytes(32)).decode()[:43]}",
        f'"request_id": "req_{d.alnum(24)}"', f'"id": "msg_{d.alnum(24)}"', f'"tool_use_id": "toolu_{d.alnum(24)}"',
        f"color: #{d.hex(6)}", f"docker run {d.hex(12)}", f"subnet-{d.hex(17)}", f"i-0{d.hex(16)} running",
        f'"uuid":"{d.uuid()}","parentUuid":"{d.uuid()}"', f"cache_key: linux-{d.hex(64)}", f"restore-keys: npm-{d.hex(40)}",
    ]  # fmt: skip


def benign(seed: int) -> list[str]:
    """Return at least 200 lines of one split; the two splits together hold more than 400."""
    half = 0 if seed == TUNING else 1
    dice = Dice(seed + 1)
    lines = [line for line in PLAIN[half::2] if line.strip()]
    for _ in range(14):
        lines += _digest_line(dice)[half::2]
    return lines
