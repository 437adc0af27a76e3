package mcp

import (
	"context"
	"log/slog"
)

// HandlerFailure is how a handler of the program's failed.
type HandlerFailure struct {
	// Method is that of the server's request, or "login".
	Method string
	// Err is what the handler returned, or why its answer could not be sent.
	Err error
}

// OnFailure gives each failure of a handler to a function: an error that a [RequestHandler] or [LoginHandler] returned, and an
// answer that could not be sent as it was. A refusal on purpose, an [*RPCError], is not a failure. The function runs on the
// goroutine of the handler. Failures go to the logger of [SetLogger] too.
func OnFailure(handle func(HandlerFailure)) Option {
	return func(h *handlers) { h.failure = handle }
}

// failed tells the program of a failure.
func (h *handlers) failed(failure HandlerFailure) {
	if logger := logging.Load(); logger != nil && logger.level <= slog.LevelWarn {
		logger.to.LogAttrs(context.Background(), slog.LevelWarn, "handler.failed",
			slog.String("method", failure.Method), slog.String("error", failure.Err.Error()))
	}
	if h.failure != nil {
		h.failure(failure)
	}
}
