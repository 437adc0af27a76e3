package otel_test

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"testing"
	"time"

	mcp "github.com/libmcp/libmcp-go"
	"github.com/libmcp/libmcp-go/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

var bounds = []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300}

const given = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

// program is OpenTelemetry's SDK, and a client of a server in this process.
type program struct {
	t       *testing.T
	client  *mcp.Client
	tracer  trace.Tracer
	spans   *tracetest.InMemoryExporter
	reader  *metric.ManualReader
	lock    sync.Mutex
	carried []string
}

func begin(t *testing.T, rate float64) *program {
	p := &program{t: t, spans: tracetest.NewInMemoryExporter(), reader: metric.NewManualReader()}
	tracers := sdk.NewTracerProvider(sdk.WithSyncer(p.spans), sdk.WithIDGenerator(otel.IDs{}))
	p.tracer = tracers.Tracer("application")
	must(t, otel.Use(otel.Options{TracerProvider: tracers, MeterProvider: metric.NewMeterProvider(metric.WithReader(p.reader)), SampleRate: &rate}))
	t.Cleanup(func() { must(t, otel.Stop()) })
	server, err := mcp.NewServer(mcp.ServerConfig{Name: "adder"})
	must(t, err)
	t.Cleanup(func() { must(t, server.Close()) })
	must(t, server.AddTool(&mcp.Tool{Name: "add", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, request *mcp.Request) (*mcp.CallToolResult, error) {
		var params struct {
			Meta struct{ Traceparent string } `json:"_meta"`
		}
		must(t, json.Unmarshal(request.Params, &params))
		p.lock.Lock()
		defer p.lock.Unlock()
		p.carried = append(p.carried, params.Meta.Traceparent)
		_, work := p.tracer.Start(ctx, "work")
		work.End()
		return &mcp.CallToolResult{Content: []mcp.ContentBlock{}}, nil
	}))
	must(t, server.AddTool(&mcp.Tool{Name: "fail", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.Request) (*mcp.CallToolResult, error) {
		return nil, mcp.Failf("no")
	}))
	p.client, err = mcp.NewInProcess(server, nil)
	must(t, err)
	t.Cleanup(func() { must(t, p.client.Close()) })
	return p
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// until waits for what another thread does.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it did not happen: ", what)
		}
	}
}

// went is what the requests carried.
func (p *program) went() []string {
	p.lock.Lock()
	defer p.lock.Unlock()
	return slices.Clone(p.carried)
}

func (p *program) only(name string, kind trace.SpanKind) (found tracetest.SpanStub) {
	p.t.Helper()
	until(p.t, name, func() bool {
		for _, span := range p.spans.GetSpans() {
			if span.Name == name && span.SpanKind == kind {
				found = span
				return true
			}
		}
		return false
	})
	return found
}

// counted waits until a histogram has counted a call of a tool once.
func (p *program) counted(name string) {
	p.t.Helper()
	until(p.t, name, func() bool {
		var all metricdata.ResourceMetrics
		must(p.t, p.reader.Collect(context.Background(), &all))
		for _, scope := range all.ScopeMetrics {
			for _, one := range scope.Metrics {
				histogram := one.Data.(metricdata.Histogram[float64])
				for _, point := range histogram.DataPoints {
					if !slices.Equal(point.Bounds, bounds) || one.Unit != "s" || point.Attributes.HasValue("jsonrpc.request.id") {
						p.t.Fatalf("%s: %v %s %v", one.Name, point.Bounds, one.Unit, point.Attributes)
					}
					method, _ := point.Attributes.Value("mcp.method.name")
					if one.Name == name && method.AsString() == "tools/call" && point.Count == 1 {
						return true
					}
				}
			}
		}
		return false
	})
}

func TestACallIsOneTraceFromTheApplicationToTheHandler(t *testing.T) {
	p := begin(t, 1)
	ctx, application := p.tracer.Start(context.Background(), "application")
	_, err := p.client.CallTool(ctx, "add", nil)
	must(t, err)
	application.End()
	call, request := p.only("tools/call add", trace.SpanKindClient), p.only("tools/call add", trace.SpanKindServer)
	chain := []tracetest.SpanStub{p.only("application", trace.SpanKindInternal), call, request, p.only("work", trace.SpanKindInternal)}
	for at, child := range chain[1:] {
		if child.Parent.SpanID() != chain[at].SpanContext.SpanID() || child.SpanContext.TraceID() != chain[0].SpanContext.TraceID() {
			t.Errorf("%s is no child of %s", child.Name, chain[at].Name)
		}
	}
	went := "00-" + call.SpanContext.TraceID().String() + "-" + call.SpanContext.SpanID().String() + "-01"
	if carried := p.went(); !slices.Equal(carried, []string{went}) {
		t.Errorf("the id that went out is not kept: %v, %s", carried, went)
	}
	for _, span := range []tracetest.SpanStub{call, request} {
		all := attribute.NewSet(span.Attributes...)
		tool, _ := all.Value("gen_ai.tool.name")
		method, _ := all.Value("mcp.method.name")
		if tool.AsString() != "add" || method.AsString() != "tools/call" || span.Status.Code != codes.Unset {
			t.Errorf("%v %v", span.Attributes, span.Status)
		}
	}
	if call.Parent.IsRemote() || !request.Parent.IsRemote() {
		t.Error("only the parent of a request is elsewhere")
	}
	p.counted("mcp.client.operation.duration")
	p.counted("mcp.server.operation.duration")
}

func TestAnErrorIsToldAndWhatTheProgramSaysOfATraceStays(t *testing.T) {
	p := begin(t, 1)
	ctx, application := p.tracer.Start(context.Background(), "application")
	defer application.End()
	_, _ = p.client.CallTool(ctx, "fail", nil)
	_, err := p.client.CallTool(ctx, "add", nil, mcp.WithOptions(mcp.CallOptions{Traceparent: given}))
	must(t, err)
	for _, kind := range []trace.SpanKind{trace.SpanKindClient, trace.SpanKindServer} {
		failed := p.only("tools/call fail", kind)
		all := attribute.NewSet(failed.Attributes...)
		kind, _ := all.Value("error.type")
		if kind.AsString() != "tool_error" || failed.Status.Code != codes.Error {
			t.Errorf("%v %v", failed.Attributes, failed.Status)
		}
	}
	if carried := p.went(); !slices.Equal(carried, []string{given}) {
		t.Error(carried)
	}
	if above := p.only("tools/call add", trace.SpanKindClient).Parent.SpanID().String(); above != given[36:52] {
		t.Error(above)
	}
}

func TestWhatIsNotRecordedIsCounted(t *testing.T) {
	p := begin(t, 0)
	_, err := p.client.CallTool(context.Background(), "add", nil)
	must(t, err)
	p.counted("mcp.server.operation.duration")
	if spans := p.spans.GetSpans(); len(spans) != 0 {
		t.Error(spans)
	}
}
