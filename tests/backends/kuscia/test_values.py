"""What the Kuscia backend makes of settings, versions and other servings: small values."""

import pytest

from renderer.backends.kuscia import KUSCIA
from renderer.backends.kuscia.derived_objects import DerivedNames
from renderer.backends.kuscia.dialect import Dialect, oldest, parse_version
from renderer.backends.kuscia.settings import DestinationSettings, KusciaSettings
from renderer.backends.kuscia.summaries import ServingSummary
from renderer.text.yaml_reader import read
from renderer.values.model import Destination, Environment, Spec

DECLARED = """\
serving_id: risk
initiator: alice
app_image: scorer
parties:
  - {domain_id: alice}
  - {domain_id: bob, role: guest, app_image: other, service_name_prefix: credit}
"""
#: The same places, and much that nobody else may see.
WHOLE = DECLARED + "serving_input_config: {}\naffinity_mode: none\nlabels: {a: b}\n"


def tree(text):
    return read(text.encode(), "x.yaml").document.tree


def environment(text):
    return Environment("dev", ("x.yaml",), tree(text), (), (), {})


def spec(text):
    kind = next(kind for kind in KUSCIA.kinds if kind.name == "Serving")
    return Spec(kind, "risk", "dev", ("x.yaml",), tree(text))


class TestSummaries:
    def test_it_is_made_of_declared_fields_only(self):
        assert ServingSummary.read_spec(spec(DECLARED)) == ServingSummary.read_spec(spec(WHOLE))

    def test_the_kind_declares_what_it_reads(self):
        """Reading another field of a serving needs a declaration, here and in the kind."""
        fields = {path[-1] for path in KUSCIA.kinds[0].summary}
        assert fields == {
            "serving_id",
            "initiator",
            "app",
            "app_image",
            "domain_id",
            "role",
            "service_name_prefix",
        }

    def test_a_party_has_its_own_image_or_the_servings(self):
        found = ServingSummary.read_spec(spec(DECLARED))
        parties = [(party.domain, party.role, party.image_name) for party in found.parties]
        assert parties == [("alice", "", "scorer"), ("bob", "guest", "other")]
        assert (found.name, found.initiator, str(found)) == ("risk", "alice", "Serving/risk")
        assert (found.parties[1].origin.line, found.parties[1].service_prefix) == (6, "credit")


class TestDialect:
    @pytest.mark.parametrize(
        ("version", "supported", "spreads", "relaxed"),
        [
            ("", True, False, True),
            ("0.13.0b0", False, False, False),
            ("0.14.0b0", True, False, False),
            ("1.0.0b0", True, True, False),
            ("1.1.0b0", True, False, True),
            ("v2.0.0", True, False, True),
        ],
    )
    def test_versions(self, version, supported, spreads, relaxed):
        dialect = Dialect.of(version, "runc")
        assert dialect.is_supported == supported
        assert dialect.spreads_pods_anyway == spreads
        assert dialect.relaxed_variables == relaxed

    def test_runtimes(self):
        found = {name: Dialect.of("", name) for name in ("runc", "runk", "runp")}
        assert [name for name, item in found.items() if item.uses_host_cluster] == ["runk"]
        assert [name for name, item in found.items() if item.shares_ports] == ["runp"]
        assert [n for n, item in found.items() if item.compares_image_ids] == ["runc", "runp"]

    def test_the_oldest(self):
        versions = [parse_version(text) for text in ("0.9.0b0", "latest", "0.10.0b0")]
        assert oldest(versions) == parse_version("0.9.0b0")
        assert oldest([None]) is None


class TestSettings:
    def test_defaults(self):
        assert KusciaSettings.of(None) == KusciaSettings.of(environment("vars: {}\n"))
        assert KusciaSettings.of(None) == KusciaSettings()

    def test_of_an_environment(self):
        found = KusciaSettings.of(
            environment(
                "kuscia:\n  version: 1.0.0b0\n  runtime: runp\n  appimage_naming: hashed\n"
                "  external_domains: [carol]\n  config_keys: [META]\n"
            )
        )
        dialect = Dialect.of("1.0.0b0", "runp")
        assert found == KusciaSettings(dialect, True, ("carol",), frozenset({"META"}))

    def test_of_a_destination(self):
        text = "domains: [alice, bob]\ncluster: k3s\n"
        found = DestinationSettings.of(Destination("east", "kuscia", "k3s", tree(text)))
        assert (found.domains, found.names_cluster) == (("alice", "bob"), True)


def test_derived_objects():
    names = DerivedNames.of("risk", "guest", "")
    assert [(item.kind, item.name) for item in names.objects(["http"])] == [
        ("Deployment", "risk-guest"),
        ("Service", "risk-guest-http"),
        ("ConfigMap", "risk-guest-configtemplate"),
    ]
    assert DerivedNames.of("risk", "guest", "credit").service("http") == "credit-http"
