// What the API server's own CEL says of rules of schemas and of expressions: JSON lines in, JSON lines out.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types/ref"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"
	"reflect"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

type question struct {
	Schema     json.RawMessage `json:"schema"`
	Object     any             `json:"object"`
	OldObject  any             `json:"oldObject"`
	Expression string          `json:"expression"`
	Variables  map[string]any  `json:"variables"`
}

type refusal struct {
	Type  string `json:"type"`
	Field string `json:"field"`
	Text  string `json:"text"`
}

type answer struct {
	Errors  []refusal `json:"errors,omitempty"`
	Value   any       `json:"value,omitempty"`
	Refused string    `json:"refused,omitempty"`
	Failed  string    `json:"failed,omitempty"`
}

func main() {
	reader := bufio.NewReaderSize(os.Stdin, 1<<20)
	decoder := json.NewDecoder(reader)
	writer := json.NewEncoder(os.Stdout)
	for decoder.More() {
		var asked question
		if err := decoder.Decode(&asked); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if err := writer.Encode(answered(asked)); err != nil {
			os.Exit(1)
		}
	}
}

func answered(asked question) answer {
	if asked.Schema != nil {
		return validated(asked)
	}
	return evaluated(asked)
}

// judge is a schema whose rules are compiled: a schema is often asked of many objects.
type judge struct {
	schema    *schema.Structural
	validator *schemacel.Validator
}

var judges = map[string]judge{}

func judgeOf(text json.RawMessage) (judge, error) {
	if known, found := judges[string(text)]; found {
		return known, nil
	}
	var given apiextensionsv1.JSONSchemaProps
	if err := json.Unmarshal(text, &given); err != nil {
		return judge{}, err
	}
	internal := &apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&given, internal, nil); err != nil {
		return judge{}, err
	}
	structural, err := schema.NewStructural(internal)
	if err != nil {
		return judge{}, err
	}
	made := judge{structural, schemacel.NewValidator(structural, false, celconfig.PerCallLimit)}
	judges[string(text)] = made
	return made, nil
}

func validated(asked question) answer {
	known, err := judgeOf(asked.Schema)
	if err != nil {
		return answer{Refused: err.Error()}
	}
	if known.validator == nil {
		return answer{}
	}
	found, _ := known.validator.Validate(context.Background(), field.NewPath("self"), known.schema, whole(asked.Object), whole(asked.OldObject), celconfig.RuntimeCELCostBudget)
	var made answer
	for _, item := range found {
		made.Errors = append(made.Errors, refusal{string(item.Type), item.Field, item.Detail})
	}
	return made
}

// whole has integers where JSON has numbers without a fraction, as the API server reads them.
func whole(value any) any {
	switch given := value.(type) {
	case float64:
		if given == float64(int64(given)) {
			return int64(given)
		}
	case map[string]any:
		for key, item := range given {
			given[key] = whole(item)
		}
	case []any:
		for number, item := range given {
			given[number] = whole(item)
		}
	}
	return value
}

func evaluated(asked question) answer {
	base := environment.MustBaseEnvSet(version.MajorMinor(1, 33), true)
	var options []cel.EnvOption
	for name := range asked.Variables {
		options = append(options, cel.Variable(name, cel.DynType))
	}
	env, err := base.Env(environment.NewExpressions)
	if err != nil {
		return answer{Refused: err.Error()}
	}
	if env, err = env.Extend(options...); err != nil {
		return answer{Refused: err.Error()}
	}
	ast, issues := env.Compile(asked.Expression)
	if issues.Err() != nil {
		return answer{Refused: issues.Err().Error()}
	}
	program, err := env.Program(ast, cel.CostLimit(celconfig.PerCallLimit))
	if err != nil {
		return answer{Refused: err.Error()}
	}
	for name, value := range asked.Variables {
		asked.Variables[name] = whole(value)
	}
	found, _, err := program.Eval(asked.Variables)
	if err != nil {
		return answer{Failed: err.Error()}
	}
	return answer{Value: plain(found)}
}

func plain(value ref.Val) any {
	native, err := value.ConvertToNative(reflect.TypeOf(&structpb.Value{}))
	if err != nil {
		return fmt.Sprint(value.Value())
	}
	text, err := protojson.Marshal(native.(*structpb.Value))
	if err != nil {
		return err.Error()
	}
	return json.RawMessage(text)
}
