"""The parties of a serving and those of its input config."""

from collections.abc import Iterator, Mapping

from renderer.backends.fields import elements, members
from renderer.backends.kuscia.input_config.document import (
    is_bare,
    root_section,
    runs_secretflow_serving,
)
from renderer.backends.kuscia.serving import Serving
from renderer.text.wording import listed, misspelt, nearest
from renderer.values.diagnostics import Finding, Severity, rule
from renderer.values.tree import Node


@rule("KUS508", Severity.ERROR, "Serving")
def party_is_configured(serving: Serving) -> Iterator[Finding]:
    """Every party has an entry in `partyConfigs`.

    A server that does not find its own domain there does not start; the others do not notice.

    Fails: serving_input_config: {partyConfigs: {bob: null}}
    Passes with:
        serving_input_config:
          partyConfigs:
            bob:
              modelConfig: {sourceType: ST_FILE, sourcePath: model.tar.gz}
              channelDesc: {protocol: http}
    """
    top = root_section(serving)
    entries = top.get("party_configs") if top else None
    is_map = isinstance(entries.value, Mapping) if entries else top and top.lacks("party_configs")
    if not top or not is_map:
        return
    name = top.spelled("party_configs")
    strays = {_meant(key, serving, entries): key for key in _strays(serving, entries)}
    for domain in _unconfigured(serving, entries):
        message = f"{name} has no entry for the party {domain!r}"
        path = (*top.at("party_configs"), strays.get(domain, domain))
        if domain in strays:
            message = f"this entry of {name} is for no party, and {domain!r} lacks it"
            yield Finding(path, message, f"did you mean {domain!r}?", at_key=True)
        else:
            yield Finding(path, message, f"add {domain!r} with its model and channel")


def _unconfigured(serving: Serving, entries: Node | None) -> list[str]:
    """The parties without an entry; one of an unknown domain is found as such."""
    names = dict.fromkeys(party.domain for party in serving.parties)
    missing = (
        name
        for name in names
        if not entries or name not in entries.items or is_bare(name, entries, serving)
    )
    return [name for name in missing if serving.knows(name)]


def _strays(serving: Serving, entries: Node | None) -> list[str]:
    """The entries that are for nobody."""
    domains = {party.domain for party in serving.parties}
    return [name for name in members(entries) if name not in domains]


def _meant(stray: str, serving: Serving, entries: Node | None) -> str:
    """The party without an entry whose name was probably meant."""
    return nearest(stray, _unconfigured(serving, entries))


@rule("KUS509", Severity.WARNING, "Serving")
def configured_domain_takes_part(serving: Serving) -> Iterator[Finding]:
    """Every entry of `partyConfigs` is for a party.

    Nobody reads an entry for another domain; most often its name is misspelt.

    Fails: serving_input_config: {partyConfigs: {bobby: {}}}
    Passes with: serving_input_config: {partyConfigs: {bobby: null}}
    """
    top = root_section(serving)
    entries = top.get("party_configs") if top else None
    domains = list(dict.fromkeys(party.domain for party in serving.parties))
    if not top or len(domains) == 1:
        return  # one party is too few, which is found as such
    strangers = [name for name in domains if not serving.knows(name)]  # found as such, too
    for name in _strays(serving, entries):
        if not _meant(name, serving, entries) and not nearest(name, strangers):
            path = (*top.at("party_configs"), name)
            message = f"this entry of {path[-2]} is for a domain that is not a party"
            hint = misspelt(name, domains)
            fix = f"did you mean {hint!r}? Otherwise delete" if hint else "delete"
            fix = f"{fix} it; parties are {listed(domains)}"
            yield Finding(path, message, fix, at_key=True)


@rule("KUS510", Severity.ERROR, "Serving")
def predictor_takes_part(serving: Serving) -> Iterator[Finding]:
    """Every predictor is a party.

    The servers of all parties refuse to start otherwise.

    Fails: serving_input_config: {predictorParties: [carol]}
    Passes: serving_input_config: {predictorParties: [alice]}
    """
    top = root_section(serving)
    predictors = top.get("predictor_parties") if top else None
    domains = [party.domain for party in serving.parties]
    for index, node in enumerate(elements(predictors)):
        if top and isinstance(node.value, str) and node.value not in domains:
            path = (*top.at("predictor_parties"), index)
            hint = nearest(node.value, domains)
            fix = f"did you mean {hint!r}?" if hint else f"name one of {listed(domains, 'or')}"
            yield Finding(path, f"this item of {path[-2]} is not a party", fix)


@rule("KUS511", Severity.ERROR, "Serving")
def several_domains_take_part(serving: Serving) -> Iterator[Finding]:
    """At least two domains take part in a serving of secretflow-serving.

    The server refuses to start alone, and counts a domain once whatever its roles.

    Fails:
        app: secretflow-serving
        parties: [{domain_id: bob, $remove: true}]
    Passes with: parties: [{domain_id: bob, app_image: pair}]
    """
    domains = {party.domain for party in serving.parties}
    if serving.initiator not in domains:
        return  # one that is missing is found as such
    if runs_secretflow_serving(serving) and len(domains) < 2:  # noqa: PLR2004 - at least two
        message = "only one domain takes part"
        top = root_section(serving)
        others = _strays(serving, top.get("party_configs") if top else None)
        other = f"the party {others[0]!r}, which has an entry" if others else "the other party"
        fix = f"add {other}, or set app to other if this is another application"
        yield Finding(("parties",), message, fix, at_key=True)


RULES = (
    party_is_configured,
    configured_domain_takes_part,
    predictor_takes_part,
    several_domains_take_part,
)
