"""Objects beside a serving, imported with it: what is written, left out, refused."""

from renderer.adopt.adoption import adopt
from renderer.adopt.sources import ForeignText
from tests.support.adoption import imported, in_memory, manifests_of, with_import
from tests.support.repositories import HEADER
from tests.support.rows import each

ENVIRONMENT = "environments/dev/environment.yaml"
ONE = {
    "servingctl.yaml": "",
    ENVIRONMENT: HEADER.format("Environment")
    + "destinations: [{name: gpu, platform: kubernetes, namespace: models}]\n",
}
TWO = {
    "servingctl.yaml": "companions: {}\n",
    ENVIRONMENT: HEADER.format("Environment") + "destinations:\n"
    "  - {name: east, platform: kubernetes, namespace: models}\n"
    "  - {name: west, platform: kubernetes, namespace: models}\n",
}
OBJECT = "apiVersion: {0}\nkind: {1}\nmetadata: {{name: a{2}}}\n"
SERVICE = """\
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: chat%s, annotations: {serving.kserve.io/deploymentMode: Standard}}
spec:
  predictor:
    serviceAccountName: a
    model: {modelFormat: {name: sklearn}, storageUri: 's3://models/chat'}
"""


def obj(version, kind, metadata="", rest=""):
    return OBJECT.format(version, kind, metadata) + rest


def text_of(adoption, path):
    return {file.path: file.text for file in adoption.files}[f"environments/dev/{path}"]


LIVE_SERVICE = obj(
    "v1",
    "Service",
    ", namespace: models, uid: u, resourceVersion: '1', finalizers: [x]",
    "spec: {clusterIP: 10.0.0.1, clusterIPs: [10.0.0.1], ports: [{port: 80}]}\n"
    "status: {loadBalancer: {}}\n",
)
HEADLESS = "spec: {clusterIP: None, clusterIPs: [None], ports: [{port: 80}]}\n"
CLAIM = (
    "spec: {volumeName: pvc-1, accessModes: [ReadOnlyMany], "
    "resources: {requests: {storage: 1Gi}}}\n"
)
SPEC_OF_CLAIM = (
    "  accessModes:\n    - ReadOnlyMany\n  resources:\n    requests:\n      storage: 1Gi\n"
)
BOUND = ", annotations: {pv.kubernetes.io/bound-by-controller: 'yes'}"
JOB = """\
spec:
  selector: {matchLabels: {batch.kubernetes.io/controller-uid: u}}
  template:
    metadata: {labels: {batch.kubernetes.io/controller-uid: u, job-name: a}}
    spec: {restartPolicy: Never, containers: [{name: a, image: 'example/a:v1'}]}
"""
ACCOUNT = (
    "secrets: [{name: a-token-x2l7q}, {name: mine}]\nimagePullSecrets: [{name: a-dockercfg-1}]\n"
)
ALLOWED = {**ONE, "servingctl.yaml": "companions: {allow: [Job]}\n"}
SPEC_OF_JOB = (
    "spec:\n  template:\n    spec:\n      restartPolicy: Never\n      containers:\n"
    "        - name: a\n          image: example/a:v1\n"
)
SPEC_OF_SERVICE = "spec:\n  ports:\n    - port: 80\n"


