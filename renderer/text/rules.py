"""What can be wrong with a file before anyone asks what it means."""

from renderer.text.wording import LINE_END
from renderer.values.diagnostics import Diagnostic, Origin, documented_rule

SYNTAX = documented_rule(
    "YML001",
    "readable",
    """The file is well-formed YAML or JSON.

    Fails: names: [alice, bob
    Passes: names: [alice, bob]
    """,
)
ENCODING = documented_rule(
    "YML002",
    "utf-8",
    """The file is UTF-8 text without a byte order mark.

    Readers differ in what they make of other encodings and of the mark, which some of them
    take for a part of the first key.

    Fails: a: caf<U+00E9>
    Passes: a: cafe
    """,
)
CONTROL = documented_rule(
    "YML003",
    "no-control-characters",
    """A file holds no control characters, and no line separators that only some readers see.

    Terminals and YAML readers act on them instead of showing them: U+0085, U+2028 and U+2029
    end a line in YAML 1.1 and are ordinary characters in YAML 1.2.

    Fails: name: a<U+0007>b
    Passes: name: "a\\x07b"
    """,
)
TAB = documented_rule(
    "YML004",
    "no-tab-indentation",
    """Lines are indented by spaces.

    Fails:
        image:
        <U+0009>tag: v1
    Passes:
        image:
          tag: v1
    """,
)
DUPLICATE_KEY = documented_rule(
    "YML005",
    "keys-once",
    """A key stands once in its mapping.

    Argo CD and kubectl silently take the last of two equal keys, Flux and kustomize refuse the
    file, and a person reads the first.

    Fails:
        replicas: 1
        replicas: 2
    Passes: replicas: 2
    """,
)
DOCUMENTS = documented_rule(
    "YML006",
    "one-document",
    """A spec file holds one document.

    Fails:
        a: 1
        ---
        b: 2
    Passes: a: 1
    """,
)
ALIASES = documented_rule(
    "YML007",
    "bounded-aliases",
    """Anchors exist before they are used, do not contain themselves and do not multiply.

    An alias such as `*size` repeats the value that an anchor such as `&size` marks above it. Where
    aliases are nested, a few hundred bytes would stand for gigabytes of data.

    Fails: a: *missing
    Passes:
        a: &size 1
        b: *size
    """,
)
DEPTH = documented_rule(
    "YML008",
    "bounded-depth",
    """Values nest at most 64 deep.

    Deep nesting crashes YAML readers; no manifest needs it.

    Fails:
        [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
    Passes: [[[1]]]
    """,
)
SIZE = documented_rule(
    "YML009",
    "bounded-size",
    """A spec file is at most 1 MiB.

    Kubernetes stores no object larger than that.
    """,
)
AMBIGUOUS = documented_rule(
    "YML010",
    "one-meaning",
    """A plain value means the same to every YAML reader.

    YAML 1.1 and YAML 1.2 readers, and the one Kubernetes uses, disagree about words such as
    `on` and `yes` and about numbers such as `0644`, `1:30`, `1_000` and `1e3`.

    Fails: mode: 0644
    Passes: mode: "0644"
    """,
)
KEY = documented_rule(
    "YML011",
    "text-keys",
    """A key is text, without control characters.

    JSON, and so Kubernetes, has no other keys; readers turn them into different texts or refuse
    the file.

    Fails: 8080: service
    Passes: "8080": service
    """,
)
TAG = documented_rule(
    "YML012",
    "no-tags",
    """Values have no tags, and the file no directives.

    A tag or a `%YAML` line changes what a value means from one reader to the next.

    Fails: tag: !!str 1.10
    Passes: tag: "1.10"
    """,
)
NUMBER = documented_rule(
    "YML013",
    "numbers-fit",
    """A number is finite and fits into 64 bits.

    JSON has no infinity, and larger integers lose their last digits on the way to the cluster.

    Fails: seed: 12345678901234567890
    Passes: seed: "12345678901234567890"
    """,
)
MERGE = documented_rule(
    "YML014",
    "no-merge-keys",
    """The merge key `<<` is not used.

    It belongs to YAML 1.1 only; other readers see a key called `<<`.

    Fails:
        a: &a {x: 1}
        b: {<<: *a}
    Passes:
        a: {x: 1}
        b: {x: 1}
    """,
)
UNREADABLE = documented_rule(
    "YML015",
    "file-can-be-read",
    """A spec is a regular file that can be read and lies inside the repository.

    Nothing else is a spec for whoever checks the repository out: not a folder or a pipe, and not
    what a link outside the repository points to.
    """,
)
CONFLICT = documented_rule(
    "YML016",
    "no-merge-conflict",
    """A file has no conflict left that Git could not merge.

    Git marks both sides with lines of their own, which are no YAML and no JSON.

    Fails:
        <<<<<<< HEAD
        name: alice
        =======
        name: bob
        >>>>>>> main
    Passes: name: bob
    """,
)
LFS_POINTER = documented_rule(
    "YML017",
    "file-is-fetched",
    """A file that Git LFS keeps elsewhere is fetched before it is read.

    What stands here is its pointer: a few lines that say which file it is. Specs and the texts that
    they take belong into Git itself, as every clone and every GitOps controller needs them.

    Fails:
        version https://git-lfs.github.com/spec/v1
        oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
        size 12345
    Passes: name: bob
    """,
    since="0.2.0",
)

RULES = (
    SYNTAX,
    ENCODING,
    CONTROL,
    TAB,
    DUPLICATE_KEY,
    DOCUMENTS,
    ALIASES,
    DEPTH,
    SIZE,
    AMBIGUOUS,
    KEY,
    TAG,
    NUMBER,
    MERGE,
    UNREADABLE,
    CONFLICT,
    LFS_POINTER,
)

ESCAPED_CHARACTER = "write the character itself instead of its escape"
_REMEDIES = (
    (
        "mapping values are not allowed",
        'quote a value that contains ": ", or mend the indentation',
    ),
    ("cannot start any token", "put the value in quotes"),
    (
        "could not find expected ':'",
        "give the key above its ':', or mend the indentation",
    ),
    ("did not find expected key", "mend the indentation, or close the quotes or brackets above"),
    ("directive", "delete the % line"),
    ("incompatible YAML document", "delete the % line"),
    ("invalid Unicode character escape", ESCAPED_CHARACTER),
)
_REMEDY = "check quotes, brackets and indentation here and above"


def syntax_diagnostic(file: str, error: Exception, text: str) -> Diagnostic:
    """What libyaml found, at the place where someone would look for it."""
    lines = LINE_END.split(text.rstrip())
    mark = getattr(error, "problem_mark", None)
    if mark is None or mark.line >= len(lines):  # at the end: show what was left open
        mark = getattr(error, "context_mark", None) or mark
    where = Origin(file, mark.line + 1, mark.column + 1) if mark else Origin(file)
    if where.line > len(lines):
        where = Origin(file, len(lines), len(lines[-1]) + 1)
    line = lines[where.line - 1]
    blank = line[: len(line) - len(line.lstrip())]
    if "\t" in blank:
        where = where._replace(column=blank.index("\t") + 1)
        return TAB.at(where, "a tab indents this line", "indent by spaces")
    problem = getattr(error, "problem", None) or "the text cannot be read"
    context = getattr(error, "context", None) or ""
    message = f"{problem} {context}".strip()
    fix = next((fix for part, fix in _REMEDIES if part in message), _REMEDY)
    return SYNTAX.at(where, message, fix)
