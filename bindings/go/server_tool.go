//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
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
//   - a [*CallToolResult] or a [CallToolResult], sent as it is,
//   - a [ContentBlock] or a list of these, which becomes the content,
//   - a list, a number or a truth value, which becomes the member "result" of the structured content, or
//   - any, for each of these as it comes, with no schema promised. A type without a JSON schema, as one that contains itself,
//     promises none either; one that [encoding/json] cannot write is an error.
//
// Schemas are those of what [encoding/json] makes of a type: a []byte is a string in base64, a [json.Number] a number, a type with
// MarshalText a string, and a type with MarshalJSON, as [json.RawMessage], anything. Of arguments they say what it reads: there
// UnmarshalText and UnmarshalJSON count.
//
// A handler returns [Failf] for what the model may read, and [ErrAsked] as it got it.
func AddTool[In, Out any](server *Server, tool *Tool, handle func(ctx context.Context, request *Request, in In) (Out, error)) error {
	if err := server.given("a tool", tool, handle); err != nil {
		return err
	}
	definition := *tool
	isOwn := tool.InputSchema != nil
	if !isOwn {
		schema, err := schemaOf[In]()
		if err != nil {
			return server.remember(unfit(tool.Name, "arguments", err))
		}
		definition.InputSchema = schema
	}
	wraps := wrapsNone
	if definition.OutputSchema == nil {
		wraps = wrapsOthers
	}
	if out := reflect.TypeFor[Out](); wraps == wrapsOthers && isStructured(out) {
		if !isObject(out, true) {
			wraps = wrapsAll
		}
		schema, err := resultSchema(out)
		if err != nil {
			if !isWritable(out) {
				return server.remember(unfit(tool.Name, "result", err))
			}
			wraps, schema = wrapsOthers, nil
		}
		definition.OutputSchema = schema
	}
	return server.addTool(&definition, func(ctx context.Context, request *Request) (any, error) {
		var in In
		if request.Arguments != nil {
			arguments := request.Arguments
			if isOwn { // A schema that is made of the type lets no other names through.
				arguments = exactly(arguments, reflect.TypeFor[In]())
			}
			if err := json.Unmarshal(arguments, &in); err != nil {
				// The schema says yes and the type says no, as to 1.5 or 2^70 for an int.
				return nil, Failf("The arguments do not fit: %v", err)
			}
		}
		result, err := handle(ctx, request, in)
		if err != nil {
			return nil, err
		}
		return toolAnswer(result, wraps)
	})
}

func unfit(tool, what string, cause error) error {
	return &Error{Status: StatusInvalidArgument, Operation: "add", Message: fmt.Sprintf("add: the %s of the tool %q: %v", what, tool, cause), cause: cause}
}

// wrapping says which results become a member of an object.
type wrapping int

const (
	wrapsNone   wrapping = iota // The tool has a schema of its own.
	wrapsOthers                 // Those that are no object.
	wrapsAll
)

// toolAnswer is what the result of a handler is for the library.
func toolAnswer(result any, wraps wrapping) (any, error) {
	switch result := result.(type) {
	case string:
		return textAnswer{text: result}, nil
	case *CallToolResult:
		return ifAny(result, nil)
	case CallToolResult:
		return &result, nil
	}
	of := reflect.ValueOf(result)
	if of.IsValid() && isContent(of.Type()) {
		return contentOf(of)
	}
	if of.IsValid() && isText(of.Type()) {
		return textAnswer{text: of.String()}, nil
	}
	if wraps == wrapsOthers && of.IsValid() && isObject(of.Type(), true) {
		switch {
		case of.Kind() == reflect.Map && of.IsNil():
			return json.RawMessage(`{"content":[],"structuredContent":{}}`), nil
		case of.Kind() == reflect.Pointer && of.IsNil():
			return nil, fmt.Errorf("the handler returned neither a %T nor an error", result)
		}
	}
	structured, err := json.Marshal(result)
	if err != nil {
		return nil, err
	}
	if wraps == wrapsNone || wraps == wrapsOthers && structured[0] == '{' {
		// The library adds the text ("structured_as_text").
		return json.RawMessage(fmt.Appendf(nil, `{"content":[],"structuredContent":%s}`, structured)), nil
	}
	text := string(structured)
	if structured[0] == '"' {
		text = plain(structured)
	}
	return CallToolResult{Content: []ContentBlock{Text(text)}, StructuredContent: fmt.Appendf(nil, `{"result":%s}`, structured)}, nil
}

