//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"runtime/debug"
)

// What a client learns of a handler that failed: nothing that an attacker could use.
const (
	toolFailedText    = "The tool failed."
	handlerFailedText = "The server could not do this."
)

// poll is the one goroutine that takes the requests of a server. It waits in Go's network poller, and runs no code of the
// application.
func (s *serverCore) poll() {
	defer close(s.ended)
	defer s.file.Close()
	batch := newServedBatch()
	defer batch.free()
	// The network poller tells of edges only, so each look takes all that is there before the next wait.
	if err := s.raw.Read(func(uintptr) bool { return s.takeAll(batch) }); err != nil {
		s.broken(err)
	}
}

func (s *serverCore) takeAll(batch servedBatch) (ended bool) {
	for {
		switch status := batch.each(s.handle, s.dispatch); status {
		case StatusOK, StatusWoken:
		case StatusEmpty:
			return false
		case StatusClosed: // All that was served has ended.
			return true
		default:
			s.broken(status)
			return true
		}
	}
}

// broken closes a server whose requests cannot be taken any more, so that its clients see the end and do not wait for ever.
func (s *serverCore) broken(why error) {
	s.failed("poll", "", why)
	go s.close(-1)
}

// dispatch owns the message, and never waits.
func (s *serverCore) dispatch(m *served) {
	switch {
	case m.kind == KindRequest:
		s.begin(m)
	case m.kind == KindAuth:
		s.authenticate(m)
	default:
		switch {
		case m.kind == KindReply:
			s.replied(m)
		case m.topic == TopicCancelled:
			s.withdrawn(m)
		}
		freeMessage(m.message)
	}
}

// begin runs a request's handler on a goroutine of its own.
func (s *serverCore) begin(m *served) {
	s.mu.Lock()
	entry, known := s.entries[m.entry]
	s.mu.Unlock()
	request := newRequest(s, m)
	request.name = entry.name.name
	if !known { // Its entry was removed meanwhile.
		go request.finish(nil, ErrNotFound)
		return
	}
	ctx, cancel := context.WithCancelCause(s.ctx)
	s.mu.Lock()
	s.running[m.callID] = cancel
	s.mu.Unlock()
	go func() {
		defer cancel(nil)
		finally(func() (any, error) { return entry.run(request.around(ctx), request) }, func(result any, err error) {
			s.mu.Lock()
			delete(s.running, m.callID)
			s.mu.Unlock()
			request.finish(result, err)
		})
	}()
}

// withdrawn ends the context of a request whose answer is not wanted any more.
func (s *serverCore) withdrawn(m *served) {
	s.mu.Lock()
	cancel := s.running[m.callID]
	s.mu.Unlock()
	if cancel == nil {
		return
	}
	var reason string
	message := "the answer is not wanted any more"
	if json.Unmarshal(memberOf(m.json, "reason"), &reason) == nil && reason != "" {
		message += ": " + reason
	}
	cancel(&Error{Status: StatusCancelled, Operation: "request", Message: message, cause: context.Canceled})
}

// PanicError is a panic of a handler, as [HandlerFailure] has it. No client sees anything of it.
type PanicError struct {
	// Value is what the handler panicked with.
	Value any
	// Stack is the stack of its goroutine.
	Stack []byte
}

func (e *PanicError) Error() string { return "mcp: a handler panicked" }

// Unwrap gives the value, if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// errEnded is how a function of the program failed that has ended its goroutine.
var errEnded = errors.New("mcp: a handler ended its goroutine (runtime.Goexit, as FailNow of a test does)")

// finally runs a function of the program and gives to another how it ended. That one runs in each case: no code behind the call does
// when the first ends its goroutine.
func finally[T any](do func() (T, error), then func(T, error)) {
	var result T
	err := errEnded
	defer func() { then(result, err) }()
	result, err = guarded(do)
}

// guarded makes an error of a panic.
func guarded[T any](do func() (T, error)) (result T, err error) {
	returned := false
	defer func() {
		if !returned {
			// When the function ends its goroutine, there is no value, and what calls this does not get the error: see finally.
			err = &PanicError{Value: recover(), Stack: debug.Stack()}
		}
	}()
	result, err = do()
	returned = true
	return result, err
}

// failed tells the program of a failure.
func (s *serverCore) failed(method, name string, err error) {
	tellFailure(HandlerFailure{Method: method, Name: name, Err: err}, s.options.failure)
}

// tellFailure gives a failure to the logger and to a function of the program, which may fail itself. Without both it goes to the
// default logger: a failure must not be silent.
func tellFailure(failure HandlerFailure, to func(HandlerFailure)) {
	var logger *slog.Logger
	if set := logging.Load(); set == nil && to == nil {
		logger = slog.Default()
	} else if set != nil && set.level <= slog.LevelWarn {
		logger = set.to
	}
	if logger != nil {
		attributes := []slog.Attr{slog.String("method", failure.Method)}
		if failure.Name != "" {
			attributes = append(attributes, slog.String("name", failure.Name))
		}
		attributes = append(attributes, slog.String("error", failure.Err.Error()))
		var panicked *PanicError
		if errors.As(failure.Err, &panicked) {
			attributes = append(attributes, slog.Any("panic", panicked.Value), slog.String("stack", string(panicked.Stack)))
		}
		logger.LogAttrs(context.Background(), slog.LevelWarn, "handler.failed", attributes...)
	}
	if to != nil {
		_, _ = guarded(func() (struct{}, error) { to(failure); return struct{}{}, nil })
	}
}

// Token is what a client brought, for a server with "auth.application".
type Token struct {
	// Token is a secret: do not log it, and do not pass it on.
	Token string `json:"token"`
	// Audiences are whom the token must be for.
	Audiences []string `json:"audiences"`
}

// Principal is who a token stands for.
type Principal struct {
	Principal string   `json:"principal"`
	Scopes    []string `json:"scopes,omitempty"`
	// Expires is the end of the token, in seconds since 1970; 0 for none.
	Expires int64          `json:"expires,omitempty"`
	Claims  map[string]any `json:"claims,omitempty"`
	// Key is the thumbprint of the key that the token is bound to, if it is.
	Key string `json:"key,omitempty"`
}

// TokenHandler says who a token stands for; an error refuses the token.
type TokenHandler func(ctx context.Context, token Token) (*Principal, error)

// OnToken judges the tokens of clients, each on a goroutine of its own, for a server whose configuration has "auth.application".
// Without it every token is refused.
func OnToken(handle TokenHandler) ServerOption {
	return func(o *serverOptions) { o.token = handle }
}

func (s *serverCore) authenticate(m *served) {
	go func() {
		defer freeMessage(m.message)
		finally(func() (*Principal, error) {
			var token Token
			if s.options.token == nil {
				return nil, invalid("token", "the program has no handler for tokens: give the server OnToken")
			}
			if err := json.Unmarshal(m.json, &token); err != nil {
				return nil, err
			}
			return s.options.token(s.ctx, token)
		}, func(principal *Principal, err error) { s.judged(m, principal, err) })
	}()
}

// judged answers what the program's function says about a token.
func (s *serverCore) judged(m *served, principal *Principal, err error) {
	var answer []byte
	if err == nil && principal != nil {
		answer, err = encode("token", principal)
	}
	if err == nil && answer != nil {
		err = respondMessage(m.message, answer)
	} else {
		_ = respondError(m.message, CodeInvalidParams, []byte("refused\x00"), nil)
	}
	var refused *RPCError
	if err != nil && !errors.As(err, &refused) && !isOver(err) {
		s.failed("token", "", err)
	}
}
