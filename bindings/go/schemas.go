//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"encoding"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
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
	if !isObject(of, false) {
		return nil, fmt.Errorf("%v does not become a JSON object: give a struct or a map", of)
	}
	return written(objectSchema(bare(of), false))
}

// resultSchema is the schema of the structured content that a tool gives for a type. What is no object is a member of one, because
// structured content is an object in the revisions before 2026-07-28.
func resultSchema(of reflect.Type) (json.RawMessage, error) {
	if isObject(of, true) {
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

// isObject says whether a type is written as a JSON object, or is read from one.
func isObject(of reflect.Type, isResult bool) bool {
	of = bare(of)
	text := textUnmarshaler
	if isResult {
		text = textMarshaler
	}
	return (of.Kind() == reflect.Struct || of.Kind() == reflect.Map) && !reflect.PointerTo(of).Implements(text)
}

func objectSchema(of reflect.Type, isResult bool) (*jsonschema.Schema, error) {
	schema, err := typeSchema(of, isResult)
	if err == nil {
		schema.Type, schema.Types = "object", nil
	}
	return schema, err
}

func typeSchema(of reflect.Type, isResult bool) (*jsonschema.Schema, error) {
	known := knownSchemas{
		of:       make(map[reflect.Type]*jsonschema.Schema),
		isResult: isResult,
		seen:     make(map[reflect.Type]bool),
		embedded: make(map[reflect.Type]bool),
		open:     make(map[reflect.Type]bool),
	}
	known.learn(of)
	if known.err != nil {
		return nil, known.err
	}
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
	seen     map[reflect.Type]bool
	embedded map[reflect.Type]bool // those seen as embedded types, of which nothing but the fields counts
	open     map[reflect.Type]bool // structs that flat is for, while their parts are learnt
	err      error
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
func (k *knownSchemas) learn(of reflect.Type) {
	of = bare(of)
	if k.seen[of] {
		if k.open[of] && k.err == nil {
			k.err = fmt.Errorf("cycle detected for type %v", of) // As jsonschema-go says it.
		}
		return
	}
	k.seen[of] = true
	if schema, isKnown := k.own(of); isKnown {
		if schema != nil {
			k.of[of] = schema
		}
		return
	}
	switch of.Kind() {
	case reflect.Struct:
		instead := flat(of)
		if instead == nil {
			k.learnFields(of)
			return
		}
		k.open[of] = true
		k.learnFields(of)
		delete(k.open, of)
		if schema, err := jsonschema.ForType(instead, &jsonschema.ForOptions{TypeSchemas: k.of}); err == nil {
			k.of[of] = schema
		} else if k.err == nil {
			k.err = err
		}
	case reflect.Slice, reflect.Array:
		k.learn(of.Elem())
	case reflect.Map:
		k.learn(of.Elem())
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

func (k *knownSchemas) learnFields(of reflect.Type) {
	for i := range of.NumField() {
		switch field := of.Field(i); roleOf(field) {
		case isMember:
			k.learn(field.Type)
		case isEmbedded:
			if inner := bare(field.Type); !k.embedded[inner] {
				k.embedded[inner] = true
				k.learnFields(inner)
			}
		}
	}
}

// role is what encoding/json makes of a field.
type role int

const (
	isLeftOut role = iota
	isMember
	isEmbedded // Its fields are members, and not itself.
)

func roleOf(field reflect.StructField) role {
	isStruct := bare(field.Type).Kind() == reflect.Struct
	switch name, _ := jsonTag(field); {
	case field.Tag.Get("json") == "-" || !field.IsExported() && !(field.Anonymous && isStruct):
		return isLeftOut
	case field.Anonymous && isStruct && name == "":
		return isEmbedded
	default:
		return isMember
	}
}

func jsonTag(field reflect.StructField) (name, options string) {
	name, options, _ = strings.Cut(field.Tag.Get("json"), ",")
	return name, options
}

// flat is a struct that encoding/json writes as it writes this one, and that embeds nothing: for structs in which an embedded type
// is a member, as it has a name in its tag or is no struct, which jsonschema-go leaves out. It is nil for others.
func flat(of reflect.Type) reflect.Type {
	var fields []reflect.StructField
	isNeeded := false
	taken := make(map[string]bool)
	visited := make(map[reflect.Type]bool)
	for level := []reflect.Type{of}; len(level) > 0; {
		var next []reflect.Type
		var names []string
		found := make(map[string][]reflect.StructField)
		for _, from := range level {
			visited[from] = true
			for i := range from.NumField() {
				field := from.Field(i)
				switch roleOf(field) {
				case isMember:
					isNeeded = isNeeded || field.Anonymous
					name, _ := jsonTag(field)
					if name == "" {
						name = field.Name
					}
					if found[name] == nil {
						names = append(names, name)
					}
					found[name] = append(found[name], field)
				case isEmbedded:
					next = append(next, bare(field.Type))
				}
			}
		}
		for _, name := range names {
			if field := dominant(found[name]); field != nil && !taken[name] {
				fields = append(fields, renamed(*field, fmt.Sprintf("F%d", len(fields)), name))
			}
			taken[name] = true
		}
		// Twice is enough for members of the same name to be none.
		times := make(map[reflect.Type]int)
		level = slices.DeleteFunc(next, func(inner reflect.Type) bool {
			times[inner]++
			return visited[inner] || times[inner] > 2
		})
	}
	if !isNeeded {
		return nil
	}
	return reflect.StructOf(fields)
}

// dominant is the one of several fields of the same depth and name that counts: the only one with a tag, or the only one.
func dominant(fields []reflect.StructField) *reflect.StructField {
	if len(fields) > 1 {
		fields = slices.DeleteFunc(fields, func(field reflect.StructField) bool {
			name, _ := jsonTag(field)
			return name == ""
		})
	}
	if len(fields) != 1 {
		return nil
	}
	return &fields[0]
}

// renamed is a field by another name in Go and with the name of its member in its tag.
func renamed(field reflect.StructField, name, member string) reflect.StructField {
	_, options := jsonTag(field)
	tag := "json:" + strconv.Quote(member+","+options)
	if description, there := field.Tag.Lookup("jsonschema"); there {
		tag += " jsonschema:" + strconv.Quote(description)
	}
	return reflect.StructField{Name: name, Type: field.Type, Tag: reflect.StructTag(tag)}
}

// own is the schema of a type that says itself how it is written. It is nil for one that jsonschema-go knows.
func (k *knownSchemas) own(of reflect.Type) (schema *jsonschema.Schema, isKnown bool) {
	place := reflect.PointerTo(of)
	writes := func(by reflect.Type) bool { return k.isResult && place.Implements(by) }
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
	case writes(jsonMarshaler) || reads(jsonUnmarshaler):
		return &jsonschema.Schema{Types: slices.Clone(anyTypes)}, true
	case k.isResult && of.Implements(textMarshaler) || reads(textUnmarshaler):
		return textSchema(of), true
	case writes(textMarshaler): // Where it can be addressed.
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
