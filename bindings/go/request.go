//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"sync"
)

// ServerRequest is a request of the server: to sample, to elicit input, to list roots, or whatever its capabilities and yours allow.
type ServerRequest struct {
	Method string
	Params json.RawMessage

	answer *answer
}

// answer is the one answer that a request gets. It owns the library's message.
type answer struct {
	core    *core
	mu      sync.Mutex
	message messageHandle // nil once answered
}

// What a server learns of a handler that failed.
const requestFailedText = "The program could not answer the request."

// RequestHandler answers a request of the server with a result, anything that marshals to a JSON object, or refuses it with
// an error: an [*RPCError] as it is; of any other, and of a panic, [OnFailure] hears, and the server only that the request failed.
// What of an [*RPCError] cannot be sent (data that is no JSON, bytes that are no UTF-8) is left out. One that has answered already, with
// [ServerRequest.Accept] or another method, returns nil, nil. The context ends when the client is closed.
type RequestHandler func(ctx context.Context, request *ServerRequest) (result any, err error)

// OnRequest answers the server's requests of a method, such as "elicitation/create", each on a goroutine of its own. The
// capability must be enabled in the configuration; requests without a handler are refused.
func OnRequest(method string, handle RequestHandler) Option {
	if handle == nil {
		return nilHandler(method)
	}
	return func(h *handlers) {
		if h.requests == nil {
			h.requests = make(map[string]RequestHandler)
		}
		h.requests[method] = handle
	}
}

// RequestsTo sends the server's requests of a method to a channel, for [ServerRequest.Respond] or [ServerRequest.Refuse].
func RequestsTo(method string, channel chan<- *ServerRequest) Option {
	return OnRequest(method, func(ctx context.Context, request *ServerRequest) (any, error) {
		select {
		case channel <- request:
			return nil, errAnsweredLater
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
}

// What the handler of a channel returns: the goroutine that receives from the channel answers.
var errAnsweredLater = errors.New("answered later")

func (h *handlers) request(method string) RequestHandler {
	if handle, ok := h.requests[method]; ok {
		return handle
	}
	return h.requests[AnyMethod]
}

// request is called by the poller. A message that is not kept is freed there, which refuses the request.
func (c *core) request(t *taken) {
	handle := c.handlers.request(t.method)
	if handle == nil {
		return
	}
	request := &ServerRequest{Method: t.method, Params: t.json, answer: &answer{core: c, message: t.message}}
	t.message = 0
	// A backstop for one that was sent to a channel and forgotten.
	runtime.AddCleanup(request, func(a *answer) { a.drop() }, request.answer)
	go request.handle(handle)
}

func (r *ServerRequest) handle(handle RequestHandler) {
	defer runtime.KeepAlive(r)
	// Whatever happens, the server gets an answer: a message that is freed unanswered refuses the request.
	finally(func() (any, error) { return handle(r.answer.core.ctx, r) }, r.finish)
}

func (r *ServerRequest) finish(result any, err error) {
	var refusal *RPCError
	switch {
	case err == errAnsweredLater:
		return
	case errors.As(err, &refusal):
		r.refuseSomehow(refusal)
	case err != nil:
		if r.answer.core.ctx.Err() == nil {
			r.failed(err)
		}
		r.refuseSomehow(&RPCError{Code: CodeInternal, Message: requestFailedText})
	case r.answer.isGiven():
	default:
		if err := r.Respond(result); err != nil && !isOver(err) {
			r.failed(err)
			r.refuseSomehow(&RPCError{Code: CodeInternal, Message: requestFailedText})
		}
	}
	r.answer.drop()
}

// refuseSomehow refuses with an error that may hold anything. What cannot be sent as it is goes without its data, and as UTF-8
// without NULs.
func (r *ServerRequest) refuseSomehow(why *RPCError) {
	err := r.Refuse(why)
	if err == nil || isOver(err) || r.answer.isGiven() {
		return
	}
	r.failed(err)
	if err := r.Refuse(&RPCError{Code: why.Code, Message: sendable(why.Message)}); err != nil && !isOver(err) {
		r.failed(err)
	}
}

// sendable is a text as C takes it: UTF-8 without NULs.
func sendable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\x00", "")
}

func (r *ServerRequest) failed(err error) {
	r.answer.core.handlers.failed(HandlerFailure{Method: r.Method, Err: err})
}

// isOver says that the server no longer waits for the answer: it withdrew its request, it has ended, or the client is closed.
// That is no fault of the handler's.
func isOver(err error) bool {
	return errors.Is(err, StatusCancelled) || errors.Is(err, StatusTransport) || errors.Is(err, StatusUnavailable) ||
		errors.Is(err, StatusClosed)
}

// Respond answers with a result: a json.RawMessage, or anything that marshals to a JSON object. A request is answered once.
// The error is StatusCancelled if the server has withdrawn its request, StatusTransport if its connection has ended.
func (r *ServerRequest) Respond(result any) error {
	defer runtime.KeepAlive(r)
	body, err := encode("respond", result)
	if err == nil && body == nil {
		body, err = ended("respond", "{}")
	}
	if err != nil {
		return err
	}
	return r.answer.give(func(c *core, message messageHandle) error { return c.respond(message, body) })
}

// Refuse answers with an error. A text that is no UTF-8 or has a NUL, and data that is no JSON, is StatusInvalidArgument, and the
// request still waits then.
func (r *ServerRequest) Refuse(why *RPCError) error {
	defer runtime.KeepAlive(r)
	text, err := ended("respond", why.Message)
	if err != nil {
		return err
	}
	data, err := encode("respond", why.Data)
	if err != nil {
		return err
	}
	return r.answer.give(func(c *core, message messageHandle) error { return c.refuse(message, why.Code, text, data) })
}

// Accept answers a request of the method "elicitation/create" with what the person entered: anything that marshals to a JSON object;
// nil for the form's defaults alone, and for a page that the person agreed to visit. What is left out is filled in with its
// defaults. Content that the form does not allow is StatusInvalidArgument, and the request still waits then.
func (r *ServerRequest) Accept(content any) error {
	defer runtime.KeepAlive(r)
	body, err := encode("elicitation", content)
	if err != nil {
		return err
	}
	return r.answer.give(func(c *core, message messageHandle) error { return c.respondToForm(message, "accept", body) })
}

// Decline answers a request of the method "elicitation/create": the person does not want to.
func (r *ServerRequest) Decline() error {
	defer runtime.KeepAlive(r)
	return r.answer.give(func(c *core, message messageHandle) error { return c.respondToForm(message, "decline", nil) })
}

// Cancel answers a request of the method "elicitation/create": the person closed it without a choice.
func (r *ServerRequest) Cancel() error {
	defer runtime.KeepAlive(r)
	return r.answer.give(func(c *core, message messageHandle) error { return c.respondToForm(message, "cancel", nil) })
}

func (a *answer) give(answer func(*core, messageHandle) error) error {
	if a == nil {
		return unmade("respond", "ServerRequest", "to try a handler, have a server of mcp.NewInProcess ask")
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.message == 0 {
		return invalid("respond", "the request was answered before")
	}
	if !a.core.acquire() {
		return closed("respond")
	}
	defer a.core.release()
	if err := answer(a.core, a.message); errors.Is(err, StatusInvalidArgument) {
		return err // The answer cannot be sent as it is; another may be.
	} else {
		freeMessage(a.message)
		a.message = 0
		return err
	}
}

func (a *answer) isGiven() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.message == 0
}

// drop frees the message, which refuses a request that was not answered.
func (a *answer) drop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	freeMessage(a.message)
	a.message = 0
}
