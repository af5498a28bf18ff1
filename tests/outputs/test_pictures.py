"""Pictures: every part is there, hostile names are text, and the drawing really draws."""

import re
import time
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from renderer.backends.kuscia.serving import EVERYONE, Serving
from renderer.evaluate.question import find_spec
from renderer.inspect.company import Company
from renderer.io.repository import load
from renderer.outputs import picture as pictures
from renderer.outputs.layout import PLAIN
from renderer.outputs.picture import mermaid, svg
from renderer.outputs.picture.limits import MOST_LINKS, MOST_ROWS, limit
from renderer.outputs.picture.shapes import columns, width, wrap
from renderer.values.picture import (
    Card,
    Exposure,
    Group,
    Link,
    LinkKind,
    Picture,
    PictureRow,
    Place,
)
from tests.support.pictures import draw_environment, draw_spec
from tests.support.places import ROOT
from tests.support.processes import run
from tests.support.repositories import HEADER, RISK, SMALL

GOLDEN = ROOT / "tests/golden/pictures"
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "\"]:::x --> <script>alert(1)</script> `#quot;` & ' %%{init} \\n \x1b[31m\n\u202eend"
LONG = "a" * 63
WIDE = "mw" * 31 + "m"


def environment_text(planes, external=()):
    """An environment with control planes by name, each with its domains."""
    lines = (f"  - {{name: {n}, platform: kuscia, domains: {d}}}\n" for n, d in planes.items())
    settings = f"kuscia: {{external_domains: {list(external)}, appimage_naming: hashed}}\n"
    return HEADER.format("Environment") + "destinations:\n" + "".join(lines) + settings


def serving_text(*parties):
    """A serving of parties, each `domain` or `domain/role`; the first one starts it."""
    named = [party.partition("/") for party in parties]
    lines = (f"  - {{domain_id: {domain}, role: '{role}'}}\n" for domain, _, role in named)
    head = f"initiator: {named[0][0]}\napp_image: pair\nserving_input_config: {{}}\nparties:\n"
    return HEADER.format("Serving") + head + "".join(lines)


@pytest.fixture
def drawn(repository):
    """The picture of a serving, or of the whole environment, of a repository with changes."""

    def draw(changes, name="risk", times=1):
        root = repository({"environments/dev/appimages/scorer.yaml": None, **changes})
        (root / "environments/dev/appimages/scorer.yaml").unlink(missing_ok=True)
        project = load(root)
        (environment,) = project.environments
        environment = environment._replace(specs=environment.specs * times)
        if not name:
            return draw_environment(project, environment)
        return draw_spec(project, name, environment)

    return draw


@pytest.fixture
def peers(drawn):
    """Three parties: alice starts it, bob has a control plane of his own, carol is not ours."""
    planes = {"north": ["alice"], "south": ["bob"]}
    return drawn(
        {
            "environments/dev/environment.yaml": environment_text(planes, ["carol"]),
            "environments/dev/servings/risk.yaml": serving_text("alice", "bob", "carol"),
        }
    )


def links(picture, kind):
    """What connects what, by the titles of the cards or places."""
    owners = {row.key: node.title for g in picture.groups for node in g.cards for row in node.rows}
    owners |= {row.key: group.title for group in picture.groups for row in group.rows}
    return [
        (link.name, [owners[k] for k in link.sources], [owners[k] for k in link.targets])
        for link in picture.links
        if link.kind is kind
    ]


def test_one_control_plane_synchronises_nothing(drawn):
    picture = drawn({"environments/dev/servings/risk.yaml": serving_text("alice", "bob")})
    assert links(picture, LinkKind.SYNC) == []
    assert links(picture, LinkKind.CALL) == [("communication", ["alice", "bob"], ["alice", "bob"])]


def test_a_deployment_travels_from_its_initiator(peers):
    assert links(peers, LinkKind.SYNC) == [("KusciaDeployment", ["north"], ["south", "carol"])]
    notes = {group.title: [row.note for row in group.rows] for group in peers.groups}
    assert notes == {
        "north": ["applied here", "applied here"],
        "south": ["arrives by synchronisation", "applied here"],
        "carol": ["arrives by synchronisation"],
    }


