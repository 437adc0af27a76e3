//go:build cgo || (linux && (amd64 || arm64))

package mcp

// HandlerFailure is how a handler of the program's failed.
type HandlerFailure struct {
	// Method is that of the request or the notification, "login", "load", "save", "unlock", "sign", "token", or the kind of message that the function was for.
	Method string
	// Name is the name of the tool, prompt or method of a server that failed, or the URI or template of its resource; else "".
	Name string
	// Err is what the handler returned, a [*PanicError], or why its answer could not be sent.
	Err error
}

// OnFailure gives each failure of a handler to a function: an error that a [RequestHandler], [LoginHandler], [LoginStore] or
// [Signer] returned, an answer that could not be sent as it was, and a panic of any of the client's functions. A refusal on
// purpose, an [*RPCError], is not a failure. The function runs on the goroutine of the handler. Failures go to the logger of
// [SetLogger] too. Without a function and without that logger they go to [slog.Default].
func OnFailure(handle func(HandlerFailure)) Option {
	return func(h *handlers) { h.failure = handle }
}

// failed tells the program of a failure.
func (h *handlers) failed(failure HandlerFailure) { tellFailure(failure, h.failure) }

// attempt runs a function of the program. A panic of it is a failure, and ends nothing else.
func (h *handlers) attempt(what string, do func()) {
	finally(func() (struct{}, error) { do(); return struct{}{}, nil }, func(_ struct{}, err error) {
		if err != nil {
			h.failed(HandlerFailure{Method: what, Err: err})
		}
	})
}