@each(
    "files text path written",
    {
        "what servers write": (ONE, LIVE_SERVICE, "services/a.yaml", SPEC_OF_SERVICE),
        "an address that is none": (
            ONE,
            obj("v1", "Service", "", HEADLESS),
            "services/a.yaml",
            'spec:\n  clusterIP: "None"\n  clusterIPs:\n    - "None"\n  ports:\n    - port: 80\n',
        ),
        "an address that its author chose": (
            ONE,
            obj("v1", "Service", "", "spec: {clusterIP: 10.0.0.1, ports: [{port: 80}]}\n"),
            "services/a.yaml",
            'spec:\n  clusterIP: "10.0.0.1"\n  ports:\n    - port: 80\n',
        ),
        "a volume that a controller chose": (
            ONE,
            obj("v1", "PersistentVolumeClaim", BOUND, CLAIM),
            "persistentvolumeclaims/a.yaml",
            "spec:\n" + SPEC_OF_CLAIM,
        ),
        "a volume that its author chose": (
            ONE,
            obj("v1", "PersistentVolumeClaim", "", CLAIM),
            "persistentvolumeclaims/a.yaml",
            "spec:\n  volumeName: pvc-1\n" + SPEC_OF_CLAIM,
        ),
        "how a Job finds its pods": (
            ALLOWED,
            obj("batch/v1", "Job", "", JOB),
            "jobs/a.yaml",
            SPEC_OF_JOB,
        ),
        "Secrets that are made for an account": (
            ONE,
            obj("v1", "ServiceAccount", "", ACCOUNT),
            "serviceaccounts/a.yaml",
            "secrets:\n  - name: mine\n",
        ),
        "a kind that ends in y, in another namespace": (
            ONE,
            obj("networking.k8s.io/v1", "NetworkPolicy", ", namespace: other", "spec: {}\n"),
            "networkpolicies/a.yaml",
            "metadata:\n  namespace: other\nspec: {}\n",
        ),
        "a kind that two groups have": (
            ONE,
            obj("networking.istio.io/v1", "Gateway", "", "spec: {}\n"),
            "gateways.networking.istio.io/a.yaml",
            "spec: {}\n",
        ),
        "a kind of the user's own": (
            ONE,
            obj("acme.example.com/v1", "Widget", "", "spec: {size: 1}\n"),
            "widgets.acme.example.com/a.yaml",
            "spec:\n  size: 1\n",
        ),
        "texts that look like variables": (
            ONE,
            obj("acme.example.com/v1", "Widget", "", "spec: {text: '${vars.x}'}\n"),
            "widgets.acme.example.com/a.yaml",
            'spec:\n  text: "$${vars.x}"\n',
        ),
        "waves and replacement by others": (
            ONE,
            obj(
                "v1",
                "ServiceAccount",
                ", annotations: {argocd.argoproj.io/sync-wave: '3',"
                " argocd.argoproj.io/sync-options: 'Replace=true,Validate=false'}",
            ),
            "serviceaccounts/a.yaml",
            "metadata:\n  annotations:\n    argocd.argoproj.io/sync-options: Validate=false\n",
        ),
        "a later wave of what nothing waits for": (
            ALLOWED,
            obj("batch/v1", "Job", ", annotations: {argocd.argoproj.io/sync-wave: '10'}", JOB),
            "jobs/a.yaml",
            'metadata:\n  annotations:\n    argocd.argoproj.io/sync-wave: "10"\n' + SPEC_OF_JOB,
        ),
        "a name and how to make one": (
            ONE,
            obj("v1", "ServiceAccount", ", generateName: a-"),
            "serviceaccounts/a.yaml",
            "",
        ),
        "what is encrypted": (
            ONE,
            obj(
                "bitnami.com/v1alpha1",
                "SealedSecret",
                "",
                "spec: {encryptedData: {password: AgBy8hCi8}}\n",
            ),
            "sealedsecrets/a.yaml",
            "spec:\n  encryptedData:\n    password: AgBy8hCi8\n",
        ),
        "marks against pruning that rendering writes": (
            ONE,
            obj(
                "v1",
                "PersistentVolumeClaim",
                ", annotations: {kustomize.toolkit.fluxcd.io/prune: disabled,"
                " argocd.argoproj.io/sync-options: 'Prune=false,Delete=false'}",
                CLAIM,
            ),
            "persistentvolumeclaims/a.yaml",
            "spec:\n  volumeName: pvc-1\n" + SPEC_OF_CLAIM,
        ),
    },
)
def test_what_is_written(files, text, path, written):
    adoption = imported(files, {"given.yaml": text}, "dev")
    assert (adoption.errors, adoption.differences) == ((), ())
    assert text_of(adoption, path).partition("\n")[2].partition("\n")[2] == written


