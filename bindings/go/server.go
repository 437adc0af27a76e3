//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"context"
	"encoding/json"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// Server offers tools, resources and prompts of this program to clients of every revision of the protocol.
//
// Add what it offers ([AddTool], [Server.AddResource], …), then serve: [Server.ServeStdio], [Server.Serve] or [Server.Handler].
// Entries may be added and removed while it serves; clients are told. Each request runs on a goroutine of its own, with a context
// that ends when the client cancels it, when its time is over ("timeouts.request_ms") and when the server is closed.
type Server struct {
	core *serverCore
}

// serverCore is what a server is made of. Its poller knows it, and not the Server, so that a forgotten Server can be found.
type serverCore struct {
	handle  serverHandle
	options serverOptions
	file    *os.File // a duplicate of the queue's descriptor, which the network poller knows
	raw     syscall.RawConn

	// ctx is what the contexts of handlers come from; it ends when the server is closed.
	ctx  context.Context
	stop context.CancelFunc

	mu        sync.Mutex
	users     int
	closing   bool
	idle      chan struct{} // closed when it is closing and no goroutine uses the handle
	addFailed error         // the first entry that could not be added before the server served
	served    bool
	lastEntry uint64
	entries   map[uint64]entry
	numbers   map[entryName]uint64
	running   map[uint64]context.CancelCauseFunc // by the number of the request
	lastTag   uint64
	calls     map[uint64]chan outcome

	ended     chan struct{} // closed when all that is served has ended
	closed    chan struct{} // closed when Close is done
	closeOnce sync.Once
	closeErr  error
}

// entryHandler runs for a request. What it gives is a textAnswer, nil for an empty object, or anything that marshals to one.
type entryHandler func(ctx context.Context, request *Request) (any, error)

type entry struct {
	run  entryHandler
	name entryName
}

// entryName is by what an entry is removed: its kind, as the library calls it, and its name or URI.
type entryName struct{ kind, name string }

// ServerOption changes how a server treats its handlers.
type ServerOption func(*serverOptions)

type serverOptions struct {
	failure func(HandlerFailure)
	token   TokenHandler
}

// OnServerFailure gives each failure of a handler to a function: an error that is not meant for the client, a panic (a
// [*PanicError]), and an answer that could not be sent. The client gets a text that says nothing about it. Failures go to the
// logger of [SetLogger] too. Without a function and without that logger they go to [slog.Default].
func OnServerFailure(handle func(HandlerFailure)) ServerOption {
	return func(o *serverOptions) { o.failure = handle }
}

// NewServer makes a server from configuration: a [ServerConfig], or anything that marshals to an object with the keys of
// docs/reference/server-configuration.md. It serves nothing yet.
func NewServer(config any, options ...ServerOption) (*Server, error) {
	if err := checkABI(); err != nil {
		return nil, err
	}
	text, err := encode("server", config)
	if err != nil {
		return nil, err
	}
	if text == nil {
		return nil, invalid("server", "there is no configuration")
	}
	var keys struct {
		Workers int64 `json:"workers"`
	}
	// What is no object is refused below, with a better text.
	if json.Unmarshal(text[:len(text)-1], &keys) == nil && keys.Workers != 0 {
		return nil, invalid("server", "workers: handlers run on goroutines here; leave this key out")
	}
	core := &serverCore{
		idle:    make(chan struct{}),
		entries: make(map[uint64]entry),
		numbers: make(map[entryName]uint64),
		running: make(map[uint64]context.CancelCauseFunc),
		calls:   make(map[uint64]chan outcome),
		ended:   make(chan struct{}),
		closed:  make(chan struct{}),
	}
	for _, option := range options {
		if option != nil {
			option(&core.options)
		}
	}
	if core.handle, err = newServerHandle(text); err != nil {
		return nil, err
	}
	number, err := serverDescriptor(core.handle)
	if err == nil {
		core.file, core.raw, err = watch(number)
	}
	if err != nil {
		core.freeHandle()
		return nil, err
	}
	core.ctx, core.stop = context.WithCancel(context.Background())
	go core.poll()
	server := &Server{core: core}
	// A backstop. What the server's memory is waited for must not be waited for by the collector.
	runtime.AddCleanup(server, func(core *serverCore) { go core.close(-1) }, core)
	return server, nil
}

// keep has the server seen as in use until here, so that the backstop does not close it meanwhile.
func (s *Server) keep() { runtime.KeepAlive(s) }