def test_a_foreign_initiator_sends_to_us(drawn):
    picture = drawn(
        {
            "environments/dev/environment.yaml": environment_text({"north": ["alice"]}, ["carol"]),
            "environments/dev/servings/risk.yaml": serving_text("carol", "alice"),
        }
    )
    assert links(picture, LinkKind.SYNC) == [("KusciaDeployment", ["carol"], ["north"])]
    assert picture.groups[0].rows[0].note == "applied by its owner"


def test_two_destinations_of_a_cluster_are_one_place(drawn):
    environment = HEADER.format("Environment") + (
        "destinations:\n"
        "  - {name: a, platform: kuscia, cluster: k3s, domains: [alice]}\n"
        "  - {name: b, platform: kuscia, cluster: k3s, domains: [bob]}\n"
    )
    picture = drawn(
        {
            "environments/dev/environment.yaml": environment,
            "environments/dev/servings/risk.yaml": serving_text("alice", "bob"),
        }
    )
    assert [group.title for group in picture.groups] == ["k3s"]
    assert links(picture, LinkKind.SYNC) == []


def test_a_partner_shows_only_what_it_offers(peers):
    ours, _, theirs = (group.cards[0] for group in peers.groups)
    assert [row.title for row in ours.rows] == ["communication", "service"]
    assert [row.title for row in theirs.rows] == ["communication"]
    assert not peers.groups[2].ours


def test_services_have_the_names_that_the_controller_gives(drawn):
    text = serving_text("alice/host", "bob").replace("role: ''", "service_name_prefix: own")
    picture = drawn({"environments/dev/servings/risk.yaml": text})
    addresses = [row.address for node in picture.groups[0].cards for row in node.rows]
    assert addresses == [
        "risk-host-communication.alice.svc",
        "risk-host-service.alice.svc",
        "own-communication.bob.svc",
        "own-service.bob.svc",
    ]


POLICY = (
    HEADER.format("AppImage")
    + """\
image: {name: example/pair, tag: v1}
deployTemplates:
  - name: server
    role: server
    networkPolicy: {ingresses: [{from: {roles: [client]}, ports: [{port: query}]}]}
    spec:
      containers:
        - name: a
          workingDir: /work
          ports: [{name: query, scope: Cluster}, {name: admin, scope: Cluster}, {name: pod}]
  - name: client
    role: client
    spec:
      containers: [{name: b, workingDir: /work, ports: [{name: http, scope: Domain}]}]
"""
)


def test_a_network_policy_says_who_calls_and_opens_what_it_forgets(drawn):
    picture = drawn(
        {
            "environments/dev/appimages/pair.yaml": POLICY,
            "environments/dev/servings/risk.yaml": serving_text("alice/server", "bob/client"),
        }
    )
    assert links(picture, LinkKind.CALL) == [
        ("query", ["bob"], ["alice"]),
        ("admin", ["bob"], ["alice"]),
    ]
    reaches = {row.title: row.exposure for row in picture.groups[0].cards[0].rows}
    assert reaches == {
        "query": Exposure.OTHERS,
        "admin": Exposure.ANYWHERE,
        "pod": Exposure.NOWHERE,
    }
    assert "every domain" in picture.links[1].meaning
    assert "every domain" not in picture.links[0].meaning


@pytest.mark.parametrize(
    ("parties", "allowed"),
    [
        (("alice",), EVERYONE),
        (("alice/a", "alice/b"), EVERYONE),
        (("alice", "bob"), {"alice", "bob"}),
    ],
    ids=["alone", "one domain", "two domains"],
)
def test_who_may_call(repository, parties, allowed):
    root = repository({"environments/dev/servings/risk.yaml": serving_text(*parties)})
    (environment,) = load(root).environments
    serving = Serving.of(find_spec(environment, "risk"), environment)
    assert serving.callers(serving.parties[0], "communication") == allowed


