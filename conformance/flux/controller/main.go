// Command controller says what Flux thinks of the health of objects.
//
// Its input is a JSON list of objects, each with the expressions of a Kustomization that are for
// its kind, if there are any; its output is a list of answers in the same order. The real
// kustomize-controller is a tool of this module and built from it: see go.mod.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"github.com/fluxcd/pkg/apis/kustomize"
	"github.com/fluxcd/pkg/runtime/cel"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

type question struct {
	Object      unstructured.Unstructured         `json:"object"`
	Expressions *kustomize.HealthCheckExpressions `json:"expressions"`
}

type answer struct {
	Status  string `json:"status"`
	Message string `json:"message"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	var questions []question
	if err := json.NewDecoder(os.Stdin).Decode(&questions); err != nil {
		return err
	}
	answers := make([]answer, 0, len(questions))
	for i := range questions {
		result, err := evaluate(&questions[i])
		if err != nil {
			answers = append(answers, answer{"error", err.Error()})
		} else {
			answers = append(answers, answer{result.Status.String(), result.Message})
		}
	}
	return json.NewEncoder(os.Stdout).Encode(answers)
}

// evaluate does as Flux: expressions if there are some for the kind, else what kstatus computes.
func evaluate(asked *question) (*status.Result, error) {
	if asked.Expressions == nil {
		return status.Compute(&asked.Object)
	}
	evaluator, err := cel.NewStatusEvaluator(asked.Expressions)
	if err != nil {
		return nil, err
	}
	return evaluator.Evaluate(context.Background(), &asked.Object)
}
