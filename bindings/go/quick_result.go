//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"bytes"
	"encoding/json"
)

// quickResult reads the usual result of a tool: blocks of plain text, a structured content, isError. It says false for everything
// else, which the generated reader reads then. That one looks at each byte about eight times; this one, which has most calls,
// once. The text is JSON that the library has scanned; nothing here trusts that.
func quickResult(text []byte, into *CallToolResult) bool {
	s := quickScan{text: text}
	var result CallToolResult
	failed := false // isError was there
	ok := s.object(func(name []byte) bool {
		switch string(name) {
		case "content":
			return result.Content == nil && s.contents(&result.Content)
		case "isError":
			value := s.value()
			result.IsError = string(value) == "true"
			once := !failed
			failed = true
			return once && (result.IsError || string(value) == "false")
		case "resultType":
			value, plain := s.string()
			once := result.ResultType == ""
			result.ResultType = string(value)
			return once && plain && len(value) > 0
		case "_meta":
			value := s.value()
			return result.Meta == nil && len(value) > 0 && value[0] == '{' && json.Unmarshal(value, &result.Meta) == nil
		case "structuredContent":
			value := s.value()
			if value == nil || result.StructuredContent != nil {
				return false
			}
			result.StructuredContent = bytes.Clone(value)
			return true
		default:
			return false
		}
	})
	if !ok || s.next() != 0 || result.Content == nil {
		return false
	}
	*into = result
	return true
}

// quickScan reads JSON from the left. Every function gives false or nil where the text is not as expected.
type quickScan struct {
	text []byte
	at   int
}

// next is the byte that is not a blank, without taking it; 0 at the end.
func (s *quickScan) next() byte {
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

func (s *quickScan) take(c byte) bool {
	if s.next() != c {
		return false
	}
	s.at++
	return true
}

// list reads what is between two brackets, separated by commas.
func (s *quickScan) list(opens, closes byte, each func() bool) bool {
	if !s.take(opens) {
		return false
	}
	if s.take(closes) {
		return true
	}
	for each() {
		if s.take(closes) {
			return true
		}
		if !s.take(',') {
			return false
		}
	}
	return false
}

func (s *quickScan) object(each func(name []byte) bool) bool {
	return s.list('{', '}', func() bool {
		name, plain := s.string()
		return plain && s.take(':') && each(name)
	})
}

// string is what is between two quotation marks, and whether it is plain: without escapes, and nothing but ASCII.
func (s *quickScan) string() (inside []byte, plain bool) {
	if !s.take('"') {
		return nil, false
	}
	start := s.at
	plain = true
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '"':
			inside = s.text[start:s.at]
			s.at++
			return inside, plain
		case c == '\\':
			plain = false
			s.at++
		case c < ' ' || c >= 0x80:
			plain = false
		}
	}
	return nil, false
}

// contents reads a list of blocks of text.
func (s *quickScan) contents(into *[]ContentBlock) bool {
	*into = []ContentBlock{}
	return s.list('[', ']', func() bool {
		var block TextContent
		members := 0
		ok := s.object(func(name []byte) bool {
			members++
			start := s.at
			value, plain := s.string()
			switch {
			case value == nil:
				return false
			case string(name) == "type":
				return plain && string(value) == "text"
			case string(name) != "text":
				return false
			case plain:
				block.Text = string(value)
				return true
			default:
				return json.Unmarshal(s.text[start:s.at], &block.Text) == nil
			}
		})
		*into = append(*into, &block)
		return ok && members == 2
	})
}

// value is any value as it is written, which must be JSON.
func (s *quickScan) value() []byte {
	first := s.next()
	start, depth := s.at, 0
	for ; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case '"':
			if inside, _ := s.string(); inside == nil {
				return nil
			}
			s.at--
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth == 0 {
				return s.checked(start, first)
			}
			depth--
		case ',':
			if depth == 0 {
				return s.checked(start, first)
			}
			continue
		default:
			continue
		}
		if depth == 0 {
			s.at++
			return s.checked(start, first)
		}
	}
	return nil
}

// checked is the value from there to here, if it is JSON.
func (s *quickScan) checked(start int, first byte) []byte {
	value := bytes.TrimRight(s.text[start:s.at], " \t\r\n")
	if first == 0 || !json.Valid(value) {
		return nil
	}
	return value
}
