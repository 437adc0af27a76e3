//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"
)

// Request is a request of a client to a [Server]: what its handler gets.
type Request struct {
	// Method is that of the protocol, such as "tools/call".
	Method string
	// Params are the parameters as the client sent them.
	Params json.RawMessage
	// Arguments are those of a tool or a prompt, a part of Params; nil for none.
	Arguments json.RawMessage

	server *serverCore
	reply  *reply
	name   string // of the entry that answers
}

// reply is the one answer that a request gets. It owns the library's message.
type reply struct {
	mu      sync.Mutex
	message messageHandle // nil once answered
}

// textAnswer is the answer of a tool with one block of text.
type textAnswer struct {
	text    string
	isError bool
}

var (
	// ErrAsked is what the functions of a [Request] that ask the client give the first time. A handler returns it (with others
	// joined, or wrapped): the library asks, and runs the handler again with the answer.
	ErrAsked = errors.New("mcp: the client is asked; the handler must return this error, and runs again with the answer")
	// ErrNotFound is what a handler returns when what the request is for does not exist.
	ErrNotFound = errors.New("mcp: not found")
)

// ToolFailure is a failure of a tool that the model may read: what is wrong and what to do instead. Any other error of a handler
// stays in the program ([OnServerFailure]), and the model reads that the tool failed.
type ToolFailure struct{ Text string }

func (e *ToolFailure) Error() string { return e.Text }

// Failf makes a [*ToolFailure].
func Failf(format string, values ...any) error {
	return &ToolFailure{Text: fmt.Sprintf(format, values...)}
}

func newRequest(s *serverCore, m *served) *Request {
	request := &Request{Method: m.method, Params: m.json, Arguments: m.arguments, server: s, reply: &reply{message: m.message}}
	// A backstop for a handler that never returns and whose goroutine ends.
	runtime.AddCleanup(request, func(r *reply) { r.drop() }, request.reply)
	return request
}

// drop frees the message. A request that was not answered is asked for again after ErrAsked, and else answered with an error.
func (r *reply) drop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	freeMessage(r.message)
	r.message = 0
}

// live runs a function with the message of a request that was not answered yet.
func (r *Request) live(operation string, do func(messageHandle) error) error {
	defer runtime.KeepAlive(r)
	if r.reply == nil {
		return unmade(operation, "Request", "to try a handler, call it by a client of mcp.NewInProcess")
	}
	r.reply.mu.Lock()
	defer r.reply.mu.Unlock()
	if r.reply.message == 0 {
		return &Error{Status: StatusCancelled, Operation: operation, Message: operation + ": the request was answered"}
	}
	return do(r.reply.message)
}

// finish answers the request with what its handler gave.
func (r *Request) finish(result any, err error) {
	defer r.reply.drop()
	if err == nil {
		err = r.respond(result)
		if err == nil || isOver(err) {
			return
		}
		// The library has answered if it took the request's answer; if it could not be written, the request still waits.
		r.server.failed(r.Method, r.name, err)
		r.refuse(&RPCError{Code: CodeInternal, Message: handlerFailedText})
		return
	}
	var said *ToolFailure
	var refusal *RPCError
	switch {
	case errors.Is(err, ErrAsked):
		return
	case errors.Is(err, ErrNotFound):
		err = r.live("respond", respondNotFound)
	case errors.As(err, &refusal):
		err = r.refuse(refusal)
	case errors.As(err, &said) && r.Method == MethodToolsCall:
		err = r.respond(textAnswer{said.Text, true})
	default:
		if r.isOver() {
			return // Its handler was interrupted: no client waits, and nothing failed.
		}
		r.server.failed(r.Method, r.name, err)
		if r.Method == MethodToolsCall {
			err = r.respond(textAnswer{toolFailedText, true})
		} else {
			err = r.refuse(&RPCError{Code: CodeInternal, Message: handlerFailedText})
		}
	}
	if err != nil && !isOver(err) {
		r.server.failed(r.Method, r.name, err)
	}
}

