//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
)

// How many messages wait for the handlers of one client, unless [Backlog] says otherwise.
const defaultBacklog = 1024

// Notification is a notification of the server.
type Notification struct {
	Method string
	Params json.RawMessage
	// Topic is what it is about, to switch on.
	Topic Topic
}

// StateChange says that the connection's state changed.
type StateChange struct {
	State    string `json:"state"`
	Previous string `json:"previous"`
	// Reason says why, where there is something to say.
	Reason string `json:"reason"`
	// NextAttemptInMS is when the connection is tried again, in state "backoff".
	NextAttemptInMS int64 `json:"next_attempt_in_ms"`
}

// LogLine is a line of the server's standard error.
type LogLine struct {
	Source string `json:"source"`
	Line   string `json:"line"`
}

// Progress is one report of progress.
type Progress struct {
	Progress float64 `json:"progress"`
	Total    float64 `json:"total"` // 0 if the server does not know
	Message  string  `json:"message"`
}

// Option says where what the server sends by itself goes.
type Option func(*handlers)

type handlers struct {
	notifications map[string]notificationHandler
	requests      map[string]RequestHandler
	login         LoginHandler
	store         LoginStore
	sign          Signer
	state         func(StateChange)
	line          func(LogLine)
	lost          func(int64)
	failure       func(HandlerFailure)
	backlog       int
	enables       map[string]json.RawMessage // capabilities that typed handlers need
	fault         error                      // the first of them that is nil
}

// nilHandler has a client refuse a handler that would fail when it is called.
func nilHandler(of string) Option {
	return func(h *handlers) {
		if h.fault == nil {
			h.fault = invalid("new", fmt.Sprintf("the handler of %s is nil", of))
		}
	}
}

type notificationHandler func(context.Context, Notification)

// AnyMethod, as the method of [OnNotification] or [OnRequest], stands for those that have no handler of their own.
const AnyMethod = "*"

// OnNotification gives each notification of a method to a function. One goroutine calls the functions of a client for all
// its messages (notifications, states, log lines), in the order of arrival. A slow function delays no call. When more messages
// than the [Backlog] wait, the binding drops the oldest ones and gives their number to [OnLost].
func OnNotification(method string, handle func(Notification)) Option {
	if handle == nil {
		return nilHandler(method)
	}
	return onNotification(method, func(_ context.Context, n Notification) { handle(n) })
}

func onNotification(method string, handle notificationHandler) Option {
	return func(h *handlers) {
		if h.notifications == nil {
			h.notifications = make(map[string]notificationHandler)
		}
		h.notifications[method] = handle
	}
}

// NotificationsTo sends each notification of a method to a channel. While the channel takes none the others wait, as behind a
// function that is slow; what is left when the client is closed is dropped. The channel is not closed: see [Client.Done].
func NotificationsTo(method string, channel chan<- Notification) Option {
	return onNotification(method, func(ctx context.Context, n Notification) {
		select {
		case channel <- n:
		case <-ctx.Done():
		}
	})
}

// OnState gives each change of the connection's state to a function.
func OnState(handle func(StateChange)) Option { return func(h *handlers) { h.state = handle } }

// OnLogLine gives each line of the server's standard error to a function, in the place of the logger.
func OnLogLine(handle func(LogLine)) Option { return func(h *handlers) { h.line = handle } }

// OnLost gives a function the number of messages that were dropped because the handlers did not take them in time.
func OnLost(handle func(count int64)) Option { return func(h *handlers) { h.lost = handle } }

// Backlog is how many messages may wait for the handlers (1024).
func Backlog(most int) Option { return func(h *handlers) { h.backlog = most } }

func (h *handlers) wantMessages() bool {
	return len(h.notifications) > 0 || h.state != nil || h.line != nil || h.lost != nil
}

func (h *handlers) notification(method string) notificationHandler {
	if handle, ok := h.notifications[method]; ok {
		return handle
	}
	return h.notifications[AnyMethod]
}

// queuedMessage is a message that waits for its handler.
type queuedMessage struct {
	kind   Kind
	topic  Topic
	method string
	json   json.RawMessage
}

// handlerQueue gives notifications, states and log lines to the application's functions, on one goroutine, in order. A nil one
// takes nothing.
type handlerQueue struct {
	ctx      context.Context
	handlers *handlers
	messages chan queuedMessage

	mu      sync.Mutex
	dropped int64
	closed  bool
}

func newHandlerQueue(ctx context.Context, h *handlers) *handlerQueue {
	if h.backlog <= 0 {
		h.backlog = defaultBacklog
	}
	queue := &handlerQueue{ctx: ctx, handlers: h, messages: make(chan queuedMessage, h.backlog)}
	go queue.run()
	return queue
}

// announce is called by the poller only, and never waits.
func (c *core) announce(t *taken) {
	if c.messages != nil && c.messages.wants(t) {
		c.messages.push(queuedMessage{t.kind, t.topic, t.method, t.json})
	}
	if t.kind == KindState && c.queue != nil {
		var change StateChange
		if json.Unmarshal(t.json, &change) == nil && change.State == StateClosed.name() {
			c.overOnce.Do(func() { close(c.over) })
		}
	}
}

func (q *handlerQueue) wants(t *taken) bool {
	switch t.kind {
	case KindNotification:
		return q.handlers.notification(t.method) != nil
	case KindState:
		return q.handlers.state != nil
	case KindStderr:
		return q.handlers.line != nil
	case KindLost:
		return q.handlers.lost != nil
	default:
		return false
	}
}

// push never waits: if the queue is full, it drops the oldest message.
func (q *handlerQueue) push(message queuedMessage) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.closed {
		select {
		case q.messages <- message:
			return
		default:
		}
		select {
		case <-q.messages:
			q.dropped++
		default:
		}
	}
}

// close makes the goroutine deliver the messages that are left and end.
func (q *handlerQueue) close() {
	if q == nil {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	close(q.messages)
}

func (q *handlerQueue) takeDropped() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	dropped := q.dropped
	q.dropped = 0
	return dropped
}

func (q *handlerQueue) run() {
	isDone := false
	defer func() {
		if !isDone { // A function of the program has ended the goroutine.
			go q.run()
		}
	}()
	for message := range q.messages {
		if dropped := q.takeDropped(); dropped > 0 && q.handlers.lost != nil {
			q.handlers.attempt(KindLost.String(), func() { q.handlers.lost(dropped) })
		}
		q.guard(message)
	}
	isDone = true
}

// guard delivers a message. A function that panics is told of, and the next message goes on.
func (q *handlerQueue) guard(message queuedMessage) {
	what := message.method
	if what == "" {
		what = message.kind.String()
	}
	q.handlers.attempt(what, func() { q.deliver(message) })
}

func (q *handlerQueue) deliver(message queuedMessage) {
	switch message.kind {
	case KindNotification:
		q.handlers.notification(message.method)(q.ctx, Notification{Method: message.method, Params: message.json, Topic: message.topic})
	case KindState:
		give(message.json, q.handlers.state)
	case KindStderr:
		give(message.json, q.handlers.line)
	case KindLost:
		var lost struct {
			Count int64 `json:"count"`
		}
		if json.Unmarshal(message.json, &lost) == nil {
			q.handlers.lost(lost.Count)
		}
	}
}

// give unmarshals what the library wrote itself.
func give[T any](body json.RawMessage, to func(T)) {
	var value T
	if json.Unmarshal(body, &value) == nil {
		to(value)
	}
}
