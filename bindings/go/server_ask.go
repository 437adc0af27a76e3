//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"encoding/json"
	"fmt"
)

// Ask asks the client of a request: for input of the person ("elicitation/create"), for the answer of a model
// ("sampling/createMessage"), or for its roots ("roots/list"). The first time it gives [ErrAsked], which the handler must return;
// the handler then runs again, and the same call gives the answer, in every revision. key names the question within the request.
// A handler may ask several things, one after another or together ([errors.Join]).
//
// What comes before the last question runs once more with each answer: do what must happen once after it.
func (r *Request) Ask(key, method string, params any) (json.RawMessage, error) {
	name, err := ended(method, key)
	if err != nil {
		return nil, err
	}
	question, err := ended("method", method)
	if err != nil {
		return nil, err
	}
	body, err := encode(method, params)
	if err != nil {
		return nil, err
	}
	if body == nil {
		body = []byte("{}\x00")
	}
	var answer json.RawMessage
	err = r.live(method, func(m messageHandle) (err error) { answer, err = askOf(m, name, question, body); return err })
	if err == nil && answer == nil {
		err = ErrAsked
	}
	return answer, err
}

func askAs[T any](r *Request, key, method string, params any) (*T, error) {
	answer, err := r.Ask(key, method, params)
	if err != nil {
		return nil, err
	}
	result := new(T)
	return result, decode(method, answer, result)
}

// Elicit asks the person at the client for input; see [Request.Ask] and [ElicitAs]. For a page to visit, Mode is "url".
func (r *Request) Elicit(key string, params *ElicitRequestParams) (*ElicitResult, error) {
	return askAs[ElicitResult](r, key, MethodElicitation, params)
}

// Sample asks the model of the client; see [Request.Ask].
//
// Deprecated: 2026-07-28 deprecates sampling (SEP-2577). It works in every revision that has it.
func (r *Request) Sample(key string, params *CreateMessageRequestParams) (*CreateMessageResult, error) {
	return askAs[CreateMessageResult](r, key, MethodSampling, params)
}

// Roots asks for the client's roots; see [Request.Ask].
//
// Deprecated: 2026-07-28 deprecates roots (SEP-2577). It works in every revision that has it.
func (r *Request) Roots(key string) ([]Root, error) {
	result, err := askAs[ListRootsResult](r, key, MethodRoots, nil)
	if err != nil {
		return nil, err
	}
	return result.Roots, nil
}

// ErrDeclined is what [ElicitAs] gives when the person did not want to answer, or closed the form.
var ErrDeclined = fmt.Errorf("mcp: the person did not answer")

// ElicitAs asks the person at the client to fill in a form whose fields are those of T, as in [AddTool]; texts, numbers and truth
// values only, and no secrets. ErrDeclined says that the person said no.
func ElicitAs[T any](r *Request, key, message string) (T, error) {
	var value T
	form, err := formOf[T]()
	if err != nil {
		return value, err
	}
	answer, err := r.Ask(key, MethodElicitation, map[string]any{"mode": "form", "message": message, "requestedSchema": form})
	if err != nil {
		return value, err
	}
	var said struct {
		Action  string          `json:"action"`
		Content json.RawMessage `json:"content"`
	}
	if err := decode(MethodElicitation, answer, &said); err != nil {
		return value, err
	}
	if said.Action != "accept" {
		return value, ErrDeclined
	}
	if said.Content == nil {
		return value, nil
	}
	return value, decode(MethodElicitation, said.Content, &value)
}

// formOf is the schema of a form: what the protocol allows of one.
func formOf[T any]() (map[string]json.RawMessage, error) {
	schema, err := schemaOf[T]()
	if err != nil {
		return nil, err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(schema, &all); err != nil {
		return nil, err
	}
	form := make(map[string]json.RawMessage)
	for _, member := range []string{"type", "properties", "required"} {
		if value, there := all[member]; there {
			form[member] = value
		}
	}
	if form["properties"] == nil {
		form["properties"] = json.RawMessage("{}")
	}
	return form, nil
}
