"""Data and texts that are hard on readers and writers of YAML."""

from hypothesis import strategies as st

#: Texts that mean something else, to some reader, unless they are quoted.
HOSTILE = (
    *("", " ", "-", "?", ":", "#", "- a", "? a", "a: b", "a: b #c", "a #c", "a:", "a :b", ": a"),
    *("}\n- evil: true", "]", "[a", "{a: 1}", "{{ 7*7 }}", "{% x %}", "${X}", "$(X)", "a, b", ","),
    *("---", "--- a", "...", "---\na: 1", "a\n---\nb\n", "x\n...\n", "%YAML 1.1", "<<", "=", "!x"),
    *("on", "Off", "YES", "no", "y", "N", "true", "False", "null", "Null", "~", "none", "nil"),
    *("1", "-1", "+1", "1.5", "1e3", "12e34", "1E5", ".5", "-.5", "5.", "1_000", "0_1", "_1"),
    *("0644", "0o17", "08", "0x1F", "0X1f", "0b11", "1:30", "190:20:30.5", ".inf", "-.Inf", ".nan"),
    *("NaN", "inf", "Infinity", "2024-01-01", "2024-1-1", "2001-12-14 21:59:43.10 -5", "1234e5678"),
    *("12345678901234567890", "0x", "1.2.3", "v1.10", "500m", "1Gi", "10%", "1E", "100e", "1k"),
    *(
        '"',
        "'",
        "''",
        "it's",
        'say "hi"',
        "back\\slash",
        "\\n",
        "\\",
        "C:\\x 'y'",
        "'\"",
        "\"a' \\b",
    ),
    *("a\tb", "\ta", "a\t", " a", "a ", "  ", "a  b", "\n", "\n\n", "a\n", "a\n\n", "\na", "a\nb"),
    *("a\nb\n", "a\n\nb\n", "a\nb\n\n", " a\nb", "a\n b\n", "a \nb", "a\n\tb", "\ta\nb", "a\n \nb"),
    *("#!/bin/sh\nexit 0\n", "a: |\n  b\n", "- a\n- b", "> a\nb", "|\na", "&a *a\nb", "a\n# b\nc"),
    *("a\r\nb\r\n", "a\rb", "\r", "a\x85b", "a\u2028b", "a\u2029b\nc", "\ufeffa", "a\ufeff\nb"),
    *(
        "\x00",
        "\x07\n\x08",
        "\x1b[31m",
        "\x7f",
        "\x9f",
        "\ufffe",
        "\uffff",
        "\ufffd",
        "\xa0",
        "\xad",
    ),
    *(
        "é",
        "Ａ",
        "😀",
        "😀\n𝒳\n",
        "\u202e",
        "\u200b",
        "\U0010ffff",
        "日本: 語",
        "@a",
        "`a",
        "&a",
        "*a",
    ),
    *(
        "a" * 300,
        "word " * 60 + "end",
        "|",
        ">",
        "|-",
        "a=b",
        "a/b@sha256:0e1",
        "/a/b",
        "http://x:1/?a=b",
    ),
)
VISIBLE = tuple(text for text in HOSTILE if "\n" not in text and text.isprintable())
TEXTS = st.sampled_from(HOSTILE) | st.text(
    st.sampled_from("ab01 \n\t\r:#-'\"\\{}[],&*!|>%@?~.eé😀\x85\u2028\ufeff\x00")
    | st.characters(exclude_categories=["Cs"]),
    max_size=30,
)
KEYS = st.sampled_from(VISIBLE) | st.text(
    st.characters(exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp"]), max_size=200
)
DATA = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda child: st.lists(child, max_size=4) | st.dictionaries(KEYS, child, max_size=4),
    max_leaves=10,
)
#: Pieces of YAML, put together at random.
MORSELS = (
    *"aé😀 \t\r\n:-?[]{},'\"|>#&*!%@=~<\\\x00\x85\ufeff",
    *("a: ", "b: ", "\n- ", "\n  ", "\na: ", "---\n", "...\n", "&a ", "*a", "! ", "!!str ", "<<: "),
    *("|2", "1", "true", "null", "1.5", "0644", "-.5", "%YAML 1.1\n", "\\UFFFFFFFF", '"\\x41"'),
)
TEXT = st.lists(st.sampled_from(MORSELS), max_size=20).map("".join)
