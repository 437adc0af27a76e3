//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"encoding/json"
	"iter"
	"runtime"
	"sync"
)

// View is the host's side of the page of a tool (MCP Apps, docs/guide/apps.md). It shows nothing: the program has a web view, gives
// the messages of the page to [View.Receive], and does what comes out of [View.Actions]. Goroutines may share it; nothing waits.
type View struct {
	mutex  sync.Mutex
	handle appHandle
}

// Action is what the program has to do for a view, by its Type as mcp_app_poll in mcp.h has them: "message", "request", "cancel",
// "ready", "size", "log", "warning", "app-tools", "called", "teardown-requested" and "ended". Which members it has depends on that;
// JSON has all.
type Action struct {
	Type string `json:"type"`
	// Message is for the page: post it to the frame.
	Message json.RawMessage `json:"message,omitempty"`
	// ID is that of a request, to be told with its "answer", or of one to cancel.
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	// JSON is the whole action.
	JSON json.RawMessage `json:"-"`
}

// Told is what [View.Tell] takes: a type of mcp_app_tell in mcp.h, and the members of that type.
//
//	view.Tell("result", mcp.Told{"result": result})
type Told map[string]any

// ViewPolicy is the policy for the frame of a document: its Content-Security-Policy, the attribute "allow" of the frame, and the
// domains that were left out. Head is HTML to write before the document in "srcdoc": the policy as an element, and a script that takes
// away WebRTC from the document: a hurdle, the bound is a setting of the engine.
type ViewPolicy struct {
	CSP     string   `json:"csp"`
	Head    string   `json:"head"`
	Allow   string   `json:"allow"`
	Refused []string `json:"refused"`
}

// NewView makes the host's side of a view. The settings are those of mcp_app_new in mcp.h, such as hostInfo, hostCapabilities, tool,
// tools, and appTools for the tools that the view offers itself. Close it.
func NewView(settings any) (*View, error) {
	raw, err := encode("view", settings)
	if err != nil {
		return nil, err
	}
	if err := checkABI(); err != nil {
		return nil, err
	}
	view := &View{}
	var object cText
	status := mcp_app_new(text(raw), &view.handle, &object)
	if err := failure(status, "view", object); err != nil {
		return nil, err
	}
	runtime.SetFinalizer(view, func(view *View) { _ = view.Close() })
	return view, nil
}

// live is nil where there is a view; its mutex is locked.
func (v *View) live(operation string) error {
	if v.handle != 0 {
		return nil
	}
	return invalid(operation, "this mcp.View is closed, or a zero value; make one with mcp.NewView")
}

// Receive takes a message of the page's own frame, as it came. A malformed or forbidden one is answered or dropped.
func (v *View) Receive(message string) error {
	raw, err := ended("receive", message)
	if err != nil {
		return err
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if err := v.live("receive"); err != nil {
		return err
	}
	var object cText
	return failure(mcp_app_receive(v.handle, text(raw), &object), "receive", object)
}

// Tell says what happened: "input-partial", "input", "result", "cancelled", "progress" of a request of the view and the "answer" to it,
// "context", "tools", "resources-changed", "call" of a tool of the view's own, "call-cancelled", and "teardown".
func (v *View) Tell(kind string, members Told) error {
	told := Told{"type": kind}
	for name, value := range members {
		told[name] = value
	}
	raw, err := encode("tell", told)
	if err != nil {
		return err
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if err := v.live("tell"); err != nil {
		return err
	}
	var object cText
	return failure(mcp_app_tell(v.handle, text(raw), &object), "tell", object)
}

// Next gives the next action; nil when there is nothing to do until something is received or told.
func (v *View) Next() (*Action, error) {
	var object cText
	v.mutex.Lock()
	err := v.live("poll")
	var status int32
	if err == nil {
		status = mcp_app_poll(v.handle, &object)
	}
	v.mutex.Unlock()
	if err != nil {
		return nil, err
	}
	if Status(status) == StatusEmpty {
		return nil, nil
	}
	if err := failure(status, "poll", 0); err != nil {
		return nil, err
	}
	defer mcp_string_free(object)
	action := &Action{JSON: json.RawMessage(goString(object))}
	if err := json.Unmarshal(action.JSON, action); err != nil {
		return nil, &Error{Status: StatusProtocol, Operation: "poll", Message: "poll: an action cannot be read: " + err.Error(), cause: err}
	}
	return action, nil
}

// Actions gives the actions that are there, and those that come while they are done.
func (v *View) Actions() iter.Seq2[*Action, error] {
	return func(yield func(*Action, error) bool) {
		for {
			action, err := v.Next()
			if action == nil && err == nil || !yield(action, err) || err != nil {
				return
			}
		}
	}
}

// Close frees the view. Any number of times.
func (v *View) Close() error {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	handle := v.handle
	v.handle = 0
	runtime.SetFinalizer(v, nil)
	return failure(mcp_app_free(handle), "close", 0)
}

// PolicyOf gives the policy for the frame of a document. ui is "_meta.ui" of the item that ReadResource gave; nil if it has none.
func PolicyOf(ui any) (*ViewPolicy, error) {
	if err := checkABI(); err != nil {
		return nil, err
	}
	raw, err := encode("policy", ui)
	if err != nil {
		return nil, err
	}
	var said, object cText
	if err := failure(mcp_app_policy(text(raw), &said, &object), "policy", object); err != nil {
		return nil, err
	}
	defer mcp_string_free(said)
	var policy ViewPolicy
	if err := json.Unmarshal([]byte(goString(said)), &policy); err != nil {
		return nil, &Error{Status: StatusProtocol, Operation: "policy", Message: "policy: it cannot be read: " + err.Error(), cause: err}
	}
	return &policy, nil
}