def test_an_overview_shows_each_domain_once(drawn):
    planes = {"north": ["alice", "idle"], "south": ["bob"]}
    picture = drawn(
        {
            "environments/dev/environment.yaml": environment_text(planes, ["carol"]),
            "environments/dev/servings/risk.yaml": serving_text("alice", "bob"),
            "environments/dev/servings/fraud.yaml": serving_text("bob", "carol", "alice"),
            "environments/dev/servings/alone.yaml": serving_text("alice"),
        },
        name="",
    )
    assert picture.summary == "3 control planes, 4 domains, 3 servings"
    assert {node.title: len(node.rows) for g in picture.groups for node in g.cards} == {
        "alice": 3,
        "idle": 0,
        "bob": 2,
        "carol": 1,
    }
    assert links(picture, LinkKind.MEMBERS) == [
        ("fraud", ["bob"], ["carol", "alice"]),
        ("risk", ["alice"], ["bob"]),
    ]
    assert sorted(links(picture, LinkKind.SYNC)) == [
        ("KusciaDeployments", ["north"], ["south"]),
        ("KusciaDeployments", ["south"], ["carol", "north"]),
    ]


def fleet(drawn, times):
    """A fleet of three control planes: two servings, so many times."""
    planes = {"north": ["alice", "idle"], "south": ["bob"]}
    changes = {
        "environments/dev/environment.yaml": environment_text(planes, ["carol"]),
        "environments/dev/servings/risk.yaml": serving_text("alice", "bob"),
        "environments/dev/servings/fraud.yaml": serving_text("bob", "carol", "alice"),
        "environments/dev/servings/alone.yaml": serving_text("alice"),
    }
    return drawn(changes, "", times)


def test_servings_of_a_fleet_are_counted_edges(drawn):
    picture = fleet(drawn, 400)
    assert picture.summary == "3 control planes, 4 domains, 1200 servings"
    cards = {card.title: card for group in picture.groups for card in group.cards}
    assert {name: len(card.rows) for name, card in cards.items()} == {
        "alice": 3,
        "idle": 0,
        "bob": 2,
        "carol": 1,
    }
    assert cards["alice"].lines == ("1200 servings", "2400 pods", "example/pair:v1")
    assert cards["idle"].lines == ("nothing runs here",)
    assert links(picture, LinkKind.MEMBERS) == [
        ("400 servings", ["bob"], ["carol", "alice"]),
        ("400 servings", ["alice"], ["bob"]),
    ]
    assert sorted(links(picture, LinkKind.SYNC)) == [
        ("KusciaDeployments", ["north"], ["south"]),
        ("KusciaDeployments", ["south"], ["carol", "north"]),
    ]
    assert [row.title for row in picture.groups[1].rows] == [
        "KusciaDeployments of 400 servings"
    ] * 2


def test_few_servings_keep_their_names(drawn):
    assert [link.name for link in fleet(drawn, 10).links if link.kind is LinkKind.MEMBERS] == [
        *["fraud", "risk"] * 10
    ]
    assert fleet(drawn, 11).links[-1].name == "11 servings"