// isStructured says whether a result of this type has a schema.
func isStructured(out reflect.Type) bool {
	return bare(out) != reflect.TypeFor[CallToolResult]() && !isText(out) && !isContent(out) && out.Kind() != reflect.Interface &&
		out != reflect.TypeFor[json.RawMessage]()
}

// isWritable says whether [encoding/json] knows how to write a type and all that is in it. No code of the type runs.
func isWritable(out reflect.Type) bool {
	return canWrite(out, map[reflect.Type]bool{})
}

func canWrite(of reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[of] || marshals(of) {
		return true
	}
	seen[of] = true
	switch of.Kind() {
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
		return false
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return canWrite(of.Elem(), seen)
	case reflect.Map:
		return isKey(of.Key()) && canWrite(of.Elem(), seen)
	case reflect.Struct:
		for index := range of.NumField() {
			field := of.Field(index)
			isLeftOut := field.Tag.Get("json") == "-" || !field.IsExported() && !(field.Anonymous && bare(field.Type).Kind() == reflect.Struct)
			if !isLeftOut && !canWrite(field.Type, seen) {
				return false
			}
		}
	}
	return true
}

// marshals says whether a type writes itself, also where it can be addressed.
func marshals(of reflect.Type) bool {
	if of.Kind() != reflect.Pointer && of.Kind() != reflect.Interface {
		of = reflect.PointerTo(of)
	}
	return of.Implements(jsonMarshaler) || of.Implements(textMarshaler)
}

// isKey says whether a type can be the key of an object.
func isKey(of reflect.Type) bool {
	return of.Kind() == reflect.String || of.Kind() >= reflect.Int && of.Kind() <= reflect.Uintptr || of.Implements(textMarshaler)
}

// isContent says whether a result of this type is a content block or a list of these.
func isContent(out reflect.Type) bool {
	block := reflect.TypeFor[ContentBlock]()
	return out.Implements(block) || (out.Kind() == reflect.Slice || out.Kind() == reflect.Array) && out.Elem().Implements(block)
}

// contentOf is a result of content blocks.
func contentOf(of reflect.Value) (any, error) {
	blocks := []ContentBlock{}
	add := func(of reflect.Value) bool {
		if of.Kind() == reflect.Interface {
			of = of.Elem()
		}
		block, isBlock := ContentBlock(nil), of.IsValid() && !(of.Kind() == reflect.Pointer && of.IsNil())
		if isBlock {
			block, isBlock = of.Interface().(ContentBlock)
		}
		blocks = append(blocks, block)
		return isBlock
	}
	if of.Kind() != reflect.Slice && of.Kind() != reflect.Array {
		if !add(of) {
			return nil, fmt.Errorf("the handler returned neither a %v nor an error", of.Type())
		}
		return &CallToolResult{Content: blocks}, nil
	}
	for index := range of.Len() {
		if !add(of.Index(index)) {
			return nil, fmt.Errorf("the handler returned nil in place of the content block %d", index)
		}
	}
	return &CallToolResult{Content: blocks}, nil
}

// isText says whether a result of this type is a block of text.
func isText(out reflect.Type) bool {
	return out.Kind() == reflect.String && out != reflect.TypeFor[json.Number]() && !out.Implements(jsonMarshaler) &&
		!out.Implements(textMarshaler)
}
