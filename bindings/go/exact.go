//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"encoding/json"
	"reflect"
)

// encoding/json takes "Arguments" for "arguments" where a struct has that member, and the last of both. The library, which has judged
// the text by its schema, takes names as they are written. So what a peer says is read here by exact names.

// exactly is the text without the members that encoding/json would take for others of this type, and with the last of those that
// are there twice. A text that does not fit the type comes back as it is, for encoding/json to refuse.
func exactly(text json.RawMessage, of reflect.Type) json.RawMessage {
	of = bare(of)
	if place := reflect.PointerTo(of); place.Implements(jsonUnmarshaler) || place.Implements(textUnmarshaler) {
		return text
	}
	var made any
	switch of.Kind() {
	case reflect.Struct:
		var members map[string]json.RawMessage
		if json.Unmarshal(text, &members) != nil || members == nil {
			return text
		}
		types := memberTypes(of)
		for name, value := range members {
			if kind, known := types[name]; known {
				members[name] = exactly(value, kind)
			} else {
				delete(members, name)
			}
		}
		made = members
	case reflect.Map:
		var members map[string]json.RawMessage
		if json.Unmarshal(text, &members) != nil || members == nil {
			return text
		}
		for name, value := range members {
			members[name] = exactly(value, of.Elem())
		}
		made = members
	case reflect.Slice, reflect.Array:
		var items []json.RawMessage
		if json.Unmarshal(text, &items) != nil || items == nil {
			return text
		}
		for i, value := range items {
			items[i] = exactly(value, of.Elem())
		}
		made = items
	default:
		return text
	}
	whole, err := json.Marshal(made)
	if err != nil {
		return text
	}
	return whole
}

// memberTypes are the types of the members of a struct, those of embedded structs with them: the outer one of a name counts.
func memberTypes(of reflect.Type) map[string]reflect.Type {
	types := make(map[string]reflect.Type)
	visited := make(map[reflect.Type]bool)
	for level := []reflect.Type{of}; len(level) > 0; {
		var next []reflect.Type
		for _, from := range level {
			if visited[from] {
				continue
			}
			visited[from] = true
			for i := range from.NumField() {
				field := from.Field(i)
				switch roleOf(field) {
				case isMember:
					name, _ := jsonTag(field)
					if name == "" {
						name = field.Name
					}
					if types[name] == nil {
						types[name] = field.Type
					}
				case isEmbedded:
					next = append(next, bare(field.Type))
				}
			}
		}
		level = next
	}
	return types
}
