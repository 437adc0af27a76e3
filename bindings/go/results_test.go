package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	mcp "github.com/libmcp/libmcp-go"
)

// gives calls a tool that returns a value, whose result the library checks against the schema that was made from the type.
func gives[Out any](t *testing.T, out Out) *mcp.CallToolResult {
	t.Helper()
	server := offer(t, mcp.ServerConfig{})
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "t"}, func(context.Context, *mcp.Request, struct{}) (Out, error) { return out, nil }))
	client, err := mcp.NewInProcess(server, nil)
	must(t, err)
	defer client.Close()
	result, err := client.CallTool(within(t), "t", nil)
	if err != nil || result.IsError {
		t.Fatalf("%T: %+v, %v", out, result, err)
	}
	return result
}

type upper string

func (u upper) MarshalText() ([]byte, error) { return []byte(strings.ToUpper(string(u))), nil }

type point struct{ x, y int }

func (p *point) MarshalJSON() ([]byte, error) { return json.Marshal([]int{p.x, p.y}) }

// adds adds a tool with a result of a type.
func adds[Out any](t *testing.T) error {
	t.Helper()
	return mcp.AddTool(offer(t, mcp.ServerConfig{}), &mcp.Tool{Name: "t"},
		func(context.Context, *mcp.Request, struct{}) (out Out, err error) { return out, nil })
}

type link struct {
	Next *link
	Ends chan int
}

// ring has no schema, and encoding/json can write it; a method of its own is not run to find that out.
type ring struct {
	Next *ring
	Left chan int `json:"-"`
	Own  panics
}

type panics struct{ Ends chan int }

func (panics) MarshalJSON() ([]byte, error) { panic("it ran") }

type tree struct {
	Bytes   []byte                    `json:"bytes"`
	NoBytes []byte                    `json:"no_bytes"`
	Raw     json.RawMessage           `json:"raw"`
	RawAt   *json.RawMessage          `json:"raw_at"`
	Map     map[string]int            `json:"map"`
	Maps    map[string]map[string]int `json:"maps"`
	List    []map[string][]byte       `json:"list"`
	When    time.Time                 `json:"when"`
	Number  json.Number               `json:"number"`
	Big     *big.Int                  `json:"big"`
	NoBig   *big.Int                  `json:"no_big"`
	Text    upper                     `json:"text"`
	Address netip.Addr                `json:"address"`
	Point   *point                    `json:"point"`
	NoPoint *point                    `json:"no_point"`
	Any     any                       `json:"any"`
}

// A schema says of each type what encoding/json makes of it.
func TestResultsFitTheSchemasOfTheirTypes(t *testing.T) {
	raw := json.RawMessage(`[1]`)
	result := gives(t, tree{
		Bytes: []byte("hi"), Raw: json.RawMessage(`{"a":1}`), RawAt: &raw, Maps: map[string]map[string]int{"a": nil},
		List: []map[string][]byte{nil, {"b": []byte("c")}}, Number: "1.5", Big: big.NewInt(7), Text: "x",
		Address: netip.MustParseAddr("::1"), Point: &point{1, 2},
	})
	if said := string(result.StructuredContent); !strings.Contains(said, `"bytes":"aGk="`) || !strings.Contains(said, `"point":[1,2]`) {
		t.Error(said)
	}
	gives(t, &tree{Number: "0"})
	if said := string(gives(t, map[string]int(nil)).StructuredContent); said != "{}" {
		t.Errorf("a nil map: %s", said)
	}
}

// What is no object becomes a member of one.
func TestResultsThatAreNoObjectsAreWrapped(t *testing.T) {
	for _, wrapped := range []struct {
		result       *mcp.CallToolResult
		content, txt string
	}{
		{gives(t, []string{"a", "b"}), `{"result":["a","b"]}`, `["a","b"]`},
		{gives(t, []string(nil)), `{"result":null}`, `null`},
		{gives(t, 7), `{"result":7}`, `7`},
		{gives(t, true), `{"result":true}`, `true`},
		{gives(t, []byte("hi")), `{"result":"aGk="}`, `aGk=`},
		{gives(t, time.Unix(0, 0).UTC()), `{"result":"1970-01-01T00:00:00Z"}`, `1970-01-01T00:00:00Z`},
		{gives(t, upper("x")), `{"result":"X"}`, `X`},
		{gives(t, json.Number("12")), `{"result":12}`, `12`},
		{gives[any](t, []int{1}), `{"result":[1]}`, `[1]`},
		{gives(t, json.RawMessage(`[1]`)), `{"result":[1]}`, `[1]`},
		{gives[any](t, map[string]int{"a": 1}), `{"a":1}`, `{"a":1}`},
	} {
		if said := string(wrapped.result.StructuredContent); said != wrapped.content || wrapped.result.Text() != wrapped.txt {
			t.Errorf("%s, %q; %s was meant", said, wrapped.result.Text(), wrapped.content)
		}
	}
	type word string
	if result := gives(t, word("x")); result.StructuredContent != nil || result.Text() != "x" {
		t.Errorf("a type of text: %+v", result)
	}
	var list []string
	if err := gives(t, []string{"a"}).Decode(&list); err != nil || len(list) != 1 {
		t.Error(list, err)
	}
}

