//go:build cgo

package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
)

// AddTool adds a tool whose arguments are an In and whose result is an Out. The schemas are made from the types, unless the tool
// has its own: names from the tag "json", descriptions from the tag "jsonschema"; a field without "omitempty" or "omitzero" is
// required.
//
//	type Sum struct {
//		A int `json:"a" jsonschema:"the first number"`
//		B int `json:"b" jsonschema:"the second number"`
//	}
//
// The library checks arguments against the schema before the handler runs. In is a struct, a map, or struct{} for none. Out is
//
//   - a struct or a map, which becomes structured content, with its JSON as text for clients that read text only,
//   - a string, which becomes a block of text,
//   - a [*CallToolResult], sent as it is, or
//   - any, for structured content of which no schema is promised.
//
// A handler returns [Failf] for what the model may read, and [ErrAsked] as it got it.
func AddTool[In, Out any](server *Server, tool *Tool, handle func(ctx context.Context, request *Request, in In) (Out, error)) error {
	definition := *tool
	if definition.InputSchema == nil {
		schema, err := schemaOf[In]()
		if err != nil {
			return server.remember(unfit(tool.Name, "arguments", err))
		}
		definition.InputSchema = schema
	}
	out := reflect.TypeFor[Out]()
	if definition.OutputSchema == nil && isStructured(out) {
		schema, err := schemaOf[Out]()
		if err != nil {
			return server.remember(unfit(tool.Name, "result", err))
		}
		definition.OutputSchema = schema
	}
	return server.addTool(&definition, func(ctx context.Context, request *Request) (any, error) {
		var in In
		if request.Arguments != nil {
			if err := json.Unmarshal(request.Arguments, &in); err != nil {
				// The schema says yes and the type says no, as to 1.5 or 2^70 for an int.
				return nil, Failf("The arguments do not fit: %v", err)
			}
		}
		result, err := handle(ctx, request, in)
		if err != nil {
			return nil, err
		}
		return toolAnswer(result)
	})
}

func unfit(tool, what string, cause error) error {
	return &Error{Status: StatusInvalidArgument, Operation: "add", Message: fmt.Sprintf("add: the %s of the tool %q: %v", what, tool, cause), cause: cause}
}

// toolAnswer is what the result of a handler is for the library.
func toolAnswer(result any) (any, error) {
	switch result := result.(type) {
	case string:
		return textAnswer{text: result}, nil
	case *CallToolResult:
		return ifAny(result, nil)
	}
	structured, err := json.Marshal(result)
	if err != nil {
		return nil, err
	}
	// The library adds the text ("structured_as_text").
	return json.RawMessage(fmt.Appendf(nil, `{"content":[],"structuredContent":%s}`, structured)), nil
}

// isStructured says whether a result of this type has a schema.
func isStructured(out reflect.Type) bool {
	return out != reflect.TypeFor[*CallToolResult]() && out.Kind() != reflect.String && out.Kind() != reflect.Interface &&
		out != reflect.TypeFor[json.RawMessage]()
}

// schemaOf is the schema of a type that becomes a JSON object.
func schemaOf[T any]() (json.RawMessage, error) {
	of := reflect.TypeFor[T]()
	if of.Kind() == reflect.Interface || of == reflect.TypeFor[json.RawMessage]() {
		return json.RawMessage(`{"type":"object"}`), nil
	}
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct && of.Kind() != reflect.Map {
		return nil, fmt.Errorf("%v does not become a JSON object: give a struct or a map", of)
	}
	schema, err := jsonschema.ForType(of, &jsonschema.ForOptions{})
	if err != nil {
		return nil, err
	}
	return json.Marshal(schema)
}
