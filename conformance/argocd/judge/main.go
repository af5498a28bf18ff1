// Command judge asks Argo CD's own packages: a request on each line of its input, an answer on each of its output.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	log "github.com/sirupsen/logrus"
)

const longest = 64 << 20

// A subject prepares what it needs once, and then answers requests.
var subjects = map[string]func() (func(json.RawMessage) (any, error), error){
	"health":       newHealth,
	"differences":  newDifferences,
	"applications": newApplications,
	"permissions":  newPermissions,
	"manifests":    newManifests,
	"sync":         newSync,
	"deletion":     newDeletion,
}

func main() {
	log.SetOutput(os.Stderr)
	if len(os.Args) != 2 || subjects[os.Args[1]] == nil {
		log.Fatalf("usage: judge SUBJECT")
	}
	if err := serve(os.Args[1], os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// serve answers every line; what Argo CD says is wrong is an answer as well.
func serve(subject string, input io.Reader, output io.Writer) error {
	answer, err := subjects[subject]()
	if err != nil {
		return fmt.Errorf("preparing %s: %w", subject, err)
	}
	lines := bufio.NewScanner(input)
	lines.Buffer(nil, longest)
	encoder := json.NewEncoder(output)
	for lines.Scan() {
		found, err := answer(lines.Bytes())
		if err != nil {
			found = map[string]string{"error": err.Error()}
		}
		if err := encoder.Encode(found); err != nil {
			return err
		}
	}
	return lines.Err()
}

func decoded[Request any](line json.RawMessage) (request Request, err error) {
	err = json.Unmarshal(line, &request)
	return request, err
}