// Content blocks are content, whatever type they come as, and whole results are sent as they are.
func TestResultsOfContentBlocks(t *testing.T) {
	text, image := mcp.Text("a"), &mcp.ImageContent{Data: "aGk=", MimeType: "image/png"}
	for what, given := range map[string]struct {
		result *mcp.CallToolResult
		blocks []mcp.ContentBlock
	}{
		"a block":               {gives(t, text), []mcp.ContentBlock{text}},
		"a block by interface":  {gives[mcp.ContentBlock](t, image), []mcp.ContentBlock{image}},
		"blocks":                {gives(t, []mcp.ContentBlock{image, text}), []mcp.ContentBlock{image, text}},
		"blocks of one type":    {gives(t, []*mcp.ImageContent{image}), []mcp.ContentBlock{image}},
		"an array":              {gives(t, [1]mcp.ContentBlock{text}), []mcp.ContentBlock{text}},
		"no blocks":             {gives(t, []mcp.ContentBlock(nil)), []mcp.ContentBlock{}},
		"any that is a block":   {gives[any](t, text), []mcp.ContentBlock{text}},
		"any that has blocks":   {gives[any](t, []mcp.ContentBlock{text}), []mcp.ContentBlock{text}},
		"a result by value":     {gives(t, mcp.CallToolResult{Content: []mcp.ContentBlock{text}}), []mcp.ContentBlock{text}},
		"any that is a result":  {gives[any](t, mcp.CallToolResult{Content: []mcp.ContentBlock{text}}), []mcp.ContentBlock{text}},
		"any that points to it": {gives[any](t, &mcp.CallToolResult{Content: []mcp.ContentBlock{text}}), []mcp.ContentBlock{text}},
	} {
		if !reflect.DeepEqual(given.result.Content, given.blocks) || given.result.StructuredContent != nil {
			t.Errorf("%s: %s, %s", what, marshalled(t, given.result.Content), given.result.StructuredContent)
		}
	}
}

func marshalled(t testing.TB, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	must(t, err)
	return string(text)
}

// A type that has no schema promises none, and one that cannot be written is refused when it is added.
func TestResultsWithoutASchema(t *testing.T) {
	type chain struct {
		Next *chain `json:"next,omitempty"`
	}
	if said := string(gives(t, chain{Next: &chain{}}).StructuredContent); said != `{"next":{}}` {
		t.Errorf("a type that contains itself: %s", said)
	}
	if said := string(gives(t, []chain{{}}).StructuredContent); said != `{"result":[{}]}` {
		t.Errorf("a list of such: %s", said)
	}
	if said := string(gives(t, map[int]string{1: "a"}).StructuredContent); said != `{"1":"a"}` {
		t.Errorf("keys that are numbers: %s", said)
	}
	must(t, adds[ring](t))
	for what, err := range map[string]error{
		"a channel":            adds[chan int](t),
		"a function inside":    adds[struct{ F func() }](t),
		"channels of a list":   adds[[]chan int](t),
		"keys of structs":      adds[map[struct{ A int }]int](t),
		"a number inside":      adds[map[string]*complex128](t),
		"a pointer inside":     adds[struct{ P []unsafe.Pointer }](t),
		"what contains itself": adds[link](t),
	} {
		if !errors.Is(err, mcp.StatusInvalidArgument) || !strings.Contains(err.Error(), "the result of the tool") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// The arguments of types that encoding/json reads by a method.
func TestArgumentsOfBytesAndRawJSON(t *testing.T) {
	type in struct {
		Bytes []byte            `json:"bytes"`
		Raw   json.RawMessage   `json:"raw"`
		At    netip.Addr        `json:"at"`
		Names map[string]string `json:"names,omitempty"`
	}
	server := offer(t, mcp.ServerConfig{})
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "t"}, func(_ context.Context, _ *mcp.Request, in in) (string, error) {
		return string(in.Bytes) + string(in.Raw) + in.At.String() + in.Names["a"], nil
	}))
	client, err := mcp.NewInProcess(server, nil)
	must(t, err)
	defer client.Close()
	if said := callText(t, client, "t", raw(`{"bytes":"aGk=","raw":[1],"at":"::1","names":{"a":"b"}}`)); said != "hi[1]::1b" {
		t.Error(said)
	}
}

