//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"context"
	"encoding/json"
	"sync/atomic"
)

// Telemetry is what tells of calls and requests, for OpenTelemetry; the package otel beside this one makes it, and is the one to use.
type Telemetry struct {
	// Told gets {"span": …, "measurement": …} as `mcp_telemetry_set` has it, on one goroutine or thread after the other.
	Told func(told []byte)
	// Parent gives the active span of a context, as `traceparent` and `tracestate` are written; "" for none.
	Parent func(ctx context.Context) (traceparent, tracestate string)
	// Around gives the context of a handler, in which the span of its request is the active one.
	Around func(ctx context.Context, traceparent, tracestate string) context.Context
	// Options are those of the library.
	Options TelemetryConfig
}

// TelemetryConfig are the options of `mcp_telemetry_set`.
type TelemetryConfig struct {
	SampleRate   float64 `json:"sample_rate"`
	Measurements bool    `json:"measurements"`
}

// telemetry is what [SetTelemetry] was given.
var telemetry atomic.Pointer[Telemetry]

// SetTelemetry has the clients and servers that are made from now on tell of their calls and requests; nil ends that.
func SetTelemetry(tells *Telemetry) error {
	if err := checkABI(); err != nil {
		return err
	}
	var told, user, destroy uintptr
	var options []byte
	if tells != nil {
		var err error
		if options, err = encode("telemetry", tells.Options); err != nil {
			return err
		}
		told, user, destroy = addressOfTold(), numberOf(tells), addressOfForget()
	}
	defer cross()()
	var object cText
	status := mcp_telemetry_set(text(options), told, user, destroy, &object)
	if err := failure(status, "telemetry", object); err != nil {
		return err
	}
	telemetry.Store(tells)
	return nil
}

// spanTold takes a span from the library, on its thread.
func spanTold(user uintptr, told cText) {
	if tells, ok := valueOf(user).(*Telemetry); ok {
		tells.Told([]byte(goString(told)))
	}
}

// within gives a call the active span of its context as the parent, unless the program has said something of its trace.
func (s *callSettings) within(ctx context.Context) {
	tells := telemetry.Load()
	if tells == nil || s.call.Traceparent != "" || s.call.Parent != "" || memberOf(s.call.Meta, "traceparent") != nil {
		return
	}
	traceparent, tracestate := tells.Parent(ctx)
	if traceparent == "" {
		return
	}
	s.call.Parent, s.others = traceparent, true
	if s.call.Tracestate == "" {
		s.call.Tracestate = tracestate
	}
}

// around gives the context of the handler of a request.
func (r *Request) around(ctx context.Context) context.Context {
	tells := telemetry.Load()
	if tells == nil {
		return ctx
	}
	var given struct {
		Meta struct {
			Traceparent, Tracestate json.RawMessage
		} `json:"_meta"`
	}
	// What is no text means nothing.
	_ = json.Unmarshal(r.Params, &given)
	traceparent := plain(given.Meta.Traceparent)
	if info, err := r.Info(); err == nil {
		if of := memberOf(info.Raw, "traceparent"); of != nil {
			traceparent = plain(of)
		}
	}
	return tells.Around(ctx, traceparent, plain(given.Meta.Tracestate))
}
