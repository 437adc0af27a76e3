//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"context"
	"encoding/json"
	"runtime"
	"sync"
	"time"
)

// How long Close waits for the last messages after the library has given up on a server that even the kill does not end.
const closePatience = time.Second

// Client is one logical connection to one server.
type Client struct {
	core   *core
	server *Server // of this process, if it is that of NewInProcess
}

// core is what a client is made of. The poller knows it, and not the Client, so that a forgotten Client can be found.
type core struct {
	handle clientHandle
	poller *poller
	queue  *Queue // nil if the client has its own
	handlers
	messages *handlerQueue // nil if no function wants notifications, states or log lines
	locks    loginLocks

	// ctx is what handlers get; it ends when the client is closed.
	ctx  context.Context
	stop context.CancelFunc

	mu      sync.Mutex
	users   int
	closing bool
	idle    chan struct{} // closed when it is closing and no goroutine uses the handle

	over      chan struct{} // closed at the message that the state is "closed"
	overOnce  sync.Once
	closed    chan struct{} // closed when Close is done
	closeOnce sync.Once
	closeErr  error
}

// New makes a client from configuration: a [Config], a json.RawMessage as [LoadConfig] gives it, or anything that marshals to
// an object with the keys of docs/reference/configuration.md. It starts nothing yet: [Client.Connect] or the first call does.
func New(config any, options ...Option) (*Client, error) {
	return newClient(nil, config, options)
}

// maker makes the handle of a client with a queue of its own from its configuration.
type maker func(config []byte) (clientHandle, error)

func newClient(queue *Queue, config any, options []Option) (*Client, error) {
	return newClientWith(queue, config, options, func(text []byte) (clientHandle, error) { return newHandle(0, text) })
}

func newClientWith(queue *Queue, config any, options []Option, make_ maker) (*Client, error) {
	if err := checkABI(); err != nil {
		return nil, err
	}
	this := newCore(queue, options)
	text, err := this.handlers.configure(config, true)
	if err == nil {
		if queue != nil {
			err = queue.adopt(this, text)
		} else {
			err = this.open(text, make_)
		}
	}
	return this.client(err)
}

// newCore makes what a client is made of, but for its handle.
func newCore(queue *Queue, options []Option) *core {
	this := &core{
		queue:  queue,
		idle:   make(chan struct{}),
		over:   make(chan struct{}),
		closed: make(chan struct{}),
	}
	this.ctx, this.stop = context.WithCancel(context.Background())
	for _, option := range options {
		if option != nil {
			option(&this.handlers)
		}
	}
	return this
}

// client makes the client, unless there was a failure.
func (c *core) client(err error) (*Client, error) {
	if err != nil {
		c.stop()
		c.messages.close()
		return nil, err
	}
	client := &Client{core: c}
	// A backstop. What the client's memory is waited for must not be waited for by the collector.
	runtime.AddCleanup(client, func(c *core) { go c.close(-1) }, c)
	return client, nil
}

// listen makes the queue of the handlers for messages. It must be there before the first message.
func (c *core) listen() {
	if c.handlers.wantMessages() {
		c.messages = newHandlerQueue(c.ctx, &c.handlers)
	}
}

// open makes the handle of a client with a queue of its own.
func (c *core) open(config []byte, make_ maker) (err error) {
	handle, err := make_(config)
	if err != nil {
		return err
	}
	return c.take(handle)
}

// take begins to wait for the messages of a handle with a queue of its own.
func (c *core) take(handle clientHandle) (err error) {
	c.handle = handle
	if c.poller, err = newPoller(0, c.handle); err != nil {
		c.freeHandle() // Nothing was started yet, so this does not wait.
		return err
	}
	c.listen()
	c.poller.enter(c)
	go c.poller.run()
	return nil
}

// onOwnThread runs what blocks in C on a thread that ends with it. Go keeps the threads that it makes for goroutines in C, for
// ever; only one whose goroutine ends while it is locked to it is given back.
func onOwnThread(do func()) {
	go func() {
		runtime.LockOSThread()
		do()
	}()
}

// keep has the client seen as in use until here, so that the backstop does not close it under a call.
func (c *Client) keep() { runtime.KeepAlive(c) }

// gone is the error of an operation for which there is no handle.
func (c *core) gone(operation string) *Error {
	if c == nil {
		return unmade(operation, "Client", "make one with mcp.New, mcp.NewInProcess or Queue.New")
	}
	return closed(operation)
}

// acquire says whether the handle may be used; release must follow.
func (c *core) acquire() bool {
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing {
		return false
	}
	c.users++
	return true
}

func (c *core) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.users--
	c.lookIdle()
}

func (c *core) lookIdle() {
	if c.closing && c.users == 0 {
		close(c.idle)
	}
}