@each(
    "text why",
    {
        "a plain Secret": (
            obj("v1", "Secret", "", "stringData: {token: abc}\n"),
            "write an ExternalSecret 'a' with data: [{secretKey: token, remoteRef: {key: …}}]",
        ),
        "a workload": (obj("batch/v1", "Job", "", JOB), "name it in companions.allow"),
        "an object of the cluster": (obj("v1", "Namespace"), "name it in companions.allow"),
        "a hook": (
            obj("v1", "ConfigMap", ", annotations: {argocd.argoproj.io/hook: PreSync}"),
            "Argo CD applies hooks in phases of their own",
        ),
        "a file of kustomize": (
            "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n",
            "import what `kustomize build .` prints",
        ),
        "a patch of kustomize": (
            obj("v1", "ConfigMap", "", "$patch: delete\n"),
            "import what `kustomize build .` prints",
        ),
        "a name that a tool fills in": (
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: 'a-${TEAM}'}\n",
            "import what that tool makes of it",
        ),
        "a namespace that a tool fills in": (
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: $TEAM}\n",
            "a tool fills in its namespace; import what that tool makes of it",
        ),
        "a service in such a namespace": (
            "apiVersion: serving.kserve.io/v1beta1\nkind: InferenceService\n"
            "metadata: {name: a, namespace: '{{ team }}'}\nspec: {predictor: {}}\n",
            "a tool fills in its namespace",
        ),
        "a kind that nobody has": (
            obj("v1", "Servise"),
            "there is no Servise of apiVersion 'v1'; correct kind and apiVersion",
        ),
        "a service of an older group": (
            obj("serving.kubeflow.org/v1beta1", "InferenceService"),
            "servingctl knows it of serving.kserve.io/v1",
        ),
    },
)
def test_what_is_refused(text, why):
    adoption = imported(ONE, {"given.yaml": text}, "dev")
    assert not adoption.drafts
    (skipped,) = adoption.skipped
    assert why in skipped.why


class TestFilesOfOtherTools:
    def skipped(self, files):
        skipped = imported(ONE, files, "dev").skipped
        return {item.origin.file: item.why for item in skipped}

    def test_what_kustomize_patches_with(self):
        listing = "resources: [a.yaml]\npatches: [{path: ./patch.yaml}]\n"
        found = self.skipped(
            {
                "k/kustomization.yaml": listing,
                "k/patch.yaml": obj("v1", "ConfigMap", "", "data: {}\n"),
                "k/a.yaml": obj("v1", "ConfigMap", "", "data: {a: b}\n"),
            }
        )
        assert [*found] == ["k/kustomization.yaml", "k/patch.yaml"]
        assert "`kustomize build k`" in found["k/patch.yaml"]

    def test_a_chart(self):
        found = self.skipped(
            {
                "c/Chart.yaml": "name: c\n",
                "c/values.yaml": "a: 1\n",
                "c/templates/a.yaml": obj("v1", "ConfigMap"),
                "d/values.yaml": "a: 1\n",
            }
        )
        assert "`helm template c`" in found["c/templates/a.yaml"]
        assert found["c/templates/a.yaml"] == found["c/Chart.yaml"] == found["c/values.yaml"]
        assert found["d/values.yaml"].startswith("it is no object, which has apiVersion")


