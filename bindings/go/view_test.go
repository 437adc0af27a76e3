//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

const (
	viewSettings = `{"hostInfo":{"name":"desk","version":"1"},"hostCapabilities":{"serverTools":{},"openLinks":{}},"hostContext":{"theme":"dark"},
"tool":{"name":"chart","inputSchema":{"type":"object"}},
"tools":[{"name":"chart","inputSchema":{"type":"object"}},{"name":"secret","_meta":{"ui":{"visibility":["model"]}}}]}`
	pageHello = `{"jsonrpc":"2.0","id":1,"method":"ui/initialize","params":{"protocolVersion":"2026-01-26",
"appInfo":{"name":"page","version":"1"},"appCapabilities":{}}}`
)

func actionsOf(t *testing.T, view *View) []*Action {
	t.Helper()
	var all []*Action
	for action, err := range view.Actions() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, action)
	}
	return all
}

// only gives the one action that is there, of this type.
func only(t *testing.T, view *View, kind string) *Action {
	t.Helper()
	all := actionsOf(t, view)
	if len(all) != 1 || all[0].Type != kind {
		t.Fatalf("the actions are %+v, not one of the type %q", all, kind)
	}
	return all[0]
}

func TestAViewOfATool(t *testing.T) {
	view, err := NewView(json.RawMessage(viewSettings))
	if err != nil {
		t.Fatal(err)
	}
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	do(view.Tell("input", Told{"arguments": map[string]string{"city": "Paris"}}))
	if early := actionsOf(t, view); len(early) != 0 {
		t.Fatalf("the page is not there yet, and gets %+v", early)
	}
	do(view.Receive(pageHello))
	if welcome := only(t, view, "message"); !strings.Contains(string(welcome.Message), `"theme":"dark"`) {
		t.Fatalf("%s", welcome.Message)
	}
	do(view.Receive(`{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`))
	all := ""
	for _, action := range actionsOf(t, view) {
		all += string(action.JSON)
	}
	if !strings.Contains(all, "ready") || !strings.Contains(all, "Paris") {
		t.Fatalf("the page is not ready, or has no input: %s", all)
	}
	call := `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{}}}`
	do(view.Receive(fmt.Sprintf(call, 2, "chart")))
	asked := only(t, view, "request")
	if asked.Method != "tools/call" || !strings.Contains(string(asked.Params), "chart") {
		t.Fatalf("%s", asked.JSON)
	}
	do(view.Tell("answer", Told{"id": asked.ID, "result": json.RawMessage(`{"content":[]}`)}))
	if answer := only(t, view, "message"); !strings.Contains(string(answer.Message), `"content":[]`) {
		t.Fatalf("%s", answer.Message)
	}
	do(view.Receive(fmt.Sprintf(call, 3, "secret")))
	if refused := only(t, view, "message"); !strings.Contains(string(refused.Message), `"error"`) {
		t.Fatalf("%s", refused.Message)
	}
	do(view.Tell("teardown", Told{"reason": "closed"}))
	var bye struct{ ID json.RawMessage }
	do(json.Unmarshal(only(t, view, "message").Message, &bye))
	do(view.Receive(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{}}`, bye.ID)))
	only(t, view, "ended")
	do(view.Close())
	do(view.Close())
	for _, err := range []error{view.Receive("{}"), view.Tell("resources-changed", nil)} {
		if !errors.Is(err, StatusInvalidArgument) {
			t.Errorf("after the end: %v", err)
		}
	}
	if _, err := view.Next(); !errors.Is(err, StatusInvalidArgument) {
		t.Errorf("after the end: %v", err)
	}
}

func TestMistakesOfViewsNameTheMember(t *testing.T) {
	if _, err := NewView(map[string]any{}); err == nil || !strings.Contains(err.Error(), "hostInfo") {
		t.Errorf("%v", err)
	}
	view, err := NewView(json.RawMessage(viewSettings))
	if err != nil {
		t.Fatal(err)
	}
	defer view.Close()
	if err := view.Tell("input", Told{"arguments": 1}); err == nil || !strings.Contains(err.Error(), "arguments") {
		t.Errorf("%v", err)
	}
	policy, err := PolicyOf(json.RawMessage(`{"csp":{"connectDomains":["https://api.example","javascript:x"]},"permissions":{"camera":{}}}`))
	if err != nil || !strings.Contains(policy.CSP, "https://api.example") || policy.Allow != "camera" || len(policy.Refused) != 1 {
		t.Errorf("%+v %v", policy, err)
	}
	if policy, err := PolicyOf(nil); err != nil || !strings.Contains(policy.CSP, "default-src") ||
		!strings.Contains(policy.Head, policy.CSP) || !strings.Contains(policy.Head, "RTCPeerConnection") {
		t.Errorf("%+v %v", policy, err)
	}
}