// A text of C ends at a NUL, and one of JSON does not.
func TestTextsArriveWhole(t *testing.T) {
	server := offer(t, mcp.ServerConfig{})
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "t"}, func(_ context.Context, _ *mcp.Request, in struct{ Text string }) (string, error) {
		return in.Text, nil
	}))
	client, err := mcp.NewInProcess(server, nil)
	must(t, err)
	defer client.Close()
	for _, text := range []string{"", "a\x00b", "\x00", "\u202e\ufeff\U0010ffff", strings.Repeat("x", 1<<20)} {
		result, err := client.CallTool(within(t), "t", map[string]string{"Text": text})
		if err != nil || result.IsError || result.Text() != text {
			t.Errorf("%.20q: %+v %v", text, result, err)
		}
	}
}

func TestAResultThatIsNilIsTold(t *testing.T) {
	failures := make(chan mcp.HandlerFailure, 1)
	server := offer(t, mcp.ServerConfig{}, mcp.OnServerFailure(func(failure mcp.HandlerFailure) { failures <- failure }))
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "t"}, func(context.Context, *mcp.Request, struct{}) (*total, error) { return nil, nil }))
	client, err := mcp.NewInProcess(server, nil)
	must(t, err)
	defer client.Close()
	if result, err := client.CallTool(within(t), "t", nil); err != nil || !result.IsError {
		t.Error(result, err)
	}
	if failure := receive(t, failures); !strings.Contains(failure.Err.Error(), "neither a *mcp_test.total nor an error") {
		t.Error(failure.Err)
	}
}

func TestEmptyTextsOfResourcesArrive(t *testing.T) {
	for from, to := range map[*mcp.ResourceContents]string{
		{URI: "a://b"}:                          `{"uri":"a://b","text":""}`,
		{URI: "a://b", Blob: "aGk="}:            `{"uri":"a://b","blob":"aGk="}`,
		{URI: "a://b", Text: "x", Blob: "aGk="}: `{"uri":"a://b","blob":"aGk=","text":"x"}`,
	} {
		if said, err := json.Marshal(from); err != nil || string(said) != to {
			t.Errorf("%s, %v; %s was meant", said, err, to)
		}
	}
	server := offer(t, mcp.ServerConfig{})
	must(t, server.AddResource(&mcp.Resource{URI: "a://b", Name: "b"}, func(context.Context, *mcp.Request) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{}}}, nil
	}))
	client, err := mcp.NewInProcess(server, nil)
	must(t, err)
	defer client.Close()
	if contents, err := client.ReadResource(within(t), "a://b"); err != nil || len(contents) != 1 || contents[0].Text != "" {
		t.Error(contents, err)
	}
	result := gives(t, &mcp.CallToolResult{Content: []mcp.ContentBlock{&mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "a://b"}}}})
	if len(result.Content) != 1 {
		t.Error(result.Content)
	}
}

type (
	outer struct {
		*inner
		X int `json:"x"`
	}
	inner struct {
		*outer
		Y []byte `json:"y"`
	}
	inside struct {
		Number json.Number `json:"number"`
	}
	//lint:ignore U1000 embedded below, where it is no member
	ids   []byte
	names map[string]int
	Names names
	Apart struct {
		inside `json:"inside" jsonschema:"what is inside"`
		//lint:ignore U1000 not exported and no struct: no member
		ids
		Names
		Same int
	}
	Beside struct{ Same, Other int }
)

// encoding/json makes members of the fields of an embedded struct, and a member of other embedded types.
func TestEmbeddedTypes(t *testing.T) {
	circle := outer{inner: &inner{Y: []byte("hi")}, X: 1}
	if said := string(gives(t, circle).StructuredContent); said != `{"y":"aGk=","x":1}` {
		t.Error(said)
	}
	type both struct {
		Apart
		*Beside `json:",omitempty"`
		Last    int `json:"last"`
	}
	for _, of := range []struct {
		value any
		give  func() *mcp.CallToolResult
	}{
		{Apart{inside: inside{"5"}}, func() *mcp.CallToolResult { return gives(t, Apart{inside: inside{"5"}}) }},
		{both{Beside: &Beside{1, 2}, Apart: Apart{Names: Names{"a": 1}, inside: inside{"0"}}}, func() *mcp.CallToolResult {
			return gives(t, both{Beside: &Beside{1, 2}, Apart: Apart{Names: Names{"a": 1}, inside: inside{"0"}}})
		}},
	} {
		written, err := json.Marshal(of.value)
		must(t, err)
		if said := string(of.give().StructuredContent); said != string(written) {
			t.Errorf("%s; %s was meant", said, written)
		}
	}
	server := offer(t, mcp.ServerConfig{})
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "circle"}, func(_ context.Context, _ *mcp.Request, in inner) (string, error) { return string(in.Y), nil }))
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "apart"}, func(_ context.Context, _ *mcp.Request, in Apart) (names, error) {
		return names{string(in.inside.Number): in.Names["a"]}, nil
	}))
	type again struct {
		*Names
		*inside `json:"inside"`
		Next    []*struct{ Apart }
	}
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "again"}, func(context.Context, *mcp.Request, struct{}) (out again, err error) { return }))
	type node struct {
		Value int `json:"value"`
		//lint:ignore U1000 a member for encoding/json
		*node `json:"next"`
	}
	client, err := mcp.NewInProcess(server, nil)
	must(t, err)
	defer client.Close()
	err = mcp.AddTool(server, &mcp.Tool{Name: "node"}, func(context.Context, *mcp.Request, node) (string, error) { return "", nil })
	if err == nil || !strings.Contains(err.Error(), "cycle") {
		t.Error(err)
	}
	result, err := client.CallTool(within(t), "apart", raw(`{"inside":{"number":7},"Names":{"a":3},"Same":0}`))
	if err != nil || string(result.StructuredContent) != `{"7":3}` {
		t.Error(result, err)
	}
	result, err = client.CallTool(within(t), "again", nil)
	if err != nil || result.IsError {
		t.Error(result, err)
	}
	for tool, err := range client.Tools(within(t)) {
		must(t, err)
		if said := string(tool.InputSchema); tool.Name == "apart" && !strings.Contains(said, "what is inside") {
			t.Error(said)
		}
	}
}

