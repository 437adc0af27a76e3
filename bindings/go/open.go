package mcp

import (
	"bytes"
	"encoding/json"
	"slices"
	"sort"
	"strings"
	"time"
)

// What the generated types have in common: members that are not known are kept, unions are told apart by one member, and times
// are numbers on the wire.

// UnknownVariant is a content block, a reference or another variant that this package does not know, as it arrived.
type UnknownVariant struct {
	// Tag is the member that tells the variants apart, such as "type".
	Tag string
	// JSON is the whole object.
	JSON json.RawMessage
}

// MarshalJSON writes it as it arrived.
func (v *UnknownVariant) MarshalJSON() ([]byte, error) { return v.JSON, nil }

// Switch is a key that is true, false or an object. The zero value takes the default.
type Switch[T any] struct {
	on   *bool
	with *T
}

// On is true: the defaults of the object hold.
func On[T any]() Switch[T] { return Switch[T]{on: Ptr(true)} }

// Off is false.
func Off[T any]() Switch[T] { return Switch[T]{on: Ptr(false)} }

// With is the object.
func With[T any](value T) Switch[T] { return Switch[T]{with: &value} }

// MarshalJSON writes true, false, the object, or null for the default.
func (s Switch[T]) MarshalJSON() ([]byte, error) {
	if s.with != nil {
		return json.Marshal(s.with)
	}
	return json.Marshal(s.on)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Switch[T]) UnmarshalJSON(text []byte) error {
	*s = Switch[T]{}
	if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 && trimmed[0] == '{' {
		return json.Unmarshal(text, &s.with)
	}
	return json.Unmarshal(text, &s.on)
}

// Ptr is a pointer to a value, for fields whose zero value says something.
func Ptr[T any](value T) *T { return &value }

// encodeOpen writes a struct, and then the members that it has no field for.
func encodeOpen(fields any, extra map[string]json.RawMessage, known []string) ([]byte, error) {
	text, err := json.Marshal(fields)
	if err != nil || len(extra) == 0 {
		return text, err
	}
	names := make([]string, 0, len(extra))
	for name := range extra {
		if !slices.Contains(known, name) {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	text = text[:len(text)-1]
	for _, name := range names {
		if len(text) > 1 {
			text = append(text, ',')
		}
		quoted, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		text = append(append(text, quoted...), ':')
		value := extra[name]
		if len(value) == 0 {
			value = json.RawMessage("null")
		}
		text = append(text, value...)
	}
	return append(text, '}'), nil
}

// decodeOpen reads the members of an object by their exact names. encoding/json takes "Content" for "content", and the last of both,
// where the library has checked the one that is written so.
func decodeOpen(text []byte, into any, known []string) error {
	extra, err := extraMembers(text, known)
	if err == nil && resembles(extra, known) {
		all := make(map[string]json.RawMessage)
		if err := json.Unmarshal(text, &all); err != nil {
			return err
		}
		for name := range extra {
			delete(all, name)
		}
		if text, err = json.Marshal(all); err != nil {
			return err
		}
	}
	return json.Unmarshal(text, into)
}

// resembles says whether one of the names is a known one but for the case of its letters.
func resembles(extra map[string]json.RawMessage, known []string) bool {
	for name := range extra {
		if slices.ContainsFunc(known, func(one string) bool { return strings.EqualFold(one, name) }) {
			return true
		}
	}
	return false
}

// extraMembers are the members of an object that are not known; nil for none. The text is valid: its decoder has read it.
func extraMembers(text []byte, known []string) (map[string]json.RawMessage, error) {
	if !hasOthers(text, known) {
		return nil, nil
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	for _, name := range known {
		delete(all, name)
	}
	if len(all) == 0 {
		return nil, nil
	}
	return all, nil
}

// hasOthers looks at the names of an object's members without making anything of them. A name with an escape counts as unknown.
func hasOthers(text []byte, known []string) bool {
	depth, start, isName := 0, -1, false
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			if start = i + 1; start > len(text) {
				return true
			}
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			if depth == 1 && isName {
				if i > len(text) || !slices.Contains(known, string(text[start:min(i, len(text))])) {
					return true
				}
				isName = false
			}
		case '{', '[':
			depth++
			isName = depth == 1
		case '}', ']':
			depth--
		case ',':
			isName = depth == 1
		}
	}
	return false
}

// memberOf is the member of an object with exactly this name, as it is written; nil if the object lacks it.
func memberOf(text json.RawMessage, name string) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil {
		return nil
	}
	return members[name]
}

