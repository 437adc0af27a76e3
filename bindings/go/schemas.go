//go:build cgo

package mcp

import (
	"encoding"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/big"
	"reflect"
	"slices"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// Schemas of Go types: jsonschema-go makes them, and is told here of the types of which encoding/json makes something else.

var (
	jsonMarshaler   = reflect.TypeFor[json.Marshaler]()
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	textMarshaler   = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// schemaOf is the schema of a type that becomes a JSON object: of arguments, and of a form.
func schemaOf[T any]() (json.RawMessage, error) {
	of := reflect.TypeFor[T]()
	if of.Kind() == reflect.Interface || of == reflect.TypeFor[json.RawMessage]() {
		return json.RawMessage(`{"type":"object"}`), nil
	}
	if !isObject(of) {
		return nil, fmt.Errorf("%v does not become a JSON object: give a struct or a map", of)
	}
	return written(objectSchema(bare(of), false))
}

// resultSchema is the schema of the structured content that a tool gives for a type. What is no object is a member of one, because
// structured content is an object in the revisions before 2026-07-28.
func resultSchema(of reflect.Type) (json.RawMessage, error) {
	if isObject(of) {
		return written(objectSchema(bare(of), true))
	}
	schema, err := typeSchema(of, true)
	if err != nil {
		return nil, err
	}
	return written(&jsonschema.Schema{
		Type:       "object",
		Properties: map[string]*jsonschema.Schema{"result": schema},
		Required:   []string{"result"},
	}, nil)
}

func written(schema *jsonschema.Schema, err error) (json.RawMessage, error) {
	if err != nil {
		return nil, err
	}
	return json.Marshal(schema)
}

func bare(of reflect.Type) reflect.Type {
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	return of
}

// isObject says whether a type becomes a JSON object.
func isObject(of reflect.Type) bool {
	of = bare(of)
	return (of.Kind() == reflect.Struct || of.Kind() == reflect.Map) && !reflect.PointerTo(of).Implements(textMarshaler)
}

func objectSchema(of reflect.Type, isResult bool) (*jsonschema.Schema, error) {
	schema, err := typeSchema(of, isResult)
	if err == nil {
		schema.Type, schema.Types = "object", nil
	}
	return schema, err
}

func typeSchema(of reflect.Type, isResult bool) (*jsonschema.Schema, error) {
	known := knownSchemas{of: make(map[reflect.Type]*jsonschema.Schema), isResult: isResult}
	known.learn(of, make(map[reflect.Type]bool))
	schema, err := jsonschema.ForType(of, &jsonschema.ForOptions{TypeSchemas: known.of})
	if err == nil {
		freeAny(schema)
	}
	return schema, err
}

// knownSchemas are those of the types whose JSON is not what their kind says.
type knownSchemas struct {
	of       map[reflect.Type]*jsonschema.Schema
	isResult bool // and not arguments
}

// anyTypes stand for a schema that allows everything: of one without types jsonschema-go makes null alone when a pointer leads there.
var anyTypes = []string{"null", "array", "boolean", "number", "object", "string"}

// freeAny takes the types away from schemas that have all.
func freeAny(schema *jsonschema.Schema) {
	if slices.Equal(schema.Types, anyTypes) {
		schema.Types = nil
	}
	for _, member := range schema.Properties {
		freeAny(member)
	}
	for _, part := range []*jsonschema.Schema{schema.Items, schema.AdditionalProperties} {
		if part != nil {
			freeAny(part)
		}
	}
}

// learn looks at a type and those that it is made of. Inner types come first: the schema of a map needs that of its values.
func (k *knownSchemas) learn(of reflect.Type, seen map[reflect.Type]bool) {
	of = bare(of)
	if seen[of] {
		return
	}
	seen[of] = true
	if schema, isKnown := k.own(of); isKnown {
		if schema != nil {
			k.of[of] = schema
		}
		return
	}
	k.learnParts(of, seen)
}

func (k *knownSchemas) learnParts(of reflect.Type, seen map[reflect.Type]bool) {
	switch of.Kind() {
	case reflect.Struct:
		for i := range of.NumField() {
			switch field := of.Field(i); {
			case field.Anonymous: // Its fields count, and not itself.
				k.learnParts(bare(field.Type), seen)
			case field.IsExported():
				k.learn(field.Type, seen)
			}
		}
	case reflect.Slice, reflect.Array:
		k.learn(of.Elem(), seen)
	case reflect.Map:
		k.learn(of.Elem(), seen)
		if !k.isResult {
			return
		}
		// A nil map is written as null.
		if values, err := jsonschema.ForType(of, &jsonschema.ForOptions{TypeSchemas: k.of}); err == nil {
			values.Type, values.Types = "", []string{"null", "object"}
			k.of[of] = values
		}
	}
}

// own is the schema of a type that says itself how it is written. It is nil for one that jsonschema-go knows.
func (k *knownSchemas) own(of reflect.Type) (schema *jsonschema.Schema, isKnown bool) {
	place := reflect.PointerTo(of)
	reads := func(by reflect.Type) bool { return !k.isResult && place.Implements(by) }
	switch {
	case isNumber(of):
		kind := "number"
		if of == reflect.TypeFor[big.Int]() {
			kind = "integer"
		}
		return &jsonschema.Schema{Type: kind}, true
	case slices.Contains(libraryTypes, of):
		return nil, true
	case place.Implements(jsonMarshaler) || reads(jsonUnmarshaler):
		return &jsonschema.Schema{Types: slices.Clone(anyTypes)}, true
	case of.Implements(textMarshaler):
		return textSchema(of), true
	case place.Implements(textMarshaler) || reads(textUnmarshaler):
		if of.Kind() == reflect.String {
			return nil, true
		}
		return &jsonschema.Schema{Types: slices.Clone(anyTypes)}, true
	case of.Kind() == reflect.Slice && of.Elem().Kind() == reflect.Uint8 && !isOfItsOwn(of.Elem()):
		schema := textSchema(of)
		schema.ContentEncoding = "base64"
		return schema, true
	}
	return nil, false
}

// textSchema is that of a text, or of null where the Go type may be nil.
func textSchema(of reflect.Type) *jsonschema.Schema {
	switch of.Kind() {
	case reflect.Slice, reflect.Map, reflect.Interface:
		return &jsonschema.Schema{Types: []string{"null", "string"}}
	default:
		return &jsonschema.Schema{Type: "string"}
	}
}

func isNumber(of reflect.Type) bool {
	return of == reflect.TypeFor[json.Number]() || of == reflect.TypeFor[big.Int]()
}

// isOfItsOwn says whether an element of a list of bytes is written by a method of its own.
func isOfItsOwn(of reflect.Type) bool {
	place := reflect.PointerTo(of)
	return place.Implements(jsonMarshaler) || place.Implements(textMarshaler)
}

// libraryTypes are types of Go's library that jsonschema-go knows.
var libraryTypes = []reflect.Type{
	reflect.TypeFor[time.Time](), reflect.TypeFor[slog.Level](), reflect.TypeFor[big.Rat](), reflect.TypeFor[big.Float](),
}
