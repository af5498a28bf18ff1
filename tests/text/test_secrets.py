"""What is called a secret, in whichever spelling and text, and what is none."""

from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from renderer.text.secrets.masks import mask_line, masked_text
from renderer.text.secrets.names import is_secret_name, may_name
from renderer.text.secrets.scan import every_given
from renderer.text.secrets.values import is_harmless
from tests.support.samples import sample

HIDDEN = "••••••"
WORDS = (
    "password", "passwd", "pwd", "passphrase", "secret", "secretkey", "secret_key", "secret-key",
    "accesskey", "access_key", "access-key", "access_key_id", "access-key-secret", "accesskeyid",
    "apikey", "api_key", "api-key", "authtoken", "auth_token", "auth-token", "accesstoken",
    "access_token", "privatekey", "private_key", "private-key", "credential", "credentials",
    "token",
)  # fmt: skip
BEFORE = ("", "db_", "my-", "oss.", "a.b-c_", "2_", "x.io/")
CAMEL = (
    "secretKey", "accessKeyId", "AccessKeyID", "AccessKeyId", "dbPassword", "apiKey",
    "x.io/dbPassword", "ossAccessKeySecret", "authToken", "privateKey", "awsCredentials", "s3Token",
    "AWS_S3SECRET", "s3Secret", "clientSecret", "OAUTH2TOKEN", "JWT2SECRET", "db2Password",
    "PGPASSWORD", "DB_PASS", "AZURE_STORAGE_KEY", "HFTOKEN", "ACCESS_TOKEN_V2", "dbpassword",
    "X-API-Key", "Authorization", "redisPassword", "LITELLM_MASTER_KEY", "GITHUB_PAT", "passWord",
    "smtpPass", "requirepass", "AWS_SECRET_ACCESS_KEY", "WANDB_API_KEY", "backendToken",
    "client-key-data", "PASSWORD_1", "API_KEY_PROD", "tokenValue", "AIRFLOW__CORE__FERNET_KEY",
)  # fmt: skip
#: Letters that are i or k to whoever does not look at the case.
ODD = ("access-\u212aey", "To\u212aen", "access_key_\u0130d", "ap\u0131_key", "credent\u0131als")
OTHERS = (
    "", "pass", "key", "keys", "tokens", "max_tokens", "tokenizer", "tokenCount", "secretflow",
    "secretflow-serving", "secrets", "secretary", "passwords", "passwordless", "compass",
    "privateKeyPath", "private_key_file", "access_key_ids", "accesskeyname", "api_keys",
    "credentialsource", "password/x", "pass word", "keyword", "monkey",
    "imagePullSecret", "kubeconfig_secret",
    "eos_token", "bosToken", "pad_token", "imageToken", "max_token", "ms_per_token", "first_pass",
    "bypass", "DB_PASSWORD_FILE", "TOKEN_PATH", "SECRET_NAME", "TOKEN_URL", "password_hash",
    "public_key", "primary_key", "cacheKey", "partition_key", "s3_key", "topologyKey", "token_type",
    "enable_api_key", "require_token", "tlsSecret", "existingSecret", "next_page_token", "path",
)  # fmt: skip


@pytest.mark.parametrize("word", WORDS)
def test_a_name_of_a_secret(word):
    for name in (before + word for before in BEFORE):
        assert is_secret_name(name), name
        assert is_secret_name(name.upper()), name
        assert is_secret_name(name.title()), name


@pytest.mark.parametrize("name", CAMEL + ODD, ids=ascii)
def test_a_name_in_another_spelling(name):
    assert is_secret_name(name)


@pytest.mark.parametrize("name", OTHERS)
def test_a_name_of_something_else(name):
    assert not is_secret_name(name)
    assert not is_secret_name(name.upper())


