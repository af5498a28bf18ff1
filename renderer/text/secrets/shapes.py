"""What secrets look like, whatever they are called: a table of shapes."""

import re
from collections.abc import Iterator

from renderer.text.expressions import expression
from renderer.text.secrets.values import FILLER, looks_random
from renderer.values.diagnostics import FIRST_VERSION
from renderer.values.named_tuple import NamedTuple

_SECOND_VERSION = "0.2.0"
_ENOUGH = 4
_LETTER = r"[0-9A-Za-z]"
_WORD = r"[0-9A-Za-z_-]"
_UUID = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"


class Shape(NamedTuple):
    """A secret that is known by its form: what it is called, the form, and parts of the form.

    Every match contains at least one of the parts, which are looked for first, in words that are
    long enough; one `with_short_words` is found elsewhere too. Names and words may have the form
    of one that `must_look_random`.
    """

    name: str
    pattern: str
    parts: tuple[str, ...]
    since: str = _SECOND_VERSION
    with_short_words: bool = False
    must_look_random: bool = False


def _prefixed(name: str, *prefixes: str, form: str = r"{16,}", letters: str = _WORD) -> Shape:
    """A token that begins with one of some prefixes."""
    either = "|".join(map(re.escape, prefixes))
    parts = tuple(dict.fromkeys(prefix[:_ENOUGH] for prefix in prefixes))
    return Shape(name, rf"(?<![0-9A-Za-z])(?:{either}){letters}{form}", parts)


