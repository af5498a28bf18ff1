"""What has the shape of a secret: each is seen, and nothing else is."""

import re

from hypothesis import strategies as st

from renderer import check
from renderer.text.secrets.files import shown_files
from renderer.text.secrets.masks import HIDDEN, hidden, mask_line, masked_sentence, masked_text
from renderer.text.secrets.shapes import SHAPES, shapes_in
from renderer.text.secrets.values import is_secret
from renderer.values.diagnostics import FIRST_VERSION, Diagnostic, Severity
from tests.support.memory import project
from tests.support.repositories import RISK, SERVING, SMALL
from tests.support.samples import tried

LETTERS = "Ab0cD1eF2gH3iJ4kL5mN6oP7qR8sT9uVwXyZ"
LONG = LETTERS * 5
CAPITALS = "A0B1C2D3E4F5G6H7"
HEX = "0a1b2c3d4e5f6789" * 10
UUID = "0a1b2c3d-4e5f-6789-0a1b-2c3d4e5f6789"
#: Of every shape an example for each way to write it.
EXAMPLES = {
    "a private key": ["-----BEGIN PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY----- MIIE"],
    "a PuTTY key": ["PuTTY-User-Key-File-2"],
    "a password in an address": ["user:hunter2@", "a:b@"],
    "a password in an address without a user": [":hunter2@"],
    "a signature in an address": [f"?sig={LETTERS}", f"&X-Amz-Signature={HEX}", f"?code={LETTERS}"],
    "the address of a webhook": [
        f"hooks.slack.com/services/T{CAPITALS}/B{CAPITALS}/{LETTERS}",
        f"discord.com/api/webhooks/{'1' * 18}/{LONG[:68]}",
        f"webhook.office.com/webhookb2/{UUID}@{UUID}/IncomingWebhook/{HEX[:32]}/{UUID}",
        f".logic.azure.com:443/workflows/{HEX[:32]}/triggers/manual",
        f"open.feishu.cn/open-apis/bot/v2/hook/{UUID}",
        f"qyapi.weixin.qq.com/cgi-bin/webhook/send?key={UUID}",
        "hooks.zapier.com/hooks/catch/1234567/abcdefg",
    ],
    "an AWS access key": [f"AKIA{CAPITALS}", f"ASIA{CAPITALS}"],
    "an Amazon Bedrock key": [f"ABSK{LONG[:130]}", f"bedrock-api-key-{LETTERS}"],
    "an Alibaba Cloud access key": [f"LTAI{LETTERS[:12]}", f"LTAI{LETTERS[:26]}"],
    "a Tencent Cloud key": [f"AKID{LETTERS[:32]}"],
    "a GitHub token": [
        *(f"gh{kind}_{LETTERS}" for kind in "pousr"),
        f"github_pat_{LETTERS[:22]}",
        f"github_pat_{LETTERS[:11]}_{LETTERS[:11]}",
    ],
    "a GitLab token": [f"glpat-{LETTERS[:20]}", f"glpat-a_b-{LETTERS[:16]}"],
    "a GitLab token of another kind": [
        *(f"gl{kind}-{LETTERS}" for kind in ("dt", "rt", "cbt", "ptt", "agent", "soat")),
        f"GR1348941{LETTERS}",
    ],
    "a Slack token": [f"xox{kind}-1234567890-a" for kind in "abprs"],
    "a Slack token of another kind": [f"xoxe-1-{LETTERS}", f"xapp-1-{CAPITALS}-123-{HEX}"],
    "a Google API key": [f"AIza{LETTERS[:35]}", f"AIza-_{LETTERS[:33]}"],
    "a Google token": [f"GOCSPX-{LETTERS[:28]}", f"ya29.{LETTERS}"],
    "a JSON web token": ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVP"],
    "a JSON web token that is not signed": ["eyJhbGciOiJub25lIn0.eyJzdWIiOiIxMjM0In0."],
    "a key of a model service": [f"sk-{LETTERS}", f"sk-proj-{LONG[:74]}", f"sk-ant-api03-{LONG}"],
    "an NVIDIA key": [f"nvapi-{LONG[:64]}"],
    "a Hugging Face token": [f"hf_{LETTERS[:34]}", f"api_org_{LETTERS[:34]}"],
    "a Groq key": [f"gsk_{LONG[:52]}"],
    "an xAI key": [f"xai-{LONG[:80]}"],
    "a Perplexity key": [f"pplx-{LONG[:48]}"],
    "a Replicate token": [f"r8_{LONG[:37]}"],
    "a LangSmith key": [f"lsv2_pt_{HEX[:32]}_{HEX[:10]}"],
    "a Pinecone key": [f"pcsk_{LONG[:60]}"],
    "a Together key": [f"tgp_v1_{LETTERS}"],
    "a Weights & Biases key": [f"wandb_v1_{LETTERS}"],
    "the credentials of a header": [f"Bearer {LETTERS}", "Basic dXNlcjpodW50ZXIy"],
    "a Databricks token": [f"dapi{HEX[:32]}", f"dapi{HEX[:32]}-2"],
    "a secret of an Azure application": [f"aB18Q~{LETTERS[:34]}"],
    "a DigitalOcean token": [f"dop_v1_{HEX[:64]}"],
    "a Docker token": [f"dckr_pat_{LETTERS[:27]}"],
    "an npm token": [f"npm_{LETTERS}"],
    "a PyPI token": [f"pypi-AgEIcHlwaS5vcmc{LONG}"],
    "a RubyGems key": [f"rubygems_{HEX[:48]}"],
    "a Stripe key": [f"{kind}_{LETTERS[:24]}" for kind in ("sk_live", "rk_test")],
    "a Square token": [f"sq0atp-{LETTERS[:22]}"],
    "a Shopify token": [f"shpat_{HEX[:32]}"],
    "a Twilio key": [f"SK{HEX[:32]}"],
    "a SendGrid key": [f"SG.{LETTERS[:22]}.{LONG[:43]}"],
    "a Mailgun key": [f"key-{HEX[:32]}"],
    "a Mailchimp key": [f"{HEX[:32]}-us12"],
    "a Brevo key": [f"xkeysib-{HEX[:64]}-{LETTERS[:16]}"],
    "a Telegram token": [f"123456789:A{LETTERS[:34]}"],
    "a Grafana token": [f"glsa_{LETTERS[:32]}_{HEX[:8]}"],
    "a Grafana key": [f"eyJrIjoi{LONG[:80]}"],
    "a New Relic key": [f"NRAK-{CAPITALS}{CAPITALS[:11]}"],
    "a Dynatrace token": [f"dt0c01.{LETTERS[:24]}.{LONG[:64]}"],
    "a Sentry token": [f"sntryu_{HEX[:64]}", f"sntrys_{LONG[:90]}"],
    "a Sourcegraph token": [f"sgp_{HEX[:40]}"],
    "a SonarQube token": [f"squ_{HEX[:40]}"],
    "a Vault token": [f"hvs.{LONG[:90]}"],
    "a Terraform token": [f"{LETTERS[:14]}.atlasv1.{LONG[:67]}"],
    "an Artifactory key": [f"AKCp{LONG[:69]}"],
    "an Artifactory token": [f"cmVmd{LONG[:59]}"],
    "an Atlassian token": [f"ATATT3{LONG[:180]}"],
    "an age key": [f"AGE-SECRET-KEY-1{(CAPITALS * 4)[:58]}"],
    "a 1Password token": [f"ops_eyJ{LONG[:100]}"],
    "a 1Password key": ["A3-A0B1C2-D3E4F5-G6H7A-0B1C2-D3E4F-5G6H7"],
    "an OpenShift token": [f"sha256~{LONG[:43]}"],
    "a Fly.io token": [f"fo1_{LONG[:43]}", f"fm2_{LONG[:90]}"],
    "a Heroku key": [f"HRKU-{UUID}"],
    "a Pulumi token": [f"pul-{HEX[:40]}"],
    "a Postman key": [f"PMAK-{HEX[:24]}-{HEX[:34]}"],
    "a Linear key": [f"lin_api_{LONG[:40]}"],
    "a Prefect key": [f"pnu_{LETTERS}"],
    "a Notion token": [f"ntn_{LONG[:46]}"],
    "a Figma token": [f"figd_{LONG[:40]}"],
    "a PlanetScale key": [f"pscale_tkn_{LETTERS}"],
    "a Supabase key": [f"sbp_{HEX[:40]}"],
    "a Doppler token": [f"dp.pt.{LONG[:43]}"],
    "an Airtable token": [f"pat{LETTERS[:14]}.{HEX[:64]}"],
    "a Cloudflare key": [f"v1.0-{HEX[:24]}-{HEX[:146]}"],
    "a Yandex Cloud key": [f"AQVN{LETTERS[:35]}"],
}
ROWS = [(shape, example) for shape, examples in EXAMPLES.items() for example in examples]
OTHERS = (
    "-----BEGIN PUBLIC KEY-----", "-----BEGIN CERTIFICATE-----", "http://host:80/a@b",
    "://${USER}:${PASSWORD}@host", "://user:{{.PASSWORD}}@host", "://user:<password>@host",
    "AKIA123", f"XAKIA{CAPITALS}", f"AKIA{CAPITALS}9", "LTAI123", "ghp_short", "ghx_" + LETTERS,
    "github_pat_short", "glpat-short", "xoxz-1234567890-a", "AIzaShort", "eyJhbGciOiJIUzI1NiJ9",
    "sk-learn-model-server-for-tabular-data", "hf_model_cache", "hf-mirror-of-meta-llama-models",
    "npm_config_cache", "task-1234567890-abcdefghijklmnopqrst", f"sha256:{HEX[:64]}", "SK1234",
    "registry.example.com/key-value-store:v1", "https://host/x?sig=$(SIG)", "http://h/?key=short",
    "https://discord.com/channels/1234567890", "v1.0-alpha", "pattern.example.com", "glc_cache",
    "Bearer authentication", "Basic authentication", "basic authentication2 is used",
    "https://h/?key=public-maps-directory-name", "https://h/?code=authorization_code_grant",
    "sk-learn-model-server-for-tabular-data-2", "https://h/?key=llama-3-8b-instruct-v2",
)  # fmt: skip