// tagOf is the string by which a union's variants are told apart; without one it is an unknown variant.
func tagOf(text json.RawMessage, name string) string {
	var tag string
	_ = json.Unmarshal(memberOf(text, name), &tag)
	return tag
}

func decodeVariant[V any](text json.RawMessage) (*V, error) {
	value := new(V)
	if err := json.Unmarshal(text, value); err != nil {
		return nil, err
	}
	return value, nil
}

func unknownVariant(tag string, text json.RawMessage) (*UnknownVariant, error) {
	return &UnknownVariant{Tag: tag, JSON: bytes.Clone(text)}, nil
}

func decodePlain[T any](text json.RawMessage) (value T, err error) {
	err = json.Unmarshal(text, &value)
	return value, err
}

func isNull(text json.RawMessage) bool { return len(text) == 0 || string(text) == "null" }

func decodeOne[T any](text json.RawMessage, decode func(json.RawMessage) (T, error)) (value T, err error) {
	if isNull(text) {
		return value, nil
	}
	return decode(text)
}

func decodeEach[T any](texts []json.RawMessage, decode func(json.RawMessage) (T, error)) ([]T, error) {
	if texts == nil {
		return nil, nil
	}
	values := make([]T, 0, len(texts))
	for _, text := range texts {
		value, err := decode(text)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, nil
}

func decodeMembers[T any](texts map[string]json.RawMessage, decode func(json.RawMessage) (T, error)) (map[string]T, error) {
	if texts == nil {
		return nil, nil
	}
	values := make(map[string]T, len(texts))
	for name, text := range texts {
		value, err := decode(text)
		if err != nil {
			return nil, err
		}
		values[name] = value
	}
	return values, nil
}

func decodeOneOrMany[T any](text json.RawMessage, decode func(json.RawMessage) (T, error)) ([]T, error) {
	if isNull(text) {
		return nil, nil
	}
	if trimmed := bytes.TrimLeft(text, " \t\r\n"); len(trimmed) > 0 && trimmed[0] == '[' {
		var texts []json.RawMessage
		if err := json.Unmarshal(text, &texts); err != nil {
			return nil, err
		}
		return decodeEach(texts, decode)
	}
	value, err := decode(text)
	if err != nil {
		return nil, err
	}
	return []T{value}, nil
}

// textUnless is the text of contents that have no blob, also when it is empty.
func textUnless(blob, text string) *string {
	if blob != "" && text == "" {
		return nil
	}
	return &text
}

// oneOrMany is what a list is on the wire: its only element, or the list. Revisions before 2025-11-25 take only one.
func oneOrMany[T any](values []T) any {
	switch {
	case values == nil:
		return nil
	case len(values) == 1:
		return values[0]
	default:
		return values
	}
}

// count is a time in units. What is over a whole unit counts as one, so that a short time does not become none.
func count(duration, unit time.Duration) int64 {
	if duration > 0 {
		return int64((duration-1)/unit) + 1
	}
	return int64(duration / unit)
}

func countTime(duration *time.Duration, unit time.Duration) *int64 {
	if duration == nil {
		return nil
	}
	return Ptr(count(*duration, unit))
}

func countTimes(durations map[string]time.Duration) map[string]int64 {
	if durations == nil {
		return nil
	}
	counts := make(map[string]int64, len(durations))
	for name, duration := range durations {
		counts[name] = count(duration, time.Millisecond)
	}
	return counts
}

func timeFrom(count int64, unit time.Duration) time.Duration { return time.Duration(count) * unit }

func timeOf(count *int64, unit time.Duration) *time.Duration {
	if count == nil {
		return nil
	}
	return Ptr(timeFrom(*count, unit))
}

func timesOf(counts map[string]int64) map[string]time.Duration {
	if counts == nil {
		return nil
	}
	times := make(map[string]time.Duration, len(counts))
	for name, count := range counts {
		times[name] = timeFrom(count, time.Millisecond)
	}
	return times
}
