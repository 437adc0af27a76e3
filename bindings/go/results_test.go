package mcp_test

import (
	"context"
	"encoding/json"
	"math/big"
	"net/netip"
	"strings"
	"testing"
	"time"

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