#: What keys and tokens are called that are no secrets, with values that people choose.
CHOSEN = {
    "SERVICE_KEY": "recommender", "SESSION_KEY": "user_id", "APP_KEY": "iris",
    "APPLICATION_KEY": "fraud-scoring-v2", "DEPLOYMENT_KEY": "blue", "ACCOUNT_KEY": "account_id",
    "SHARED_KEY": "user", "STORAGE_KEY": "models/llama-3-8b/v12", "GOOGLE_KEY": "blue",
    "signatureKey": "serving_default", "AZURE_STORAGE_KEY": "modelStore2024", "SPLIT_TOKEN": ",",
    "JOIN_TOKEN": ";", "LINE_TOKEN": "-->",
    "ENCRYPTION_KEY": "projects/p/locations/l/keyRings/r/cryptoKeys/k",
}  # fmt: skip
SECRET = {
    "AZURE_STORAGE_KEY": f"{LONG[:40]}+/{LONG[:44]}==", "SERVICE_KEY": HEX[:32], "APP_KEY": UUID,
    "SHARED_KEY": "c4n4ry-5", "API_KEY": "recommender", "SECRET_KEY": "blue", "DB_PASSWORD": "abc",
    "AUTH_TOKEN": "abc", "SERVICE_ACCESS_KEY": "blue", "APP_KEY_SECRET": "blue",
    "ENCRYPTION_KEY": "projects/p/x",
}  # fmt: skip


