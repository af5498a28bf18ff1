"""What a backend says of itself: a line for the registry, and functions for each of its kinds."""

from typing import TYPE_CHECKING, Any

from renderer.values.kinds import Kind, TextFiles
from renderer.values.model import Option
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import PermittedKinds, StoredKind

if TYPE_CHECKING:  # of other commands than most
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from renderer.derive.behaviour import Behaviour
    from renderer.engines.runs import EngineContainer
    from renderer.kubernetes.mentions import Mention
    from renderer.kubernetes.pods import Pod
    from renderer.schema.crds import Crd
    from renderer.values.derivations import Applied, Derivation, DerivedUnit
    from renderer.values.diagnostics import Diagnostic, Rule
    from renderer.values.imports import (
        ImportedSpec,
        ListedObject,
        SkippedSource,
        Source,
        Surroundings,
    )
    from renderer.values.live import LiveObject, Query
    from renderer.values.model import Environment, Reference, Spec, Summary
    from renderer.values.objects import Placement, Render, Scene
    from renderer.values.picture import DrawnSpec, Place
    from renderer.values.requests import ApiRequest, ExportRequest
    from renderer.values.running import Running, RunningEnvironment
    from renderer.values.statuses import ObjectStatus, ObservedObject
    from renderer.values.tree import Node, Plain

    Rules = Callable[[], tuple[Rule, ...]]
    View = Callable[[Spec, Environment, Sequence[Summary]], object]
    Pods = Callable[[Any], Iterator[Pod]]
    Engines = Callable[[Any], Iterator[EngineContainer]]
    Identify = Callable[[Any], tuple[object, ...]]
    Plan = Callable[[Spec, Scene], Iterator[Render]]
    References = Callable[[Spec, Environment], Iterator[Reference]]
    Route = Callable[[Spec, Environment], Placement]
    Asks = Callable[[Spec, Environment], bool]
    Derive = Callable[[Applied, Derivation | None], Derivation]
    Behaviours = Callable[[], Behaviour]
    Draw = Callable[[Applied, Derivation], DrawnSpec]
    Skeleton = Callable[[str, Environment], str]
    Export = Callable[[ExportRequest], ApiRequest]
    Related = Callable[[Applied, str], Iterator[Query]]
    Status = Callable[[ObservedObject], ObjectStatus]
    Workloads = Callable[[ObservedObject, DerivedUnit], Sequence[LiveObject] | None]
    Needs = Callable[[Environment], Iterator[str]]
    Places = Callable[[Environment], Iterator[Place]]
    Listed = Callable[[Source], ListedObject | None]
    Convert = Callable[[Source, Surroundings], Iterator[ImportedSpec | SkippedSource]]
    Amounts = Callable[[Node, Environment], Node]
    Destinations = Callable[[Sequence[ImportedSpec]], list[Plain]]
    Mentions = Callable[[str], tuple[Mention, ...]]
    Makes = Callable[[Spec], Iterator[tuple[str, str]]]
    FixedPods = Callable[[Spec], str]
    MadeKeys = Callable[[Spec, str], frozenset[str] | None]
    Derives = Callable[[str], frozenset[str]]
    IsAlwaysThere = Callable[[str, str], bool]
    KnownKinds = Callable[[], Iterable[str]]
    GroupOf = Callable[[str], str]
    AsksWhatRuns = Callable[[Environment], bool]
    MakeRunning = Callable[[Applied, Derivation], Running]
    CheckSelections = Callable[[RunningEnvironment], Iterator[Diagnostic]]
    Permits = Callable[[Environment, Mapping[tuple[str, str], Crd]], PermittedKinds]
else:  # a type that is not evaluated costs no start-up
    Rules = View = Pods = Engines = Plan = References = Route = Asks = Any
    Derive = Behaviours = Draw = Skeleton = Export = Related = Status = Workloads = Any
    Needs = Places = Convert = Amounts = Destinations = Mentions = Makes = Permits = FixedPods = Any
    MadeKeys = Derives = IsAlwaysThere = KnownKinds = GroupOf = Any
    AsksWhatRuns = MakeRunning = CheckSelections = Identify = Any


#: The kind of rules for specs of every kind that no registry names.
OBJECT = "Object"


def lazy(module: str, *names: str) -> "Iterator[Callable[..., Any]]":
    """Functions of a module that is imported when one of them is called: most commands need few.

    A backend imports the same names where types are checked, so that they are the real ones there.
    """
    from importlib import import_module

    def later(name: str) -> "Callable[..., Any]":
        def call(*given: Any) -> Any:
            return getattr(import_module(module), name)(*given)

        return call

    return map(later, names)


def no_pods(view: object) -> "Iterator[Pod]":  # noqa: ARG001
    """Of a kind that describes no pods."""
    return iter(())