func (s *serverCore) acquire() bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return false
	}
	s.users++
	return true
}

func (s *serverCore) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users--
	s.lookIdle()
}

func (s *serverCore) lookIdle() {
	if s.closing && s.users == 0 {
		close(s.idle)
	}
}

// gone is the error of an operation for which there is no handle.
func (s *serverCore) gone(operation string) *Error {
	if s == nil {
		return unmade(operation, "Server", "make one with mcp.NewServer")
	}
	return &Error{Status: StatusClosed, Operation: operation, Message: operation + ": the server is closed"}
}

// use runs a function of the library on the handle.
func (s *Server) use(operation string, do func(*serverCore) error) error {
	defer s.keep()
	if !s.core.acquire() {
		return s.core.gone(operation)
	}
	defer s.core.release()
	return do(s.core)
}

// Serve begins to serve at an endpoint and returns: an [Endpoint], or anything that marshals to one. It may be called several
// times, for several endpoints at once. What comes back is the endpoint with the port that the system chose for port 0. If an
// entry could not be added before, that is the error.
func (s *Server) Serve(endpoint any) (*Endpoint, error) {
	where, err := encode("serve", endpoint)
	if err != nil {
		return nil, err
	}
	var bound Endpoint
	err = s.use("serve", func(core *serverCore) error {
		if err := core.firstServe(); err != nil {
			return err
		}
		said, err := core.serve(where)
		if err != nil {
			return err
		}
		return decode("serve", said, &bound)
	})
	if err != nil {
		return nil, err
	}
	return &bound, nil
}

// firstServe gives the error of an entry that could not be added, until the server serves.
func (s *serverCore) firstServe() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.addFailed == nil || s.served {
		s.served = true
		return nil
	}
	return s.addFailed
}

// ServeStdio serves the client that started this program, over the standard streams, until that client closes them or ctx ends,
// and closes the server then. What the program prints meanwhile goes to standard error.
func (s *Server) ServeStdio(ctx context.Context) error {
	yes := true
	if _, err := s.Serve(Endpoint{Stdio: &yes}); err != nil {
		return err
	}
	return s.Wait(ctx)
}

// Wait waits until all that is served has ended, or ctx, and closes the server then. Only the standard streams end by themselves.
func (s *Server) Wait(ctx context.Context) error {
	defer s.keep()
	if s.core == nil {
		return s.core.gone("serve")
	}
	select {
	case <-s.core.ended:
		return s.core.close(-1)
	case <-ctx.Done():
		if err := s.core.close(-1); err != nil {
			return err
		}
		return interrupted(ctx, "serve")
	}
}

// Close closes the server: no client is accepted any more, requests under way are refused, and the contexts of their handlers
// end. Within "timeouts.close_ms" clients may take what was sent to them; StatusTimeout says that one did not. Handlers that
// still run are not waited for. It may be called any number of times, from anywhere.
func (s *Server) Close() error {
	defer s.keep()
	return s.core.close(-1)
}

// Shutdown is Close with the context's deadline as the time that clients have.
func (s *Server) Shutdown(ctx context.Context) error {
	defer s.keep()
	timeout := int32(-1)
	if deadline, ok := ctx.Deadline(); ok {
		timeout = int32(min(milliseconds(time.Until(deadline)), 1<<31-1))
	}
	done := make(chan error, 1)
	go func() { done <- s.core.close(timeout) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return interrupted(ctx, "close")
	}
}

// Done is closed when the server has been closed.
func (s *Server) Done() <-chan struct{} {
	if s.core == nil {
		return over
	}
	return s.core.closed
}

func (s *serverCore) close(timeout int32) error {
	if s == nil {
		return s.gone("close")
	}
	s.closeOnce.Do(func() {
		s.mu.Lock()
		s.closing = true
		s.lookIdle()
		s.mu.Unlock()
		ended := make(chan Status, 1)
		onOwnThread(func() { ended <- s.closeHandle(timeout) })
		status := <-ended
		<-s.ended
		s.stop()
		<-s.idle
		s.freeHandle()
		s.endCalls()
		if status != StatusOK {
			s.closeErr = &Error{Status: status, Operation: "close", Message: "close: " + closeText(status)}
		}
		close(s.closed)
	})
	return s.closeErr
}

func closeText(status Status) string {
	if status == StatusTimeout {
		return "a client did not take everything that was sent to it"
	}
	return status.name()
}