def test_a_vague_name_is_a_secrets_if_its_value_looks_random():
    for name, value in CHOSEN.items():
        assert not is_secret(name, value), name
        assert mask_line(f'{name}: "{value}"') == f'{name}: "{value}"'
    for name, value in SECRET.items():
        assert is_secret(name, value), name
        assert value not in mask_line(f'{name}: "{value}"'), name


MESSAGES = (
    "the words 'echo 1; redis-cli -a c4n4ry-1 ping' are several",
    "run --token c4n4ry-1 is no path, but a command",
    "token: expected a text, found a list",
    "write nvapi-c4n4ry-1c4n4ry-1c4n4ry-1 as $(KEY)",
)


def test_a_message_is_whole_but_for_secrets():
    for message in MESSAGES:
        expected = re.sub(r"(?:nvapi-)?(?:c4n4ry-1)+", HIDDEN, message)
        assert masked_sentence(message) == expected


LINE = "env: {API_KEY: c4n4ry-1, N: 3, TEXT: 'DB_PASSWORD=c4n4ry-2 run', PIN_PASSWORD: 77777}\n"
NESTED = f"text: |\n  {LINE}"


def test_a_finding_beside_a_secret_keeps_its_message():
    """By its own place, wherever else on the line secrets are, also in a text of YAML."""
    shown = shown_files({"a.yaml": LINE, "b.yaml": NESTED, "c.yaml": "x: [\n" + LINE})
    message = "c4n4ry-1, c4n4ry-2 and 3 are odd"
    for file, line, before in (("a.yaml", 1, 0), ("b.yaml", 2, 2)):
        for part, is_secret_place in (
            ("env", False), ("c4n4ry-1", True), ("N:", False), ("3,", False), ("TEXT", False),
            ("c4n4ry-2", True), ("PIN", False), ("77777", True),
        ):  # fmt: skip
            column = LINE.index(part) + 1 + before
            item = Diagnostic(file, line, column, "X", Severity.ERROR, message, fix="write 3")
            (told,) = shown.findings([item])
            whole = f"{HIDDEN}, {HIDDEN} and 3 are odd", "write 3"
            assert ((told.message, told.fix) != whole) is is_secret_place, (file, part, told)
            assert "c4n4ry" not in told.message
    unread = Diagnostic("c.yaml", 2, LINE.index("3,") + 1, "X", Severity.ERROR, "3 is odd")
    assert "3" not in shown.findings([unread])[0].message


