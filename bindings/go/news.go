package mcp

import (
	"context"
	"encoding/json"
	"sync"
)

// How much news waits for the handlers of one client, unless [Backlog] says otherwise.
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

// LogLine is a line of the server's standard error (with Stderr: "message" in the configuration).
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
	state         func(StateChange)
	line          func(LogLine)
	lost          func(int64)
	failure       func(HandlerFailure)
	backlog       int
}

type notificationHandler func(context.Context, Notification)

// AnyMethod, as the method of [OnNotification] or [OnRequest], stands for those that have no handler of their own.
const AnyMethod = "*"

// OnNotification gives each notification of a method to a function. All news of a client (notifications, states, log lines)
// comes on one goroutine, in the order of arrival. A function that is slow delays no call; what then comes faster than it
// is taken is dropped, oldest first, beyond the [Backlog], and [OnLost] hears of it.
func OnNotification(method string, handle func(Notification)) Option {
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

// OnLogLine gives each line of the server's standard error to a function.
func OnLogLine(handle func(LogLine)) Option { return func(h *handlers) { h.line = handle } }

// OnLost gives a function the number of pieces of news that were dropped because nobody took them in time.
func OnLost(handle func(count int64)) Option { return func(h *handlers) { h.lost = handle } }

// Backlog is how much news may wait for the handlers (1024).
func Backlog(most int) Option { return func(h *handlers) { h.backlog = most } }

func (h *handlers) wantNews() bool {
	return len(h.notifications) > 0 || h.state != nil || h.line != nil || h.lost != nil
}

func (h *handlers) notification(method string) notificationHandler {
	if handle, ok := h.notifications[method]; ok {
		return handle
	}
	return h.notifications[AnyMethod]
}

// piece is one piece of news.
type piece struct {
	kind   Kind
	topic  Topic
	method string
	json   json.RawMessage
}

// newsroom hands news to the application's functions, on one goroutine, in order. A nil one takes nothing.
type newsroom struct {
	ctx      context.Context
	handlers *handlers
	pieces   chan piece

	mu      sync.Mutex
	dropped int64
	closed  bool
}

func newNewsroom(ctx context.Context, h *handlers) *newsroom {
	if h.backlog <= 0 {
		h.backlog = defaultBacklog
	}
	room := &newsroom{ctx: ctx, handlers: h, pieces: make(chan piece, h.backlog)}
	go room.run()
	return room
}

// announce is called by the poller only, and never waits.
func (c *core) announce(t *taken) {
	if c.newsroom != nil && c.newsroom.wants(t) {
		c.newsroom.push(piece{t.kind, t.topic, t.method, t.json})
	}
	if t.kind == KindState && c.queue != nil {
		var change StateChange
		if json.Unmarshal(t.json, &change) == nil && change.State == StateClosed.name() {
			c.overOnce.Do(func() { close(c.over) })
		}
	}
}

func (n *newsroom) wants(t *taken) bool {
	switch t.kind {
	case KindNotification:
		return n.handlers.notification(t.method) != nil
	case KindState:
		return n.handlers.state != nil
	case KindLog:
		return n.handlers.line != nil
	case KindLost:
		return n.handlers.lost != nil
	default:
		return false
	}
}

// push never waits: where there is no room the oldest piece is dropped.
func (n *newsroom) push(news piece) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for !n.closed {
		select {
		case n.pieces <- news:
			return
		default:
		}
		select {
		case <-n.pieces:
			n.dropped++
		default:
		}
	}
}

// close lets the goroutine hand out what is left and end.
func (n *newsroom) close() {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closed = true
	close(n.pieces)
}

func (n *newsroom) takeDropped() int64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	dropped := n.dropped
	n.dropped = 0
	return dropped
}

func (n *newsroom) run() {
	for news := range n.pieces {
		if dropped := n.takeDropped(); dropped > 0 && n.handlers.lost != nil {
			n.handlers.lost(dropped)
		}
		n.hand(news)
	}
}

func (n *newsroom) hand(news piece) {
	switch news.kind {
	case KindNotification:
		n.handlers.notification(news.method)(n.ctx, Notification{Method: news.method, Params: news.json, Topic: news.topic})
	case KindState:
		give(news.json, n.handlers.state)
	case KindLog:
		give(news.json, n.handlers.line)
	case KindLost:
		var lost struct {
			Count int64 `json:"count"`
		}
		if json.Unmarshal(news.json, &lost) == nil {
			n.handlers.lost(lost.Count)
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