// Connect starts the connection if need be and waits until it is ready. Optional: the first call starts it too. After a
// failure the client goes on trying in the background, as "reconnect" in the configuration says.
func (c *Client) Connect(ctx context.Context) error {
	defer c.keep()
	if ctx.Err() != nil {
		return interrupted(ctx, "connect")
	}
	timeout := int32(-1)
	if deadline, ok := ctx.Deadline(); ok {
		timeout = int32(min(milliseconds(time.Until(deadline)), 1<<31-1))
	}
	_, err := c.core.perform(ctx, "connect", new(callSettings), func(_ []byte, tag uint64) (uint64, error) {
		return c.core.startConnect(timeout, tag)
	})
	return err
}

// Logout deletes the stored logins for the server, in every store, and has its authorization servers revoke their tokens. The next
// request that needs a login starts a new one. When the context ends first, this goes on in the background.
func (c *Client) Logout(ctx context.Context) error {
	defer c.keep()
	if ctx.Err() != nil {
		return interrupted(ctx, "logout")
	}
	if !c.core.acquire() {
		return c.core.gone("logout")
	}
	done := make(chan error, 1)
	onOwnThread(func() {
		defer c.core.release()
		done <- c.core.logout()
	})
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return interrupted(ctx, "logout")
	}
}

// String says which connection it is in which state, for logs.
func (c *Client) String() string { return "mcp.Client(" + c.State().String() + ")" }

// State is the state of the connection; StateClosed after Close.
func (c *Client) State() State {
	defer c.keep()
	if !c.core.acquire() {
		return StateClosed
	}
	defer c.core.release()
	return c.core.state()
}

// Info is what there is to know about a connection.
type Info struct {
	State    string `json:"state"`
	Revision string `json:"revision"`
	Era      string `json:"era"`
	Server   struct {
		Name    string `json:"name"`
		Title   string `json:"title"`
		Version string `json:"version"`
	} `json:"server"`
	Capabilities map[string]json.RawMessage `json:"capabilities"`
	Instructions string                     `json:"instructions"`
	Transport    string                     `json:"transport"`
	PID          int                        `json:"pid"`
	PendingCalls int                        `json:"pending_calls"`
	Failure      json.RawMessage            `json:"failure"`
	Counters     map[string]int64           `json:"counters"`
	// Raw is all of it as it came.
	Raw json.RawMessage `json:"-"`
}

// Info tells about the connection. It never waits.
func (c *Client) Info() (Info, error) {
	defer c.keep()
	var info Info
	if !c.core.acquire() {
		return info, c.core.gone("info")
	}
	defer c.core.release()
	raw, err := c.core.info()
	if err != nil {
		return info, err
	}
	info.Raw = raw
	return info, decode("info", raw, &info)
}

// Close ends the connection: calls under way end as StatusClosed, and the server is ended, at first by closing its input and
// at last by killing it, within "timeouts.close_ms" of the configuration. It may be called any number of times, from
// anywhere; everybody waits until it is done. Handlers that still run see their context end, but are not waited for.
func (c *Client) Close() error {
	defer c.keep()
	return c.core.close(-1)
}

// Shutdown is Close with the context's deadline as the time that the server may take to end by itself. When the context
// ends earlier than the server, closing goes on in the background.
func (c *Client) Shutdown(ctx context.Context) error {
	defer c.keep()
	timeout := int32(-1)
	if deadline, ok := ctx.Deadline(); ok {
		timeout = int32(min(milliseconds(time.Until(deadline)), 1<<31-1))
	}
	done := make(chan error, 1)
	go func() { done <- c.core.close(timeout) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return interrupted(ctx, "close")
	}
}

// Done is closed when the client has been closed.
func (c *Client) Done() <-chan struct{} {
	if c.core == nil {
		return over
	}
	return c.core.closed
}

func (c *core) close(timeout int32) error {
	if c == nil {
		return c.gone("close")
	}
	c.closeOnce.Do(func() {
		c.mu.Lock()
		c.closing = true
		c.lookIdle()
		c.mu.Unlock()
		ended := make(chan Status, 1)
		onOwnThread(func() { ended <- c.closeHandle(timeout) })
		status := <-ended
		c.stop()
		if status == StatusOK {
			c.finish()
			return
		}
		c.closeErr = &Error{Status: status, Operation: "close", Message: "close: the server has not ended, though it was killed"}
		finished := make(chan struct{})
		go func() { c.finish(); close(finished) }()
		select {
		case <-finished:
		case <-time.After(closePatience):
		}
	})
	return c.closeErr
}

// finish takes what is left on the queue and frees the handle when no goroutine uses it any more.
func (c *core) finish() {
	<-c.idle
	if c.queue == nil {
		<-c.poller.ended
	} else {
		select {
		case <-c.over:
		case <-c.poller.flushed():
		}
	}
	c.poller.leave(c)
	c.freeHandle()
	c.unlockAll()
	if c.queue != nil {
		c.queue.disown(c)
	}
	c.messages.close()
	close(c.closed)
}