class TestWhereTheyGo:
    def rendered(self, files, given):
        adoption = imported(files, given, "dev")
        assert (adoption.errors, adoption.differences) == ((), ())
        paths = manifests_of(in_memory(with_import(files, adoption)), "dev")
        return adoption, sorted(path for path in paths if "inferenceservices" not in path)

    def test_beside_their_users(self):
        """What a service refers to follows it, and says nothing of its own."""
        given = {"west/all.yaml": f"{SERVICE % ''}---\n{obj('v1', 'ServiceAccount')}"}
        adoption, paths = self.rendered(TWO, given)
        assert "$" not in text_of(adoption, "serviceaccounts/a.yaml")
        assert paths == ["dev/west/serviceaccount/a.yaml"]

    def test_where_they_came_from(self):
        """What nothing refers to says its destination, where there are several."""
        adoption, paths = self.rendered(TWO, {"west/all.yaml": obj("v1", "ServiceAccount")})
        assert "$destination: west\n" in text_of(adoption, "serviceaccounts/a.yaml")
        assert paths == ["dev/west/serviceaccount/a.yaml"]

    def test_to_both_clusters(self):
        account = obj("v1", "ServiceAccount")
        adoption, paths = self.rendered(TWO, {"west.yaml": account, "east.yaml": account})
        assert "$destination:\n  - east\n  - west\n" in text_of(adoption, "serviceaccounts/a.yaml")
        assert paths == ["dev/east/serviceaccount/a.yaml", "dev/west/serviceaccount/a.yaml"]

    def test_not_to_another_namespace(self):
        """One in the namespace of the destination stays there, although its user is elsewhere."""
        given = {"all.yaml": f"{SERVICE % ', namespace: b'}---\n{obj('v1', 'ServiceAccount')}"}
        adoption, paths = self.rendered(ONE, given)
        assert "  namespace: models\n" in text_of(adoption, "serviceaccounts/a.yaml")
        assert paths == ["dev/gpu/serviceaccount/a.yaml"]


def test_a_name_with_colons():
    files = {**ONE, "servingctl.yaml": "companions: {allow: [ClusterRole]}\n"}
    role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: 'a:b'}\n"
    adoption = imported(files, {"given.yaml": role}, "dev")
    assert (adoption.errors, adoption.differences) == ((), ())
    text = text_of(adoption, "clusterroles/a-b.yaml")
    assert text.endswith("metadata:\n  name: a:b\n")


def test_files_in_a_folder_that_are_for_others():
    opened = in_memory(ONE)
    given = [ForeignText("f/package.json", b"{a: [", is_found=True)]
    (skipped,) = adopt(given, opened, opened.environment("dev")).skipped
    assert skipped.why.startswith("it cannot be read, and nothing in it looks like an object")


def test_what_a_service_needs_and_nothing_makes():
    adoption = imported(ONE, {"all.yaml": SERVICE % ""}, "dev")
    assert adoption.missing == ("ServiceAccount/a, to which InferenceService/chat refers",)
    both = f"{SERVICE % ''}---\n{obj('v1', 'ServiceAccount')}"
    assert not imported(ONE, {"all.yaml": both}, "dev").missing
    provided = f"{ONE[ENVIRONMENT]}references: {{provided: [ServiceAccount/a]}}\n"
    assert not imported({**ONE, ENVIRONMENT: provided}, {"all.yaml": SERVICE % ""}, "dev").missing


def test_sharing():
    base = HEADER.format("Environment")
    files = {
        **ONE,
        "environments/base/environment.yaml": base,
        ENVIRONMENT: f"{ONE[ENVIRONMENT]}extends: base\n",
        "environments/prod/environment.yaml": f"{ONE[ENVIRONMENT]}extends: base\n",
    }
    first = imported(files, {"a.yaml": obj("v1", "ConfigMap", "", "data: {a: b}\n")}, "prod")
    second = imported(
        with_import(files, first),
        {"a.yaml": obj("v1", "ConfigMap", "", "data: {a: b, c: d}\n")},
        "dev",
        shares=True,
    )
    texts = {file.path: file.text for file in second.files}
    head = "apiVersion: v1\nkind: ConfigMap\n"
    assert texts["environments/base/configmaps/a.yaml"] == f"{head}data:\n  a: b\n"
    assert texts["environments/dev/configmaps/a.yaml"] == f"{head}data:\n  c: d\n"
    assert texts["environments/prod/configmaps/a.yaml"] is None