FORMS = {
    "yaml": "{}: hunter2",
    "in braces": "{{a: 1, {}: hunter2}}",
    "json": '{{"{}": "hunter2"}}',
    "json in json": '"{{\\"{}\\": \\"hunter2\\"}}"',
    "assignment": "{}=hunter2",
    "spaced": "{} = hunter2",
    "option": "--{}=hunter2",
    "two words": '["--{}", "hunter2"]',
    "variable": "{{name: {}, value: hunter2}}",
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_text_that_gives_a_value(form):
    for word in WORDS:
        text = form.format(word)
        assert list(every_given(text)), text
        assert "hunter2" not in mask_line(text), text
        assert HIDDEN in mask_line(text), text
        assert may_name(text), text


PIECES = (
    "pass", "word", "secret", "Secret", "access", "ap\u0131", "key", "\u212aey", "\u0130d", "token",
    "credent\u0131als", "s", "_", "-", ".", "/", "x", "name", "value", ":", "=", " ", ",", '"', "'",
    "\\", "#", "\n", "--", "|", ">",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)


@given(before=TEXTS, word=st.sampled_from(WORDS), after=TEXTS)
@settings(max_examples=120, deadline=None)
def test_a_line_that_gives_a_value_among_others(before, word, after):
    text = f"{before}\n{word}: hunter2\n{after}"
    assert may_name(text)
    assert list(every_given(text))
    assert "hunter2" not in masked_text(text)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_text_that_gives_none(form):
    for name in ("tokenizer", "max_tokens", "secretflow", "keys", "pass"):
        text = form.format(name)
        assert not list(every_given(text)), text
        assert mask_line(text) == text


PLACES = ("/conf/key.pem", "/run/secrets/token", "file:///tls/K1.key", "./k.pem", "~/k", "$(TOKEN)")
RANDOM = ("/wJalrXUtnFEMI/K7MDENG/bPx", "/a b", "$(cat", "http://a/b", "/a/b+c")


@pytest.mark.parametrize("value", PLACES)
def test_where_a_secret_is_tells_none(value):
    assert is_harmless(value)
    for text in (f"token: {value}", f"--token={value} --port=1", f'{{"token": "{value}"}}'):
        assert not list(every_given(text)), text
        assert mask_line(text) == text


@pytest.mark.parametrize("value", RANDOM)
def test_what_only_looks_like_a_place(value):
    assert not is_harmless(value)
    assert next(every_given(f"port: 1\ntoken: {value}1")).start == len("port: 1\ntoken: ")


@pytest.mark.parametrize("text", ["secretflow-serving", "tokenizer", "max_tokens", "keys", "pass"])
def test_most_texts_are_told_at_once(text):
    assert not may_name(f'{{"image": "{text}"}}')


def test_masking():
    assert mask_line("a: 1, password: x y") == f"a: 1, password: {HIDDEN}"
    assert mask_line("password: ${vars.p}, b: 1") == "password: ${vars.p}, b: 1"
    key = "-----BEGIN PRIVATE KEY-----\r\nabc\n-----END PRIVATE KEY-----\nb"
    assert masked_text(key) == f"{HIDDEN}\r\n{HIDDEN}\n{HIDDEN}\nb"


@pytest.mark.parametrize(
    "line", ["kubeconfig_secret: east", "{a: b, imagePullSecret: regcred, c: d}"]
)
def test_the_name_of_an_object_is_shown(line):
    assert mask_line(line) == line
    assert not list(every_given(line))


def test_what_follows_the_name_of_an_object_is_not():
    assert mask_line("{kubeconfig_secret: x, password: y}").endswith(HIDDEN)


HOSTILE = (
    "token: ", "password=${,", "password: x\n", "{name: password, ", "curl -u a:b ", "-eyJ", "\\",
    "password='", "Bearer ", "token=`", "- name: password\n", "://a", "sk-a", "AKIA", "_prod", "1",
)  # fmt: skip


@pytest.mark.parametrize("piece", sample(HOSTILE, "Bearer ", "1"), ids=ascii)
def test_hostile_texts_take_linear_time(piece):
    """A text of a megabyte may take seconds, but not minutes."""
    text = "password" + piece * (200_000 // len(piece))
    before = process_time()
    masked_text(text)
    list(every_given(text))
    assert process_time() - before < 4