func (r *Request) isOver() bool {
	return r.live("respond", func(message messageHandle) error {
		if isOverMessage(message) {
			return StatusCancelled
		}
		return nil
	}) != nil
}

func (r *Request) respond(result any) error {
	said, ok := result.(textAnswer)
	if ok && strings.IndexByte(said.text, 0) >= 0 {
		// Which JSON can have, and a text of C not.
		content := []map[string]string{{"type": "text", "text": strings.ToValidUTF8(said.text, "\uFFFD")}}
		result = map[string]any{"content": content, "isError": said.isError}
	} else if ok {
		text, _ := ended("respond", sendable(said.text))
		return r.live("respond", func(message messageHandle) error { return respondText(message, text, said.isError) })
	}
	body, err := encode("respond", result)
	if err != nil {
		return err
	}
	if body == nil {
		body = []byte("{}\x00")
	}
	return r.live("respond", func(message messageHandle) error { return respondMessage(message, body) })
}

// refuse answers with an error. What of it cannot be sent is left out.
func (r *Request) refuse(why *RPCError) error {
	text, _ := ended("respond", sendable(why.Message))
	data, err := encode("respond", why.Data)
	if err != nil {
		r.server.failed(r.Method, r.name, err)
	}
	return r.live("respond", func(message messageHandle) error {
		err := respondError(message, why.Code, text, data)
		if errors.Is(err, StatusInvalidArgument) && data != nil {
			return respondError(message, why.Code, text, nil)
		}
		return err
	})
}

// Progress reports progress, if the client wants reports: progress must rise, total is 0 if it is not known. It never waits.
func (r *Request) Progress(progress, total float64, message string) error {
	var said []byte
	if message != "" {
		said, _ = ended("progress", sendable(message))
	}
	return r.live("progress", func(m messageHandle) error { return progressOf(m, progress, total, said) })
}

// Log sends a log message that belongs to the request, if the client wants messages of that level. data is anything that can be
// written as JSON. The configuration must announce "logging". It leaves the program: no secrets.
//
// Deprecated: 2026-07-28 deprecates log messages (SEP-2577). It works in every revision that has it.
func (r *Request) Log(level LoggingLevel, logger string, data any) error {
	name, err := ended("log", string(level))
	if err != nil {
		return err
	}
	from, err := optional("log", logger)
	if err != nil {
		return err
	}
	body, err := encode("log", json_(data))
	if err != nil {
		return err
	}
	if body == nil {
		body = []byte("null\x00")
	}
	return r.live("log", func(m messageHandle) error { return logOf(m, name, from, body) })
}

// optional is a text for C; nil for an empty one.
func optional(what, in string) ([]byte, error) {
	if in == "" {
		return nil, nil
	}
	return ended(what, in)
}

// State is what an earlier run of the handler kept with SetState before it asked; "" if nothing was.
func (r *Request) State() (state string, err error) {
	err = r.live("state", func(m messageHandle) (err error) { state, err = stateOf(m); return err })
	return state, err
}

// SetState keeps a text for the next run of the handler, after it has asked. In 2026-07-28 it travels to the client and back,
// encrypted and bound to the request.
func (r *Request) SetState(state string) error {
	text, err := ended("state", state)
	if err != nil {
		return err
	}
	return r.live("state", func(m messageHandle) error { return setStateOf(m, text) })
}

// StartTask turns the call of a tool into a task: the client gets its name at once, and the handler answers late, as ever. The
// tool's Execution must allow it. StatusUnsupported says that the client takes no task: answer without one.
func (r *Request) StartTask(options TaskOptions) error {
	text, err := encode("task", options)
	if err != nil {
		return err
	}
	return r.live("task", func(m messageHandle) error { return startTaskOf(m, text) })
}

// CloseStream ends the event stream of the request before its answer (2025-11-25 over HTTP): the client comes back after a time,
// 0 for that of the configuration, and gets what was sent meanwhile. Elsewhere it does nothing.
func (r *Request) CloseStream(retry time.Duration) error {
	number := int32(-1)
	if retry > 0 {
		number = int32(min(milliseconds(retry), 1<<31-1))
	}
	return r.live("stream", func(m messageHandle) error { return closeStreamOf(m, number) })
}