def no_engines(view: object) -> "Iterator[EngineContainer]":  # noqa: ARG001
    """Of a kind whose pods are only a part of those that run: others say the rest of them."""
    return iter(())


def no_references(spec: "Spec", environment: "Environment") -> "Iterator[Reference]":  # noqa: ARG001
    """Of a kind that refers to no other spec."""
    return iter(())


def plain_names(spec: "Spec", environment: "Environment") -> bool:  # noqa: ARG001
    """Of a kind whose objects are always called as their specs are."""
    return False


def nothing_related(applied: "Applied", destination: str) -> "Iterator[Query]":  # noqa: ARG001
    """Of a kind whose own objects say all there is to say."""
    return iter(())


def no_mentions(kind: str) -> "tuple[Mention, ...]":  # noqa: ARG001
    """Of a kind whose specs name no objects of the cluster."""
    return ()


def makes_nothing(spec: "Spec") -> "Iterator[tuple[str, str]]":  # noqa: ARG001
    """Of a kind whose objects are all that there is of it."""
    return iter(())


def pods_follow(spec: "Spec") -> str:  # noqa: ARG001
    """Of a kind whose pods, if it has any, are replaced when what they are made of changes."""
    return ""


def unknown_keys(spec: "Spec", kind: str) -> "frozenset[str] | None":  # noqa: ARG001
    """Of a kind that makes nothing with keys."""
    return None


def derives_nothing(kind: str) -> frozenset[str]:  # noqa: ARG001
    """Of a kind whose platform makes nothing that others name."""
    return frozenset()


def no_rules() -> "tuple[Rule, ...]":
    """Of a kind or backend of which nothing is asked there."""
    return ()


class KindFunctions(NamedTuple):
    """What can be done with specs of a kind; what has a default may be left out.

    `view` is the spec in the platform's own terms, which the rules of its kind are given; `users`
    are the summaries of the specs that refer to it. What rules see of a view that are the same
    wherever the spec goes is `placeless`. `pods` are those that a spec describes, as they
    reach Kubernetes: every rule on pods is given each of them. A kind without pods says so, by
    `no_pods`. `engines` are the containers that may run an engine of language models, as they run;
    without it, those of the pods. Without `route`, a spec goes to the destination that it names or
    to the only one of its platform; prerequisites go where their users are.
    `derive` says what the platform makes of an applied object, in view of what it made before, if
    it keeps state; `behaviour` how its controllers follow an edit.
    `mentions` are the places of a spec that name objects of the cluster; `makes` are the kinds and
    names of the objects that are there because of a spec of an open kind: its own, and what a
    controller makes of it; `made_keys` are the keys of the one of a kind, if they are known.
    `fixed_pods` says why pods of a spec stay as they are when the object changes; nothing if they
    do not.
    `derives` are the kinds of objects that the platform names after a spec, in its own ways.
    `picture` is what pictures say of an applied object beside what every derivation says.
    `skeleton` are the fields, with comments, that a new spec of a name begins with.
    `export` makes the requests that the verbs of the kind stand for.
    `status` is what the platform says in a live object, with those that `related` asks for around
    it. `workloads` are the live objects that run a unit, nothing if they cannot be read; without
    it they are known by the names that they are derived with. `written_back` are
    paths, with `*` for any segment, that a platform adds to objects of the kind. `fleet_rules` look
    at all specs together, where there are any of the kind.
    """

    rules: Rules
    view: View
    plan: Plan
    pods: Pods
    engines: Engines | None = None
    placeless: Identify | None = None
    references: References = no_references
    route: Route | None = None
    named_by_content: Asks = plain_names
    derive: Derive | None = None
    behaviour: Behaviours | None = None
    mentions: Mentions = no_mentions
    makes: Makes = makes_nothing
    fixed_pods: FixedPods = pods_follow
    made_keys: MadeKeys = unknown_keys
    derives: Derives = derives_nothing
    picture: Draw | None = None
    skeleton: Skeleton | None = None
    export: Export | None = None
    related: Related = nothing_related
    status: Status | None = None
    workloads: Workloads | None = None
    written_back: tuple[tuple[str, ...], ...] = ()
    fleet_rules: Rules = no_rules


def no_needs(environment: "Environment") -> "Iterator[str]":  # noqa: ARG001
    """Of a backend whose specs need nothing that is not rendered."""
    return iter(())


def no_places(environment: "Environment") -> "Iterator[Place]":  # noqa: ARG001
    """Of a backend that draws places only where something runs."""
    return iter(())


def permits_no_more(
    environment: "Environment",  # noqa: ARG001
    crds: "Mapping[tuple[str, str], Crd]",  # noqa: ARG001
) -> PermittedKinds:
    """Of a backend whose objects are of the kinds that its registry line names."""
    return PermittedKinds()


