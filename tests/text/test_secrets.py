"""What is called a secret and what has the shape of one: each is seen, and nothing else is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from renderer import check
from renderer.text import secrets
from tests.support.memory import project
from tests.support.repositories import RISK, SERVING, SMALL

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
)  # fmt: skip
#: Letters that are i or k to whoever does not look at the case.
ODD = ("access-\u212aey", "To\u212aen", "access_key_\u0130d", "ap\u0131_key", "credent\u0131als")
OTHERS = (
    "", "pass", "key", "keys", "tokens", "max_tokens", "tokenizer", "tokenCount", "secretflow",
    "secretflow-serving", "secrets", "secretary", "passwords", "passwordless", "compass",
    "privateKeyPath", "private_key_file", "access_key_ids", "accesskeyname", "api_keys",
    "xpassword", "dbpassword", "credentialsource", "password/x", "pass word", "keyword", "monkey",
    "imagePullSecret", "kubeconfig_secret",
)  # fmt: skip


@pytest.mark.parametrize("word", WORDS)
def test_a_name_of_a_secret(word):
    for name in (before + word for before in BEFORE):
        assert secrets.is_secret_name(name), name
        assert secrets.is_secret_name(name.upper()), name
        assert secrets.is_secret_name(name.title()), name


@pytest.mark.parametrize("name", CAMEL + ODD, ids=ascii)
def test_a_name_in_another_spelling(name):
    assert secrets.is_secret_name(name)


@pytest.mark.parametrize("name", OTHERS)
def test_a_name_of_something_else(name):
    assert not secrets.is_secret_name(name)
    assert not secrets.is_secret_name(name.upper())


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
        assert secrets.assigned_secret(text) is not None, text
        assert "hunter2" not in secrets.masked(text), text
        assert HIDDEN in secrets.masked(text), text
        assert secrets.may_name(text), text


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
    assert secrets.may_name(text)
    assert secrets.assigned_secret(text) is not None
    assert "hunter2" not in secrets.masked_text(text)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_text_that_gives_none(form):
    for name in ("tokenizer", "max_tokens", "secretflow", "keys", "pass"):
        text = form.format(name)
        assert secrets.assigned_secret(text) is None, text
        assert secrets.masked(text) == text


PLACES = ("/conf/key.pem", "/run/secrets/token", "file:///tls/K1.key", "./k.pem", "~/k", "$(TOKEN)")
RANDOM = ("/wJalrXUtnFEMI/K7MDENG/bPx", "/a b", "$(cat", "http://a/b", "/a/b+c")


@pytest.mark.parametrize("value", PLACES)
def test_where_a_secret_is_tells_none(value):
    assert secrets.is_harmless(value)
    for text in (f"token: {value}", f"--token={value} --port=1", f'{{"token": "{value}"}}'):
        assert secrets.assigned_secret(text) is None, text
        assert secrets.masked(text) == text


@pytest.mark.parametrize("value", RANDOM)
def test_what_only_looks_like_a_place(value):
    assert not secrets.is_harmless(value)
    assert secrets.assigned_secret(f"port: 1\ntoken: {value}1") == len("port: 1\ntoken: ")


@pytest.mark.parametrize("text", ["secretflow-serving", "tokenizer", "max_tokens", "keys", "pass"])
def test_most_texts_are_told_at_once(text):
    assert not secrets.may_name(f'{{"image": "{text}"}}')


LETTERS = "Ab0cD1eF2gH3iJ4kL5mN6oP7qR8sT9uVwXyZ"
CAPITALS = "A0B1C2D3E4F5G6H7"
#: Of every shape an example for each way to write it.
SHAPES = {
    "a private key": ["-----BEGIN PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY----- MIIE"],
    "a password in an address": ["://user:hunter2@", "://a:b@"],
    "an AWS access key": [f"AKIA{CAPITALS}", f"ASIA{CAPITALS}"],
    "an Alibaba Cloud access key": [f"LTAI{LETTERS[:12]}", f"LTAI{LETTERS[:26]}"],
    "a GitHub token": [
        *(f"gh{kind}_{LETTERS}" for kind in "pousr"),
        f"github_pat_{LETTERS[:22]}",
        f"github_pat_{LETTERS[:11]}_{LETTERS[:11]}",
    ],
    "a GitLab token": [f"glpat-{LETTERS[:20]}", f"glpat-a_b-{LETTERS[:16]}"],
    "a Slack token": [f"xox{kind}-1234567890-a" for kind in "abprs"],
    "a Google API key": [f"AIza{LETTERS[:35]}", f"AIza-_{LETTERS[:33]}"],
    "a JSON web token": ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVP"],
}
EXAMPLES = [
    pytest.param(shape, example, id=f"{shape}-{number}")
    for shape, examples in SHAPES.items()
    for number, example in enumerate(examples)
]


def test_every_shape_has_examples():
    assert sorted(SHAPES) == sorted(shape.name for shape in secrets._SHAPES)


@pytest.mark.parametrize(("shape", "example"), EXAMPLES)
def test_a_shape_is_masked(shape, example):
    assert secrets.shape_of(f"see {example} there") == shape
    shown = HIDDEN if shape == "a private key" else f"{HIDDEN} there"
    assert secrets.masked(f"see {example} there") == f"see {shown}"
    assert example not in secrets.masked_text(f"a: 1\nb: see {example} there\n")
    assert secrets.hidden({"note": [example]}) == {"note": [HIDDEN]}


@pytest.mark.parametrize(("shape", "example"), EXAMPLES)
def test_a_shape_is_reported(shape, example):
    """Though nothing else in the file has one."""
    text = SERVING + f'annotations: {{note: "see {example} there"}}\n'
    (found,) = check(project({**SMALL, RISK: text}))
    assert (found.code, found.line, found.column) == ("SEC002", 7, 21)
    assert found.message == f"annotations.note contains {shape}"
    assert example not in found.message + found.why + found.fix


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN PUBLIC KEY-----", "-----BEGIN CERTIFICATE-----", "http://host:80/a@b",
        "://${USER}:${PASSWORD}@host", "://user:{{.PASSWORD}}@host", "://user:<password>@host",
        "AKIA123", f"XAKIA{CAPITALS}", f"AKIA{CAPITALS}9", "LTAI123", "ghp_short", "ghx_" + LETTERS,
        "github_pat_short", "glpat-short", "xoxz-1234567890-a", "AIzaShort", "eyJhbGciOiJIUzI1NiJ9",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_shape(text):
    assert secrets.shape_of(text) == ""
    assert secrets.masked(text) == text


def test_masking():
    assert secrets.masked("a: 1, password: x y") == f"a: 1, password: {HIDDEN}"
    assert secrets.masked("password: ${vars.p}, b: 1") == "password: ${vars.p}, b: 1"
    key = "-----BEGIN PRIVATE KEY-----\r\nabc\n-----END PRIVATE KEY-----\nb"
    assert secrets.masked_text(key) == f"{HIDDEN}\r\n{HIDDEN}\n{HIDDEN}\nb"


@pytest.mark.parametrize("shape", secrets._SHAPES, ids=lambda shape: shape.name)
@given(st.data())
def test_every_match_of_a_shape_contains_one_of_its_parts(shape, data):
    text = data.draw(st.from_regex(shape.pattern))
    assert any(part in text for part in shape.parts)


@pytest.mark.parametrize(
    "line", ["kubeconfig_secret: east", "{a: b, imagePullSecret: regcred, c: d}"]
)
def test_the_name_of_an_object_is_shown(line):
    assert secrets.masked(line) == line
    assert secrets.assigned_secret(line) is None


def test_what_follows_the_name_of_an_object_is_not():
    assert secrets.masked("{kubeconfig_secret: x, password: y}").endswith(secrets.HIDDEN)
