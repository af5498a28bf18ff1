// Command controller runs KServe's real webhooks and its InferenceService controller on loopback.
// Those of language models are in the folder llm, as KServe has a program of its own for them, and
// those of graphs, trained models and caches in the folder plain.
//
// These files only join the parts of KServe as its own manager does, without a leader, and with
// webhooks that nobody else can reach.
package main

import (
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"servingctl/conformance/kserve/loopback"
	"servingctl/conformance/kserve/services"
)

func main() {
	loopback.Main(newManager)
}

func newManager(config *rest.Config, hooks webhook.Server) (ctrl.Manager, error) {
	manager, _, err := services.NewManager(config, hooks)
	return manager, err
}