def test_every_shape_has_examples():
    assert sorted(EXAMPLES) == sorted(shape.name for shape in SHAPES)


def test_a_shape_is_masked():
    for shape, example in ROWS:
        before = "://" if "address with" in shape or shape == "a password in an address" else "see "
        names = [found.shape.name for found in shapes_in(f"{before}{example} there")]
        assert names[0] == shape, (shape, names)
        shown = HIDDEN if shape == "a private key" else f"{HIDDEN} there"
        assert mask_line(f"{before}{example} there") == f"{before}{shown}", example
        assert example not in masked_text(f"a: 1\nb: {before}{example} there\n"), example
        assert hidden({"note": [f"{before}{example}"]}) == {"note": [f"{before}{HIDDEN}"]}, example


def test_a_shape_is_reported():
    """Each at its column, and as new if the first version did not know it."""
    rows = [row for row in ROWS if "password in an address" not in row[0]]
    lines = [f'  n{number}: "see {example} there"\n' for number, (_, example) in enumerate(rows)]
    found = check(project({**SMALL, RISK: f"{SERVING}annotations:\n{''.join(lines)}"}))
    first = {shape.name for shape in SHAPES if shape.since == FIRST_VERSION}
    expected = [
        ("SEC002", 8 + number, f"annotations.n{number} contains {shape}", shape in first)
        for number, (shape, _) in enumerate(rows)
    ]
    told = [(i.code, i.line, i.message, i.since == FIRST_VERSION) for i in found]
    assert [item for item in told if item[0] == "SEC002"] == expected
    assert all(item.column == len('  n1: "see ') + (item.line > 17) + 1 for item in found[:20])
    assert not any(example in item.message + item.fix for item in found for _, example in rows)


def test_what_only_looks_like_a_shape():
    for text in OTHERS:
        assert not list(shapes_in(text)), text
        assert mask_line(text) == text


MATCHES = st.sampled_from(SHAPES).flatmap(lambda s: st.tuples(st.just(s), st.from_regex(s.pattern)))


@tried(MATCHES, few=10, many=60)
def test_every_match_of_a_shape_contains_one_of_its_parts(found):
    shape, text = found
    assert any(part in text for part in shape.parts)
    assert shape.with_short_words or max(map(len, text.split())) >= len("xoxb-1234567890")