// RequestInfo is what there is to know about a request and its client.
type RequestInfo struct {
	// Session is the number of the session, for [Server.Notify] and [Server.CallSession].
	Session      uint64                     `json:"session"`
	Revision     string                     `json:"revision"`
	Era          string                     `json:"era"`
	Capabilities map[string]json.RawMessage `json:"capabilities"`
	// Name is that of the tool or the prompt, or the URI.
	Name string `json:"name"`
	// Variables are those that a URI gave a resource template.
	Variables     map[string]json.RawMessage `json:"variables"`
	WantsProgress bool                       `json:"wants_progress"`
	LogLevel      string                     `json:"log_level"`
	// Round is how often the handler ran before.
	Round int `json:"round"`
	// Task is the name of the task that the request has become.
	Task       string `json:"task"`
	DeadlineMS int64  `json:"deadline_ms"`
	// Principal is who brought the request, where requests are authorized.
	Principal json.RawMessage `json:"principal"`
	// Raw is all of it as it came.
	Raw json.RawMessage `json:"-"`
}

// Info tells about the request and its client. The error is StatusCancelled if the request is over.
func (r *Request) Info() (*RequestInfo, error) {
	var info RequestInfo
	err := r.live("context", func(m messageHandle) (err error) { info.Raw, err = contextOf(m); return err })
	if err == nil {
		err = decode("context", info.Raw, &info)
	}
	if err != nil {
		return nil, err
	}
	return &info, nil
}

// URI is that of the resource that is to be read; "" for another request.
func (r *Request) URI() string {
	var uri string
	if json.Unmarshal(memberOf(r.Params, "uri"), &uri) != nil {
		return ""
	}
	return uri
}

// CallSession calls a client of the legacy era outside of any request: "ping", "roots/list", "sampling/createMessage" or
// "elicitation/create". A handler asks with the functions of its [Request], which work in every revision.
func (s *Server) CallSession(ctx context.Context, session uint64, method string, params any) (json.RawMessage, error) {
	defer s.keep()
	if ctx.Err() != nil {
		return nil, interrupted(ctx, method)
	}
	name, err := ended("method", method)
	if err != nil {
		return nil, err
	}
	body, err := encode(method, params)
	if err != nil {
		return nil, err
	}
	var options []byte
	if deadline, ok := ctx.Deadline(); ok {
		options = fmt.Appendf(nil, `{"timeout_ms":%d}`+"\x00", milliseconds(time.Until(deadline)))
	}
	answer := make(chan outcome, 1)
	var tag uint64
	err = s.use(method, func(core *serverCore) error {
		tag = core.addCall(answer)
		return core.startCall(session, name, body, options, tag)
	})
	defer s.core.takeCall(tag)
	if err != nil {
		return nil, err
	}
	select {
	case end := <-answer:
		if end.status == StatusOK {
			return end.json, nil
		}
		if end.json != nil {
			return nil, readError(end.status, end.json)
		}
		return nil, &Error{Status: end.status, Operation: method, Message: method + ": " + end.status.name()}
	case <-ctx.Done():
		return nil, interrupted(ctx, method)
	}
}

func (s *serverCore) addCall(answer chan outcome) uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastTag++
	s.calls[s.lastTag] = answer
	return s.lastTag
}

func (s *serverCore) takeCall(tag uint64) chan outcome {
	if tag == 0 {
		return nil // Nothing was started.
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	answer := s.calls[tag]
	delete(s.calls, tag)
	return answer
}

func (s *serverCore) replied(m *served) {
	if answer := s.takeCall(m.tag); answer != nil {
		answer <- outcome{m.status, m.json}
	}
}

// endCalls ends the calls that have no reply yet, when the server is gone.
func (s *serverCore) endCalls() {
	s.mu.Lock()
	calls := s.calls
	s.calls = make(map[uint64]chan outcome)
	s.mu.Unlock()
	for _, answer := range calls {
		answer <- outcome{status: StatusClosed}
	}
}
