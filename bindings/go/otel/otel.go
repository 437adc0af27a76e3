// Package otel gives the spans and durations of clients and servers of libmcp to OpenTelemetry. It is a module of its own, so that
// programs without OpenTelemetry do not download it.
package otel

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	mcp "github.com/libmcp/libmcp-go"
	api "go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// The histograms of the conventions.
var histograms = map[string]string{
	"mcp.client.operation.duration": "Duration of a request or notification as observed by its sender",
	"mcp.server.operation.duration": "Duration of a request or notification as observed by its receiver",
	"mcp.client.session.duration":   "Duration of a session as observed by the client",
	"mcp.server.session.duration":   "Duration of a session as observed by the server",
}

// The upper bounds of their buckets, in seconds.
var bounds = []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300}

// The numbers of OTLP.
const (
	kindServer  = 2
	statusError = 2
)

// Options say where spans and durations go.
type Options struct {
	// TracerProvider gets the spans; nil is the global one.
	TracerProvider trace.TracerProvider
	// MeterProvider gets the durations; nil is the global one.
	MeterProvider metric.MeterProvider
	// SampleRate is the share of requests without a parent that is recorded, 0 to 1; nil is all of them. The library decides, since the
	// decision goes out with the request: the provider's sampler should not decide again, or only by the parent.
	SampleRate *float64
}

// Use has the clients and servers that are made from now on tell OpenTelemetry of their calls and requests, by the conventions for MCP. A
// call is a child of the active span of its context; a handler runs in the span of its request. The ids are those that went out with the
// requests if the provider has [IDs].
func Use(options Options) error {
	if options.TracerProvider == nil {
		options.TracerProvider = api.GetTracerProvider()
	}
	if options.MeterProvider == nil {
		options.MeterProvider = api.GetMeterProvider()
	}
	rate := 1.0
	if options.SampleRate != nil {
		rate = *options.SampleRate
	}
	b := bridge{options.TracerProvider.Tracer("libmcp"), map[string]metric.Float64Histogram{}}
	meter := options.MeterProvider.Meter("libmcp")
	for name, what := range histograms {
		made, err := meter.Float64Histogram(name, metric.WithUnit("s"), metric.WithDescription(what), metric.WithExplicitBucketBoundaries(bounds...))
		if err != nil {
			return fmt.Errorf("otel: the histogram %s: %w", name, err)
		}
		b.histograms[name] = made
	}
	return mcp.SetTelemetry(&mcp.Telemetry{
		Told: b.told, Parent: parent, Around: around,
		Options: mcp.TelemetryConfig{SampleRate: rate, Measurements: true},
	})
}

// Stop ends that.
func Stop() error { return mcp.SetTelemetry(nil) }

// IDs makes ids for a tracer provider (sdk/trace.WithIDGenerator): those of the library for its spans, and random ones for others.
type IDs struct{}

type idKey struct{}

type ids struct {
	trace trace.TraceID
	span  trace.SpanID
}

// NewIDs gives the ids of a span without a parent.
func (IDs) NewIDs(ctx context.Context) (made trace.TraceID, span trace.SpanID) {
	if kept, ok := ctx.Value(idKey{}).(ids); ok {
		return kept.trace, kept.span
	}
	_, _ = rand.Read(made[:]) // It never fails.
	_, _ = rand.Read(span[:])
	return made, span
}

// NewSpanID gives the id of a span with a parent.
func (IDs) NewSpanID(ctx context.Context, _ trace.TraceID) (span trace.SpanID) {
	if kept, ok := ctx.Value(idKey{}).(ids); ok {
		return kept.span
	}
	_, _ = rand.Read(span[:])
	return span
}

type keyValue struct {
	Key   string
	Value struct {
		StringValue string
		IntValue    *string
	}
}

// attributes of OTLP/JSON.
func attributes(of []keyValue) []attribute.KeyValue {
	all := make([]attribute.KeyValue, 0, len(of))
	for _, one := range of {
		if one.Value.IntValue == nil {
			all = append(all, attribute.String(one.Key, one.Value.StringValue))
		} else if number, err := strconv.ParseInt(*one.Value.IntValue, 10, 64); err == nil {
			all = append(all, attribute.Int64(one.Key, number))
		}
	}
	return all
}

// span is one of OTLP/JSON.
type span struct {
	TraceID, SpanID, ParentSpanID, TraceState, Name string
	Flags                                           trace.TraceFlags
	Kind                                            int
	StartTimeUnixNano, EndTimeUnixNano              int64 `json:",string"`
	Attributes                                      []keyValue
	Links                                           []struct{ TraceID, SpanID string }
	Status                                          struct {
		Code    int
		Message string
	}
}

type bridge struct {
	tracer     trace.Tracer
	histograms map[string]metric.Float64Histogram
}

func (b *bridge) told(text []byte) {
	var told struct {
		Span        *span
		Measurement *struct {
			Name       string
			Value      float64
			Attributes []keyValue
		}
	}
	if err := json.Unmarshal(text, &told); err != nil {
		slog.Error("otel: what the library told was lost", "error", err)
		return
	}
	if measured := told.Measurement; measured != nil && b.histograms[measured.Name] != nil {
		b.histograms[measured.Name].Record(context.Background(), measured.Value, metric.WithAttributes(attributes(measured.Attributes)...))
	}
	if told.Span != nil {
		b.span(told.Span)
	}
}

func (b *bridge) span(of *span) {
	var kept ids
	kept.trace, _ = trace.TraceIDFromHex(of.TraceID)
	kept.span, _ = trace.SpanIDFromHex(of.SpanID)
	ctx := context.WithValue(context.Background(), idKey{}, kept)
	if of.ParentSpanID != "" {
		state, _ := trace.ParseTraceState(of.TraceState)
		above, _ := trace.SpanIDFromHex(of.ParentSpanID)
		ctx = trace.ContextWithSpanContext(ctx, trace.NewSpanContext(trace.SpanContextConfig{
			TraceID: kept.trace, SpanID: above, TraceFlags: of.Flags, TraceState: state, Remote: of.Kind == kindServer,
		}))
	}
	kind := trace.SpanKindClient
	if of.Kind == kindServer {
		kind = trace.SpanKindServer
	}
	links := make([]trace.Link, 0, len(of.Links))
	for _, link := range of.Links {
		to := trace.SpanContextConfig{Remote: true}
		to.TraceID, _ = trace.TraceIDFromHex(link.TraceID)
		to.SpanID, _ = trace.SpanIDFromHex(link.SpanID)
		links = append(links, trace.Link{SpanContext: trace.NewSpanContext(to)})
	}
	_, made := b.tracer.Start(ctx, of.Name, trace.WithSpanKind(kind), trace.WithLinks(links...),
		trace.WithTimestamp(time.Unix(0, of.StartTimeUnixNano)), trace.WithAttributes(attributes(of.Attributes)...))
	if of.Status.Code == statusError {
		made.SetStatus(codes.Error, of.Status.Message)
	}
	made.End(trace.WithTimestamp(time.Unix(0, of.EndTimeUnixNano)))
}

func parent(ctx context.Context) (traceparent, tracestate string) {
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier["traceparent"], carrier["tracestate"]
}

func around(ctx context.Context, traceparent, tracestate string) context.Context {
	return propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{"traceparent": traceparent, "tracestate": tracestate})
}
