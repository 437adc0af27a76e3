//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"encoding/json"
	"reflect"
	"testing"
)

// What the quick reader reads, the generated one reads to the same; what it leaves, it leaves whole.
func FuzzQuickResult(f *testing.F) {
	for _, text := range []string{
		`{"content":[{"type":"text","text":"plain"}],"isError":false}`,
		` { "content" : [ { "text" : "a\n\u00e9\ud83d\ude00" , "type":"text" } ] , "structuredContent" : {"a":[1,"}"]} } `,
		`{"content":[],"isError":true,"structuredContent":7}`,
		`{"content":[{"type":"text","text":"é\u0000"}]}`,
		`{"content":[{"type":"image","data":"","mimeType":"x"}]}`,
		`{"content":[{"type":"text"}]}`, `{"content":[{"type":"text","text":"a","text":"b"}]}`,
		`{"content":[],"content":[]}`, `{"isError":true,"isError":false,"content":[]}`, `{"content":null}`, `{"content":[`,
		`{"content":[],"structuredContent":{"a":}}`, `{"content":[]}x`, `{"content":[],"structuredContent":1 2}`,
		`{"content":[{"type":"text","text":"\x"}]}`, `{"content":[],"isError":1}`, "{\"content\":[{\"type\":\"text\",\"text\":\"a\nb\"}]}",
		`{"content":[],"resultType":"complete","_meta":{"a":{"b":1}}}`, `{"content":[],"resultType":"","_meta":null}`, `{"content":[],"structuredContent":null}`, `[]`, `"`, ``,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var quick, slow CallToolResult
		if !quickResult(text, &quick) {
			if !reflect.DeepEqual(quick, slow) {
				t.Errorf("left behind: %+v", quick)
			}
			return
		}
		if err := json.Unmarshal(text, &slow); err != nil {
			t.Fatalf("read, though it cannot be: %v", err)
		}
		if !reflect.DeepEqual(quick, slow) {
			t.Errorf("%+v\n%+v", quick, slow)
		}
	})
}

func TestTheQuickReaderReadsTheUsual(t *testing.T) {
	for _, text := range []string{
		`{"content":[{"type":"text","text":"plain"}],"isError":false}`,
		`{"content":[{"type":"text","text":"\"quoted\""}],"structuredContent":{"sum":5}}`,
		`{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"x"}},"content":[]}`,
	} {
		if !quickResult([]byte(text), new(CallToolResult)) {
			t.Errorf("not read: %s", text)
		}
	}
}