def crowd(drawn, planes, servings):
    """Very many control planes, half of them partners', each with domains; everybody meets."""
    names = [f"bank-{n:03}" for n in range(planes)]
    owned = {f"plane-{name}": [name, f"{name}-b"] for name in names[: planes // 2]}
    changes = {"environments/dev/environment.yaml": environment_text(owned, names[planes // 2 :])}
    for n in range(servings):
        parties = dict.fromkeys(names[(n * step) % planes] for step in (1, 7, 11, 13))
        changes[f"environments/dev/servings/s-{n}.yaml"] = serving_text(*parties)
    return drawn(changes, "", 10)


@pytest.mark.parametrize("planes", [2, 9, 40])
def test_a_fleet_fits_a_page(drawn, planes):
    picture = crowd(drawn, planes, 40)
    root = ElementTree.fromstring(svg.show(picture))
    assert float(root.get("height")) < 2000
    for form in pictures.FORMATS:
        assert "left out" not in pictures.FORMATS[form](picture), "all are counted somewhere"
    if planes == 40:
        assert picture.groups[-1].title == "36 more control planes"
        assert re.fullmatch(r"in \d+ servings", picture.groups[-1].rows[0].note)
        assert any("other sets of owners have no line" in remark for remark in picture.remarks)


def many(number):
    """A picture of so many parties that all call each other."""
    names = [f"party-{index:02}" for index in range(number)]
    keys = tuple(f"{name}/talk" for name in names)
    cards = (
        Card(name, (), ("image:1",), (PictureRow(key, "talk", "Cluster", f"talk.{name}.svc"),))
        for name, key in zip(names, keys, strict=True)
    )
    groups = tuple(Group(f"plane of {node.title}", cards=(node,)) for node in cards)
    return Picture("many", "all of them", groups, (Link(LinkKind.CALL, "talk", "all", keys, keys),))


HOSTILE_PICTURE = Picture(
    HOSTILE,
    HOSTILE,
    (
        Group(HOSTILE, (HOSTILE,), (PictureRow("g", HOSTILE, note=HOSTILE),)),
        Group(
            "b",
            (),
            (),
            (Card(HOSTILE, (HOSTILE,), (HOSTILE,), (PictureRow("r", HOSTILE, HOSTILE),)),),
        ),
    ),
    (Link(LinkKind.CALL, HOSTILE, HOSTILE, ("g",), ("r",)),),
    (HOSTILE,),
)


@pytest.mark.parametrize("number", [2, 3, 12])
def test_everything_is_in_every_format(number):
    picture = many(number)
    for form in pictures.FORMATS:
        text = pictures.FORMATS[form](picture)
        for group in picture.groups:
            assert group.title in text
            assert group.cards[0].title in text
        assert text.count("talk") >= number
        assert text == pictures.FORMATS[form](many(number))


def boxes(root, look):
    found = (item for item in root.iter(f"{SVG}rect") if item.get("class") == look)
    return [[float(item.get(k)) for k in ("x", "y", "width", "height")] for item in found]


@pytest.mark.parametrize("number", [2, 3, 12])
def test_cards_lie_in_their_places_and_do_not_overlap(number):
    root = ElementTree.fromstring(svg.show(many(number)))
    groups, cards = boxes(root, "group"), boxes(root, "card")
    assert len(groups) == len(cards) == number
    for (x, y, wide, high), (left, top, across, down) in zip(groups, cards, strict=True):
        assert x < left
        assert y < top
        assert left + across < x + wide
        assert top + down < y + high
    for (_, top, _, high), (_, following, _, _) in pairwise(groups):
        assert top + high < following
    heads = [item for item in root.iter(f"{SVG}polygon") if item.get("class") == "head hue0"]
    assert len(heads) == 2 * number, "each calls, and is called"


@pytest.mark.parametrize("size", [11, 12, 13, 15, 20])
def test_wrapped_text_fits_and_nothing_is_lost(size):
    for text in (
        LONG,
        WIDE,
        "one-two.three/" * 9,
        "a few words and then some more of them",
        "図" * 30,
    ):
        lines = wrap(text, size, 200, most=99)
        assert all(width(line, size) <= 200 for line in lines)
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert wrap(LONG * 9, size, 200, most=2)[-1].endswith("…")


def test_wide_characters_take_two_columns():
    assert columns("abc図́") == 5


def test_hostile_names_are_text_in_an_svg():
    drawing = svg.draw(HOSTILE_PICTURE, prefix='x" onload="alert(1)')
    root = ElementTree.fromstring(drawing)
    names = {item.tag.removeprefix(SVG) for item in root.iter()}
    assert names <= {"svg", "title", "desc", "style", "rect", "line", "text", "circle", "polygon"}
    assert not [key for item in root.iter() for key in item.attrib if key.startswith("on")]
    assert root.find(f"{SVG}title").text.startswith('"]:::x --> <script>')
    assert not re.search(r"[\x00-\x09\x0b-\x1f\u202e]", drawing)


def test_hostile_names_are_text_in_mermaid():
    text = mermaid.show(HOSTILE_PICTURE)
    assert not re.search(r"[\x00-\x09\x0b-\x1f`\u202e\\]", text)
    for line in text.splitlines():
        assert line.count('"') in (0, 2, 4)
        for label in re.findall(r'"([^"]*)"', line) if "init" not in line[:10] else ():
            assert re.fullmatch(r"(?:[A-Za-z0-9 .,:/()·-]|#\d+;|<br/>)*", label)
    assert text.count("subgraph") == text.count("\n  end\n") == 2
    assert text.count("%%{") == 1


def test_hostile_names_cannot_steer_a_terminal():
    text = pictures.FORMATS["text"](HOSTILE_PICTURE)
    assert all(line.isprintable() for line in text.split("\n"))


def test_a_svg_is_self_contained_and_accessible():
    drawing = svg.draw(many(2), prefix="first")
    root = ElementTree.fromstring(drawing)
    assert root.get("role") == "img"
    named = root.get("aria-labelledby").split()
    assert [item.get("id") for item in (root.find(f"{SVG}title"), root.find(f"{SVG}desc"))] == named
    assert re.findall(r"\w+://[^\"' )]*", drawing) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"<script|<image|<use|@import|url\(|href|@font-face", drawing)
    assert "prefers-color-scheme:dark" in drawing
    sizes = [float(size) for size in re.findall(r"font-size:([\d.]+)px", drawing)]
    assert min(sizes) >= 11


def test_pictures_of_one_page_do_not_meet():
    first, second = (svg.draw(many(2), prefix=name) for name in ("one", "two"))
    ids = [set(re.findall(r' id="([^"]*)"', text)) for text in (first, second)]
    assert ids[0].isdisjoint(ids[1])
    style = re.search(r"<style>(.*)</style>", first)[1].replace(
        "@media (prefers-color-scheme:dark){", ""
    )
    rules = [rule for rule in re.findall(r"([^{}]+)\{[^}]*\}", style) if rule.strip()]
    selectors = [selector for rule in rules for selector in rule.split(",")]
    assert all(selector.startswith("#p-one ") for selector in selectors)


def test_every_class_has_a_style():
    drawing = svg.show(HOSTILE_PICTURE)
    style = re.search(r"<style>(.*)</style>", drawing)[1]
    used = {name for text in re.findall(r'class="([^"]*)"', drawing) for name in text.split()}
    assert {name for name in used if f".{name}" not in style} == set()


def test_what_is_too_large_is_cut_and_says_so():
    huge = many(3000)
    start = time.monotonic()
    for form in pictures.FORMATS:
        text = pictures.FORMATS[form](huge)
        assert "left out" in text
        assert len(text) < 700_000
    assert time.monotonic() - start < 10
    assert len(mermaid.show(huge)) < 50_000
    assert len(re.findall(r"-->|-\.->|---", mermaid.show(huge))) < 500


def test_a_long_title_does_not_stop_mermaid():
    assert len(mermaid.show(many(2)._replace(title="x" * 100_000))) < 50_000


def test_bounds_keep_links_whole():
    rows = tuple(PictureRow(str(index), "r") for index in range(MOST_ROWS * 2))
    keys = tuple(row.key for row in rows)
    lines = tuple(Link(LinkKind.CALL, key, "", (key,), (keys[0],)) for key in keys[1:])
    shown = limit(Picture("t", "s", (Group("g", cards=(Card("n", rows=rows),)),), lines))
    known = {row.key for row in shown.rows()}
    assert len(known) <= MOST_ROWS
    assert len(shown.links) == MOST_LINKS
    assert all(key in known for link in shown.links for key in link.keys)
    assert re.search(r"left out: \d+ rows, \d+ connections", shown.left_out)


@pytest.mark.parametrize("form", ["text", "svg"])
@pytest.mark.parametrize("name", ["", "InferenceService/chat"])
def test_golden_with_companions(name, form, request):
    project = load(ROOT / "tests/golden/companions/language-model")
    environment = project.environment("prod")
    drawn = (
        draw_spec(project, name, environment) if name else draw_environment(project, environment)
    )
    stem = "companions-of-chat" if name else "companions"
    golden = GOLDEN / f"{stem}.{form if form == 'svg' else f'{form}.txt'}"
    shown = pictures.FORMATS[form](drawn, PLAIN)
    if request.config.getoption("--update-golden"):
        golden.write_text(shown, "utf-8")
    assert shown == golden.read_text("utf-8")


def test_many_companions_are_counted():
    places = {Place(f"east, namespace {n}"): ("Role a", "ConfigMap b") for n in range(10)}
    names = {"InferenceService/chat": tuple(f"ConfigMap {n}" for n in range(30))}
    company = Company(names, places)
    spec = "InferenceService/chat"
    assert (company.number(spec), company.names(spec)) == (
        "with 30 companions",
        "with: ConfigMap (30)",
    )
    drawn = company.picture({"east, namespace 3"})
    assert drawn.summary == "20 companions in 10 places"
    assert [(group.title, group.rows[0].note) for group in drawn.groups] == [
        ("east, namespace 3", "ConfigMap, Role"),
        ("9 other places", "ConfigMap (9), Role (9)"),
    ]


@pytest.mark.process
@pytest.mark.parametrize("arguments", ["graph --env prod", "graph credit-risk --env prod"])
@pytest.mark.parametrize("form", pictures.FORMATS)
def test_golden(arguments, form, request):
    done = servingctl(*arguments.split(), "--format", form, cwd=ROOT)
    name = "credit-risk" if "credit-risk" in arguments else "prod"
    golden = GOLDEN / f"{name}.{form if form == 'svg' else f'{form}.txt'}"
    if request.config.getoption("--update-golden"):
        golden.write_text(done.stdout, "utf-8")
    assert done.stdout == golden.read_text("utf-8")


def servingctl(*arguments, cwd):
    return run(*arguments, cwd=cwd, PATH="")


@pytest.mark.process
def test_a_file_is_written_and_nothing_printed(repository):
    root = repository()
    arguments = ("graph", "risk", "--env", "dev", "--format", "svg")
    done = servingctl(*arguments, "--output", "risk.svg", cwd=root)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (root / "risk.svg").read_text("utf-8") == servingctl(*arguments, cwd=root).stdout
    assert servingctl(*arguments, "--output", "-", cwd=root).stdout.startswith("<svg")
    done = servingctl(*arguments, "--output", f"{RISK}/risk.svg", cwd=root)
    assert done.returncode == 3
    assert done.stderr.startswith("servingctl: the picture is not written")


@pytest.mark.process
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["risk"], "Missing option '--env'"),
        (["risk", "--env", "dve"], "did you mean 'dev'?"),
        (["rsk", "--env", "dev"], "did you mean 'risk'?"),
        (["AppImage/pair", "--env", "dev"], "runs nothing by itself"),
        (["--env", "dev", "--format", "png"], "'png' is not one of"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_wrong_usage(repository, arguments, said):
    done = servingctl("graph", *arguments, cwd=repository())
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


@pytest.mark.process
def test_errors_are_shown_instead(repository):
    broken = serving_text("alice", "nobody")
    root = repository({"environments/dev/servings/bad.yaml": broken})
    for arguments in (("bad",), ()):
        done = servingctl("graph", *arguments, "--env", "dev", cwd=root)
        assert (done.returncode, done.stdout) == (1, "")
        assert "[KUS201]" in done.stderr
    done = servingctl("graph", "risk", "--env", "dev", cwd=root)
    assert (done.returncode, done.stderr) == (0, ""), "another serving's error is not this one's"


@pytest.mark.process
def test_errors_of_what_it_uses_are_shown_too(repository):
    pair = SMALL["environments/dev/appimages/pair.yaml"].replace("scope: Domain", "scope: Domian")
    root = repository({"environments/dev/appimages/pair.yaml": pair})
    done = servingctl("graph", "risk", "--env", "dev", cwd=root)
    assert (done.returncode, done.stdout) == (1, "")
    assert "Domian" in done.stderr


@pytest.mark.process
def test_a_file_that_cannot_be_read_is_named(repository):
    root = repository({"environments/dev/servings/bad.yaml": "a: [\n"})
    done = servingctl("graph", "bad", "--env", "dev", cwd=root)
    assert done.returncode == 1
    assert "bad.yaml" in done.stderr


@pytest.mark.process
def test_a_silenced_rule_does_not_make_it_fail(repository):
    environment = SMALL["environments/dev/environment.yaml"] + "rules: {KUS201: ignore}\n"
    root = repository(
        {
            "environments/dev/environment.yaml": environment,
            "environments/dev/servings/risk.yaml": serving_text("alice", "nobody"),
        }
    )
    for arguments in (("risk",), ()):
        done = servingctl("graph", *arguments, "--env", "dev", cwd=root)
        assert done.returncode == 0, done.stderr
        assert "nobody (control plane, not ours)" in done.stdout


@pytest.mark.process
def test_an_environment_without_destinations_has_no_picture():
    done = servingctl("graph", "--env", "base", cwd=ROOT)
    assert done.returncode == 2
    assert "only inherited from" in done.stderr


PROBE = """(() => {
const rect = (item) => item.getBoundingClientRect();
const page = rect(document.querySelector(".page"));
const meets = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
  && a.top < b.bottom - 3 && b.top < a.bottom - 3;
const texts = [...document.querySelectorAll("svg text")];
const cards = [...document.querySelectorAll("rect.card, rect.pill, rect.door")];
const name = (item) => item.textContent;
return {
  outside: texts.filter((item) => rect(item).right > page.right - 8).map(name),
  overlaps: texts.flatMap((item, at) => texts.slice(at + 1)
    .filter((other) => meets(rect(item), rect(other)))
    .map((other) => [name(item), name(other)])),
  cut: texts.filter((item) => cards.some((card) => meets(rect(item), rect(card))
    && (rect(item).right > rect(card).right || rect(item).left < rect(card).left))).map(name),
  page: getComputedStyle(document.querySelector(".page")).fill,
  ink: getComputedStyle(document.querySelector(".title")).fill,
};
})()"""


@pytest.mark.process
@pytest.mark.parametrize(
    ("dark", "colours"),
    [
        (False, ("rgb(255, 255, 255)", "rgb(31, 35, 40)")),
        (True, ("rgb(13, 17, 23)", "rgb(230, 237, 243)")),
    ],
    ids=["light", "dark"],
)
@pytest.mark.parametrize(
    "case", ["2", "3", "12", "long", "wide", "policy", "overview", "fleet", "hostile"]
)
def test_a_browser_draws_it_without_overlaps(drawn, tab, tmp_path, case, dark, colours):
    picture = HOSTILE_PICTURE if case == "hostile" else shown_case(drawn, case)
    page = tmp_path / "page.html"
    page.write_text(f'<meta charset="utf-8"><body style="margin:0">{svg.show(picture)}', "utf-8")
    tab.open(page.as_uri(), width=1400, height=4000, dark=dark)
    seen = tab.run(PROBE)
    assert (seen["page"], seen["ink"]) == colours
    assert (seen["outside"], seen["overlaps"], seen["cut"]) == ([], [], [])


def shown_case(drawn, case):
    """Pictures of the sizes and shapes that people have."""
    if case == "fleet":
        return crowd(drawn, 9, 40)
    names = {"long": [LONG, f"b{LONG[1:]}"], "wide": [WIDE, f"w{WIDE[1:]}"]}.get(
        case, [f"bank-{n:02}" for n in range(12)]
    )
    if case in ("2", "3"):
        names = names[: int(case)]
    servings = {"environments/dev/servings/risk.yaml": serving_text(*names)}
    if case == "overview":
        servings = {
            f"environments/dev/servings/scoring-{n}.yaml": serving_text(*names[n : n + 3])
            for n in range(10)
        } | {"environments/dev/servings/risk.yaml": serving_text(*names)}
    planes = {"north": names[:1], "south-of-a-very-long-name-for-a-control-plane": names[1:2]}
    if len(names) > 3:
        planes["west"] = names[2:8]
    if case == "policy":
        servings = {
            "environments/dev/appimages/pair.yaml": POLICY,
            "environments/dev/servings/risk.yaml": serving_text(
                f"{names[0]}/server", *(f"{name}/client" for name in names[1:])
            ),
        }
    external = [name for name in names if not any(name in owned for owned in planes.values())]
    environment = environment_text(planes, external)
    changes = {"environments/dev/environment.yaml": environment, **servings}
    return drawn(changes, name="" if case == "overview" else "risk")


@pytest.mark.process
def test_the_page_shows_what_is_printed(request):
    page = ROOT / "docs/graph.md"
    block = re.compile(r"<!-- servingctl ([^\n]*) -->\n```(\w+)\n(.*?)```", re.S)

    def current(found):
        printed = servingctl(*found[1].split(), cwd=ROOT).stdout
        return f"<!-- servingctl {found[1]} -->\n```{found[2]}\n{printed}```"

    text, number = block.subn(current, page.read_text("utf-8"))
    if request.config.getoption("--update-golden"):
        page.write_text(text, "utf-8")
    assert number == 2
    assert page.read_text("utf-8") == text, (
        "run pytest --update-golden tests/outputs/test_pictures.py"
    )