SHAPES = (
    Shape(
        "a private key",
        r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[^\r\n]*",
        parts=("-----BEGIN ",),
        since=FIRST_VERSION,
        with_short_words=True,
    ),
    Shape("a PuTTY key", r"PuTTY-User-Key-File-[0-9]", parts=("PuTTY-User-Key-File-",)),
    Shape(
        "a password in an address",
        r"(?<=://)[^/\s:@]+:[^/\s:@{}$<>\"']+@",
        parts=("@",),
        since=FIRST_VERSION,
        with_short_words=True,
    ),
    Shape(
        "a password in an address without a user",
        r"(?<=://):[^/\s:@{}$<>\"']+@",
        parts=("://:",),
        with_short_words=True,
    ),
    Shape(
        "the address of a webhook",
        r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/[0-9A-Za-z+/]{20,}"
        r"|discord(?:app)?\.com/api/(?:v[0-9]+/)?webhooks/[0-9]{15,}/[0-9A-Za-z_-]{30,}"
        r"|webhook\.office\.com/webhookb2/[0-9A-Za-z-]{30,}@\S{40,}"
        r"|\.logic\.azure\.com(?::[0-9]+)?/workflows/[0-9a-f]{32}/\S+"
        rf"|open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/{_UUID}"
        rf"|qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key={_UUID}"
        r"|hooks\.zapier\.com/hooks/catch/[0-9]+/\w{6,}|api\.telegram\.org/bot[0-9]+:[\w-]{30,}",
        parts=("hook", "discord", "logic.azure", "telegram"),
    ),
    Shape(
        "a signature in an address",
        r"[?&;](?:sig|(?:[Xx]-[A-Za-z]{2,5}-)?[Ss]ignature|code|key|auth|sas)=[0-9A-Za-z%+/_=-]{16,}",
        parts=("=",),
        must_look_random=True,
    ),
    Shape(
        "an AWS access key",
        r"\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b",
        parts=("AKIA", "ASIA", "ABIA", "ACCA"),
        since=FIRST_VERSION,
    ),
    Shape(
        "an Amazon Bedrock key",
        r"\bABSK[0-9A-Za-z+/]{100,}={0,2}|\bbedrock-api-key-[0-9A-Za-z+/=]{16,}",
        parts=("ABSK", "bedrock-api-key-"),
    ),
    Shape(
        "an Alibaba Cloud access key",
        r"\bLTAI[0-9A-Za-z]{12,26}\b",
        parts=("LTAI",),
        since=FIRST_VERSION,
    ),
    Shape("a Tencent Cloud key", r"\bAKID[0-9A-Za-z]{28,36}\b", parts=("AKID",)),
    Shape(
        "a GitHub token",
        r"\b(?:gh[pousr]_[0-9A-Za-z]{36,}|github_pat_[0-9A-Za-z_]{22,})\b",
        parts=("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        since=FIRST_VERSION,
    ),
    Shape(
        "a GitLab token",
        r"\bglpat-[0-9A-Za-z_-]{20,}\b",
        parts=("glpat-",),
        since=FIRST_VERSION,
    ),
    Shape(
        "a GitLab token of another kind",
        r"\bgl(?:agent|cbt|dt|ffct|ft|imt|oas|ptt|rt|rtr|soat)-[0-9A-Za-z_.-]{20,}"
        r"|\bGR1348941[0-9A-Za-z_-]{20,}|_gitlab_session=[0-9a-f]{32}",
        parts=("gl", "GR1348941", "_gitlab_session"),
    ),
    Shape(
        "a Slack token",
        r"\bxox[abprs]-[0-9A-Za-z-]{10,}\b",
        parts=("xox",),
        since=FIRST_VERSION,
    ),
    Shape(
        "a Slack token of another kind",
        r"(?<![\w-])xox[eo][.-](?:xox[bp]-)?[0-9A-Za-z-]{10,}|\bxapp-[0-9]-[0-9A-Za-z-]{20,}",
        parts=("xoxe", "xoxo", "xapp-"),
    ),
    Shape("a Google API key", r"\bAIza[0-9A-Za-z_-]{35}\b", parts=("AIza",), since=FIRST_VERSION),
    Shape(
        "a Google token",
        r"\bGOCSPX-[0-9A-Za-z_-]{28}|\bya29\.[0-9A-Za-z_-]{30,}|\b1//0[0-9A-Za-z_-]{40,}",
        parts=("GOCSPX-", "ya29.", "1//0"),
    ),
    Shape(
        "a JSON web token",
        r"\beyJ(?:(?!-eyJ)[0-9A-Za-z_-]){10,}\.eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{5,}",
        parts=("eyJ",),
        since=FIRST_VERSION,
    ),
    Shape(
        "a JSON web token that is not signed",
        r"\bZXlK[0-9A-Za-z/_+-]{20,}"
        r"|\beyJ(?:(?!-eyJ)[0-9A-Za-z_-]){10,}\.eyJ[0-9A-Za-z_-]{10,}+"
        r"(?:\.(?![0-9A-Za-z_-]{5})|(?!\.))",
        parts=("ZXlK", "eyJ"),
    ),
    Shape(
        "a key of a model service",
        r"(?<![0-9A-Za-z_-])sk-(?=[0-9A-Za-z_-]*[0-9])(?:[a-z0-9]{2,8}-){0,3}[0-9A-Za-z_-]{20,}",
        parts=("sk-",),
        must_look_random=True,
    ),
    _prefixed("an NVIDIA key", "nvapi-", form=r"{20,}"),
    _prefixed(
        "a Hugging Face token", "hf_", "api_org_", form=r"{34}(?![0-9A-Za-z_])", letters=_LETTER
    ),
    _prefixed("a Groq key", "gsk_", form=r"{20,}", letters=_LETTER),
    _prefixed("an xAI key", "xai-", form=r"{20,}", letters=_LETTER),
    _prefixed("a Perplexity key", "pplx-", form=r"{20,}", letters=_LETTER),
    _prefixed("a Replicate token", "r8_", form=r"{30,}", letters=_LETTER),
    _prefixed("a LangSmith key", "lsv2_pt_", "lsv2_sk_"),
    _prefixed("a Pinecone key", "pcsk_", form=r"{20,}"),
    _prefixed("a Together key", "tgp_v1_"),
    _prefixed("a Weights & Biases key", "wandb_v1_"),
    Shape(
        "the credentials of a header",
        r"\b[Bb]earer (?=[0-9A-Za-z._~+/-]{0,200}[0-9])[0-9A-Za-z._~+/=-]{8,}"
        r"|\b[Bb]asic (?=[0-9A-Za-z+/]{0,200}[0-9=])[0-9A-Za-z+/]{8,}={0,2}",
        parts=("earer ", "asic "),
        with_short_words=True,
        must_look_random=True,
    ),
    Shape("a Databricks token", r"\bdapi[0-9a-f]{32}(?:-[0-9])?", parts=("dapi",)),
    Shape(
        "a secret of an Azure application",
        r"(?<![0-9A-Za-z_~.-])[0-9A-Za-z_~.]{3}[0-9]Q~[0-9A-Za-z_~.-]{31,34}(?![0-9A-Za-z_~.-])",
        parts=("Q~",),
    ),
    _prefixed("a DigitalOcean token", "dop_v1_", "doo_v1_", "dor_v1_", form=r"{64}"),
    _prefixed("a Docker token", "dckr_pat_", "dckr_oat_"),
    _prefixed("an npm token", "npm_", form=r"{36}", letters=_LETTER),
    _prefixed("a PyPI token", "pypi-AgEIcHlwaS5vcmc", "pypi-AgENdGVzdC5weXBpLm9yZ"),
    _prefixed("a RubyGems key", "rubygems_", form=r"{48}", letters="[0-9a-f]"),
    _prefixed(
        "a Stripe key",
        "sk_live_",
        "sk_test_",
        "sk_prod_",
        "rk_live_",
        "rk_test_",
        "rk_prod_",
        form=r"{10,}",
        letters=_LETTER,
    ),
    _prefixed("a Square token", "sq0atp-", "sq0csp-", "sq0idp-"),
    _prefixed("a Shopify token", "shpat_", "shpca_", "shppa_", "shpss_", form=r"{32}"),
    Shape("a Twilio key", r"\bSK[0-9a-f]{32}\b", parts=("SK",)),
    Shape(
        "a SendGrid key",
        r"\bSG\.[0-9A-Za-z_=-]{16,32}\.[0-9A-Za-z_=-]{30,64}|\bSG\.[0-9A-Za-z_=.-]{66}",
        parts=("SG.",),
    ),
    Shape("a Mailgun key", r"\bkey-[0-9a-f]{32}\b", parts=("key-",)),
    Shape("a Mailchimp key", r"\b[0-9a-f]{32}-us[0-9]{1,2}\b", parts=("-us",)),
    _prefixed("a Brevo key", "xkeysib-", "xsmtpsib-", form=r"{60,}"),
    Shape(
        "a Telegram token",
        r"(?<![0-9A-Za-z])[0-9]{8,10}:A[0-9A-Za-z_-]{34}(?![0-9A-Za-z_-])",
        parts=(":A",),
    ),
    _prefixed("a Grafana token", "glsa_", "glc_", form=r"{30,}", letters=r"[0-9A-Za-z_+/=-]"),
    Shape("a Grafana key", r"\beyJrIjoi[0-9A-Za-z+/=]{60,}", parts=("eyJrIjoi",)),
    _prefixed("a New Relic key", "NRAK-", "NRJS-", "NRII-", "NRAL-", "NRBR-"),
    Shape(
        "a Dynatrace token", r"\bdt0[a-z][0-9]{2}\.[0-9A-Za-z]{24}\.[0-9A-Za-z]{64}", parts=("dt0",)
    ),
    _prefixed("a Sentry token", "sntrys_", "sntryu_", form=r"{32,}", letters=r"[0-9A-Za-z_+/=-]"),
    _prefixed("a Sourcegraph token", "sgp_", form=r"{40,}", letters=r"[0-9A-Za-z_]"),
    Shape("a SonarQube token", r"\bsq[upa]_[0-9a-zA-Z]{40}", parts=("squ_", "sqp_", "sqa_")),
    Shape(
        "a Vault token",
        r"(?<![0-9A-Za-z.])hv[sbr]\.[0-9A-Za-z_-]{24,}",
        parts=("hvs.", "hvb.", "hvr."),
    ),
    Shape(
        "a Terraform token",
        r"\b[0-9A-Za-z]{14}\.atlasv1\.[0-9A-Za-z=_-]{60,}",
        parts=(".atlasv1.",),
    ),
    _prefixed("an Artifactory key", "AKCp", form=r"{60,}", letters=_LETTER),
    Shape("an Artifactory token", r"\bcmVmd[0-9A-Za-z]{59}\b", parts=("cmVmd",)),
    _prefixed(
        "an Atlassian token", "ATATT3", "ATCTT3", "ATBB", form=r"{28,}", letters=r"[0-9A-Za-z_=-]"
    ),
    _prefixed("an age key", "AGE-SECRET-KEY-1", form=r"{58}", letters="[0-9A-Z]"),
    _prefixed("a 1Password token", "ops_eyJ", form=r"{60,}", letters=r"[0-9A-Za-z+/=_-]"),
    Shape(
        "a 1Password key",
        r"\bA3-[0-9A-Z]{6}-(?:[0-9A-Z]{6}-[0-9A-Z]{5}|[0-9A-Z]{11})(?:-[0-9A-Z]{5}){3}\b",
        parts=("A3-",),
    ),
    Shape("an OpenShift token", r"\bsha256~[0-9A-Za-z_-]{43}", parts=("sha256~",)),
    Shape(
        "a Fly.io token",
        r"\bfo1_[0-9A-Za-z_-]{43}|\bfm[12][ar]?_[0-9A-Za-z+/=_-]{60,}",
        parts=("fo1_", "fm1", "fm2"),
    ),
    _prefixed("a Heroku key", "HRKU-", form=r"{30,}"),
    _prefixed("a Pulumi token", "pul-", form=r"{40}", letters="[0-9a-f]"),
    _prefixed("a Postman key", "PMAK-", form=r"{40,}"),
    _prefixed("a Linear key", "lin_api_", form=r"{32,}", letters=_LETTER),
    _prefixed("a Prefect key", "pnu_", "pnb_", form=r"{36}", letters=_LETTER),
    _prefixed("a Notion token", "ntn_", form=r"{40,}", letters=_LETTER),
    _prefixed("a Figma token", "figd_", form=r"{30,}"),
    _prefixed(
        "a PlanetScale key",
        "pscale_pw_",
        "pscale_tkn_",
        "pscale_oauth_",
        letters=r"[0-9A-Za-z=._-]",
    ),
    _prefixed("a Supabase key", "sbp_", "sb_secret_", form=r"{20,}"),
    Shape(
        "a Doppler token",
        r"\bdp\.(?:ct|pt|scim|sa|st(?:\.\w+)?|audit)\.[0-9A-Za-z]{40,}",
        parts=("dp.",),
    ),
    Shape("an Airtable token", r"\bpat[0-9A-Za-z]{14}\.[0-9a-f]{64}", parts=("pat",)),
    Shape("a Cloudflare key", r"\bv1\.0-[0-9a-f]{24}-[0-9a-f]{146}", parts=("v1.0-",)),
    Shape(
        "a Yandex Cloud key",
        r"\bAQVN[0-9A-Za-z_-]{35,38}|\bYC[0-9A-Za-z_-]{38}\b|\bt1\.[0-9A-Z][A-Za-z0-9_-]*=*\.[0-9A-Za-z_=-]{86,}",
        parts=("AQVN", "YC", "t1."),
    ),
)
#: Each is compiled when a text first has one of its parts.
_EXPRESSIONS = tuple(expression(shape.pattern) for shape in SHAPES)
_PARTS_OF_WORDS, _PARTS_OF_TEXTS = (
    tuple((part, number) for number, shape in enumerate(SHAPES) for part in shape.parts
          if shape.with_short_words is short)
    for short in (False, True)
)  # fmt: skip
_LONG_WORD = expression(r"\S{15,}")


class ShapedSecret(NamedTuple):
    """A secret in a text by its shape, and where it is."""

    shape: Shape
    start: int
    end: int


def may_have_shape(text: str) -> bool:
    """Whether there is a secret in a text by its shape."""
    return any(True for _ in shapes_in(text))


def shapes_in(text: str) -> Iterator[ShapedSecret]:
    """The secrets of a text by their shapes, in the order of the shapes."""
    possible = {number for part, number in _PARTS_OF_TEXTS if part in text}
    if long_words := " ".join(_LONG_WORD.findall(text)):  # most are short, and have no part
        possible |= {number for part, number in _PARTS_OF_WORDS if part in long_words}
    for number in sorted(possible):
        for found in _EXPRESSIONS[number].finditer(text):
            if not FILLER.search(found[0]) and _is_random_enough(SHAPES[number], found[0]):
                yield ShapedSecret(SHAPES[number], *found.span())


def _is_random_enough(shape: Shape, text: str) -> bool:
    return not shape.must_look_random or text.endswith("=") or looks_random(text)