def no_group(kind: str) -> str:  # noqa: ARG001
    """Of a backend all of whose kinds are in a registry."""
    return ""


def never_there(kind: str, name: str) -> bool:  # noqa: ARG001
    """Of a backend that knows nothing of what every place has."""
    return False


class Importer(NamedTuple):
    """How a backend takes what others wrote.

    `convert` yields the specs that a source becomes, or why it becomes none; nothing if it is not
    the backend's. `amounts_to` is an object in one form for all that mean the same there: with the
    defaults that the platform adds, without what it ignores. `destinations` are those that specs
    need, as an environment would list them. `listed` says what an object is that stands in a list
    of what a cluster has, if such lists are about its kind.
    """

    convert: Convert
    amounts_to: Amounts
    destinations: Destinations
    listed: "Listed | None" = None


class Selections(NamedTuple):
    """How specs select what runs by others, or name it.

    `rules` document what is wrong with that. `is_asked` says whether an environment has such specs;
    only then `running` says what they may see of a derivation, and `check` what is wrong.
    """

    rules: Rules
    is_asked: AsksWhatRuns
    running: MakeRunning
    check: CheckSelections


class BackendFunctions(NamedTuple):
    """The functions of a backend's kinds, and those for environments and for all of them.

    The rules of `environment_rules` check an Environment or a Fleet, as their kind says. `needs`
    are what must be there before anything is applied and is not made here, a line each. `order` is
    what must be applied first where no GitOps controller sees to it, a line each. `places`
    are drawn in the picture of an environment even if nothing runs there. `any_kind` has what can
    be done with specs of kinds that no registry names, `open_kinds` those of them of which more can
    be said; `permits` are those of them that an environment lets people add, of which some may be
    described by CRDs, and `is_always_there` whether every place has an object of a kind and name;
    `provided_fields` are what may be said of objects of a kind that are there already;
    `known_kinds` those that it has tables of, and `group_of` the group of one. `selections` are for
    specs that select what runs by others.
    """

    kinds: dict[str, KindFunctions]
    any_kind: KindFunctions | None = None
    open_kinds: tuple[tuple[str, KindFunctions], ...] = ()
    environment_rules: Rules = no_rules
    needs: Needs = no_needs
    order: Needs = no_needs
    places: Places = no_places
    importer: Importer | None = None
    permits: Permits = permits_no_more
    is_always_there: IsAlwaysThere = never_there
    provided_fields: Derives = derives_nothing
    known_kinds: KnownKinds = tuple
    group_of: GroupOf = no_group
    selections: Selections | None = None


if TYPE_CHECKING:
    Load = Callable[[], BackendFunctions]
    OpenKind = Callable[[str, str | None], Kind | None]
else:
    Load = OpenKind = Any


class RetiredCode(NamedTuple):
    """The code that took the place of one that earlier versions had.

    `in_production` says where the old one held, if there was another one for everywhere else.
    """

    now: str
    in_production: bool | None = None


class Controller(NamedTuple):
    """What runs a platform in a cluster: its Deployment, and the container there.

    The tag of the container's image is the version of the platform.
    """

    deployment: str
    container: str


class Backend(NamedTuple):
    """A line of the registry: what is known of a backend without importing its functions.

    Several backends may serve one platform; what they say of destinations is joined. `place` is
    what people call such a destination, `maker` what they call the platform; `codes` are examples,
    one of each family of its rules.
    `size_fields` say how large what runs is, so that environments may differ in them. `starter` is
    the folder, below the bundled templates, of what it brings to a new repository.
    `retired` are codes that its rules had before: settings and comments may still name them.
    `open_kind` finds a kind that no registry names, by its name and its group, or the only one of
    the name. If it `has_repository_settings`, they may stand in `servingctl.yaml` as well, and an
    environment lays its own over them. `namespaces` is the kind of objects that are namespaces:
    everything in one needs it. `controller` is what shows its version in a cluster. At `text_files`
    its settings and properties of destinations take texts from files.
    """

    name: str
    platform: str
    place: str
    maker: str
    codes: tuple[str, ...]
    kinds: tuple[Kind, ...]
    stored: tuple[StoredKind, ...]
    destination_schema: str
    settings_schema: str
    load: Load
    preview_options: tuple[Option, ...] = ()
    starter: str = ""
    size_fields: tuple[str, ...] = ()
    retired: tuple[tuple[str, RetiredCode], ...] = ()
    open_kind: OpenKind | None = None
    has_repository_settings: bool = False
    namespaces: str = ""
    controller: Controller | None = None
    text_files: tuple[TextFiles, ...] = ()
