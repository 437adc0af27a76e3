//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Error is how something failed. [errors.Is] finds its status:
//
//	if errors.Is(err, mcp.StatusTimeout) { … }
//
// and [errors.As] the rest. A timeout is also context.DeadlineExceeded, and a call that ended because of its context
// is what the context's Err gives, and carries its cause.
type Error struct {
	Status Status
	// Message is for people: what was being done, what went wrong and, where there is one, the fix.
	Message string
	// Operation is the method, or the name of what was being done.
	Operation string
	// Code and Data are the JSON-RPC error's when the server answered with one (Status is StatusServer).
	Code int64
	Data json.RawMessage
	// Details are numbers and names for programs: a JSON object, or nil.
	Details json.RawMessage
	// Retryable says that trying again may succeed; not that the first try had no effect.
	Retryable bool

	cause error
	ended error // what Err of the context gives that ended it
}

func (e *Error) Error() string {
	switch {
	case e.Message == "":
		return "mcp: " + e.Status.name()
	case e.Status == StatusServer:
		return fmt.Sprintf("mcp: %s (%s, code %d)", e.Message, e.Status.name(), e.Code)
	default:
		return fmt.Sprintf("mcp: %s (%s)", e.Message, e.Status.name())
	}
}

// Is makes errors.Is(err, status) work, and a timeout a context.DeadlineExceeded.
func (e *Error) Is(target error) bool {
	if status, ok := target.(Status); ok {
		return e.Status == status
	}
	return e.Status == StatusTimeout && target == context.DeadlineExceeded || e.ended != nil && errors.Is(e.ended, target)
}

// Unwrap gives the cause of the context that ended the call, if one did.
func (e *Error) Unwrap() error { return e.cause }

// Timeout makes an Error of a deadline a timeout for those who ask as they ask a net.Error.
func (e *Error) Timeout() bool { return e.Status == StatusTimeout }

// Error makes a status a value for [errors.Is].
func (s Status) Error() string { return "mcp: " + s.name() }

// String is the name of the status, such as "timeout".
func (s Status) String() string { return s.name() }

// String is the name of the kind, such as "notification".
func (k Kind) String() string { return k.name() }

// String is the name of the state, such as "ready".
func (s State) String() string { return s.name() }

// RPCError is how a handler refuses a request of the server with a code of its own choice.
type RPCError struct {
	Code    int32
	Message string
	// Data is anything that can be written as JSON; nil for none.
	Data any
}

func (e *RPCError) Error() string { return fmt.Sprintf("%s (code %d)", e.Message, e.Code) }

// CodeUserRefused is the code for [RPCError] when a person said no.
const CodeUserRefused = -1

// ToolError is a tool's own failure, as [CallToolResult.Err] gives it.
type ToolError struct{ Result *CallToolResult }

func (e *ToolError) Error() string { return "mcp: the tool failed: " + e.Result.Text() }

// fromContext names what a call has its time from.
var fromContext = strings.NewReplacer(
	"raise timeout_ms for this call", "give its context a later deadline",
	"raise max_total_ms for this call", "give its context a later deadline",
	"raise max_total_ms", "give its context a later deadline",
)

// readError makes an Error of the library's error object.
func readError(status Status, object []byte) *Error {
	var said struct {
		Message   string          `json:"message"`
		Operation string          `json:"operation"`
		Code      int64           `json:"code"`
		Data      json.RawMessage `json:"data"`
		Details   json.RawMessage `json:"details"`
		Retryable bool            `json:"retryable"`
	}
	if err := json.Unmarshal(object, &said); err != nil {
		return &Error{Status: status, Message: fmt.Sprintf("%s, with an error object that cannot be read: %v", status.name(), err), cause: err}
	}
	if status == StatusTimeout {
		said.Message = fromContext.Replace(said.Message)
	}
	return &Error{
		Status:    status,
		Message:   said.Message,
		Operation: said.Operation,
		Code:      said.Code,
		Data:      said.Data,
		Details:   said.Details,
		Retryable: said.Retryable,
	}
}

func invalid(operation, why string) *Error {
	return &Error{Status: StatusInvalidArgument, Operation: operation, Message: operation + ": " + why}
}

func closed(operation string) *Error {
	return &Error{Status: StatusClosed, Operation: operation, Message: operation + ": the client is closed"}
}

// unmade is the error of a zero value, and says what to do in its place.
func unmade(operation, what, repair string) *Error {
	return invalid(operation, "this mcp."+what+" is a zero value; "+repair)
}

// over is closed: what ends when a zero value ends.
var over = func() chan struct{} {
	ended := make(chan struct{})
	close(ended)
	return ended
}()

// interrupted is the error of something that its context ended before the library had anything to do with it.
func interrupted(ctx context.Context, operation string) *Error {
	status := StatusCancelled
	if ctx.Err() == context.DeadlineExceeded {
		status = StatusTimeout
	}
	return &Error{Status: status, Operation: operation, Message: operation + ": " + context.Cause(ctx).Error(), cause: context.Cause(ctx), ended: ctx.Err()}
}