type (
	writesText struct {
		A int `json:"a"`
	}
	readsText struct{ A int }
)

func (writesText) MarshalText() ([]byte, error)   { return []byte("a text"), nil }
func (r *readsText) UnmarshalText(b []byte) error { r.A = len(b); return nil }

// Arguments are what encoding/json reads, and results what it writes.
func TestMethodsForTextCountInTheirDirection(t *testing.T) {
	type in struct {
		Inside writesText `json:"inside"`
		Text   readsText  `json:"text"`
	}
	server := offer(t, mcp.ServerConfig{})
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "writes"}, func(_ context.Context, _ *mcp.Request, in writesText) (int, error) { return in.A, nil }))
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "inside"}, func(_ context.Context, _ *mcp.Request, in in) (int, error) {
		return in.Inside.A + in.Text.A, nil
	}))
	client, err := mcp.NewInProcess(server, nil)
	must(t, err)
	defer client.Close()
	if err := mcp.AddTool(server, &mcp.Tool{Name: "reads"}, func(context.Context, *mcp.Request, readsText) (string, error) { return "", nil }); err == nil {
		t.Error("a type that is read from a text is no object of arguments")
	}
	for tool, arguments := range map[string]string{"writes": `{"a":5}`, "inside": `{"inside":{"a":3},"text":"hi"}`} {
		var sum int
		result, err := client.CallTool(within(t), tool, raw(arguments))
		must(t, err)
		if err := result.Decode(&sum); err != nil || sum != 5 {
			t.Error(tool, result, err)
		}
	}
	if result, err := client.CallTool(within(t), "writes", raw(`{"b":5}`)); err == nil && !result.IsError {
		t.Error("the fields of the type count", result)
	}
	if said := string(gives(t, writesText{}).StructuredContent); said != `{"result":"a text"}` {
		t.Error(said)
	}
	if said := string(gives(t, readsText{A: 1}).StructuredContent); said != `{"A":1}` {
		t.Error(said)
	}
	var text readsText
	if err := (&mcp.CallToolResult{StructuredContent: raw(`{"result":"four"}`)}).Decode(&text); err != nil || text.A != 4 {
		t.Error(text, err)
	}
}

// What the library has checked is the member that is written so; encoding/json would take the last that resembles it.
func TestNamesOfResultsAreReadAsTheyAreWritten(t *testing.T) {
	var result mcp.CallToolResult
	must(t, json.Unmarshal([]byte(`{"content":[{"type":"text","text":"a","TYPE":"image","Text":"b"}],"Content":[],"isError":true,
"ISERROR":false,"structuredContent":{"n":1},"StructuredContent":{"n":-999},"\u0043ontent":null}`), &result))
	if result.Text() != "a" || !result.IsError || string(result.StructuredContent) != `{"n":1}` || len(result.Extra) != 3 {
		t.Errorf("%+v", result)
	}
	var params mcp.CompleteRequestParams
	must(t, json.Unmarshal([]byte(`{"ref":{"type":"ref/prompt","name":"a","Name":"b"},"REF":null,"argument":{"name":"c","NAME":"d","value":"e"},
"Argument":{"name":"f"}}`), &params))
	if of, ok := params.Ref.(*mcp.PromptReference); !ok || of.Name != "a" || params.Argument.Name != "c" || params.Argument.Value != "e" {
		t.Errorf("%+v %+v", params, params.Ref)
	}
}
