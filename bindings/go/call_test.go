package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	mcp "github.com/libmcp/libmcp-go"
)

func TestAToolIsListedAndCalled(t *testing.T) {
	for _, era := range []string{"legacy", "modern"} {
		t.Run(era, func(t *testing.T) {
			client := open(t, example(t, "--era", era))
			tools, err := mcp.All(client.Tools(within(t)))
			if err != nil {
				t.Fatal(err)
			}
			if len(tools) != 10 || tools[0].Name != "echo" || !strings.Contains(string(tools[0].InputSchema), "text") {
				t.Fatalf("tools: %+v", tools)
			}
			if said := callText(t, client, "echo", map[string]string{"text": "grüße\n☃"}); said != "grüße\n☃" {
				t.Fatalf("echo says %q", said)
			}
			info, err := client.Info()
			if err != nil || info.Era != era || info.Server.Name != "mcp-example-server" || info.PID == 0 {
				t.Fatalf("info: %+v, %v", info, err)
			}
			if state := client.State(); state != mcp.StateReady || state.String() != "ready" {
				t.Fatalf("state: %v", state)
			}
		})
	}
}

func TestRawJSONPassesThroughUnread(t *testing.T) {
	client := open(t, scripted(t))
	params := raw(`{"name":"echo",  "arguments":{"text":"x"}}`)
	result, err := client.Call(within(t), "tools/call", params)
	if err != nil || !json.Valid(result) || !strings.Contains(string(result), `"x"`) {
		t.Fatalf("%s, %v", result, err)
	}
}

func TestEveryFeatureHasAFunction(t *testing.T) {
	for _, era := range []string{"legacy", "modern"} {
		t.Run(era, func(t *testing.T) { usesEveryFeature(t, open(t, example(t, "--era", era))) })
	}
}

func usesEveryFeature(t *testing.T, client *mcp.Client) {
	ctx := within(t)
	resources, err := mcp.All(client.Resources(ctx))
	if err != nil || len(resources) != 2 {
		t.Fatalf("resources: %+v, %v", resources, err)
	}
	logo, err := client.ReadResource(ctx, "demo://logo")
	if err != nil || len(logo) != 1 {
		t.Fatalf("logo: %+v, %v", logo, err)
	}
	if png, err := logo[0].Bytes(); err != nil || !strings.HasPrefix(string(png), "\x89PNG") {
		t.Fatalf("logo: %q, %v", png, err)
	}
	templates, err := mcp.All(client.ResourceTemplates(ctx))
	if err != nil || len(templates) != 1 || templates[0].URITemplate != "demo://greeting/{name}" {
		t.Fatalf("templates: %+v, %v", templates, err)
	}
	prompts, err := mcp.All(client.Prompts(ctx))
	if err != nil || len(prompts) != 1 || !prompts[0].Arguments[0].Required {
		t.Fatalf("prompts: %+v, %v", prompts, err)
	}
	prompt, err := client.GetPrompt(ctx, "greet", map[string]string{"name": "Ada"})
	if err != nil || !strings.Contains(textOf(prompt.Messages[0].Content), "Ada") {
		t.Fatalf("prompt: %+v, %v", prompt, err)
	}
	completion, err := client.Complete(ctx, mcp.ToPrompt("greet"), "name", "a")
	if err != nil || strings.Join(completion.Values, " ") != "Ada Alan" {
		t.Fatalf("completion: %+v, %v", completion, err)
	}
	if _, err := client.Complete(ctx, mcp.ToPrompt("greet"), "name", "a", mcp.Settled(map[string]string{"other": "x"})); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(client.SetLogLevel(ctx, "error"), client.Ping(ctx), client.ClearCache()); err != nil {
		t.Fatal(err)
	}
}

func TestATemplateIsExpanded(t *testing.T) {
	uri, err := mcp.ExpandTemplate("demo://greeting/{name}", map[string]string{"name": "Ada L."})
	if err != nil || uri != "demo://greeting/Ada%20L." {
		t.Fatal(uri, err)
	}
	if uri, err := mcp.ExpandTemplate("a{?b}", nil); err != nil || uri != "a" {
		t.Fatal(uri, err)
	}
	if _, err := mcp.ExpandTemplate("{", nil); !errors.Is(err, mcp.StatusInvalidArgument) {
		t.Fatal(err)
	}
}

func TestAFeatureTheServerLacksIsUnsupported(t *testing.T) {
	client := open(t, scripted(t))
	if _, err := mcp.All(client.Prompts(within(t))); !errors.Is(err, mcp.StatusUnsupported) {
		t.Fatal(err)
	}
}

func TestAListComesWholeOverAllItsPages(t *testing.T) {
	config := example(t, "--page-size", "3")
	client := open(t, config)
	tools, err := mcp.All(client.Tools(within(t)))
	if err != nil || len(tools) != 10 {
		t.Fatal(len(tools), err)
	}
	info, err := client.Info()
	if err != nil || info.Counters["calls"] != 1 {
		t.Fatalf("%d calls for one list, %v", info.Counters["calls"], err)
	}
	for tool, err := range client.Tools(within(t)) {
		if err != nil || tool.Name != "echo" {
			t.Fatal(tool.Name, err)
		}
		break
	}
	config.Limits = &mcp.Limits{ListPages: 2}
	if _, err := mcp.All(open(t, config).Tools(within(t))); !errors.Is(err, mcp.StatusTooLarge) {
		t.Fatal(err)
	}
}

func TestAListThatNeverEndsIsAnError(t *testing.T) {
	for behaviour, status := range map[string]mcp.Status{"cursor-loop": mcp.StatusProtocol, "endless-pages": mcp.StatusTooLarge} {
		t.Run(behaviour, func(t *testing.T) {
			client := open(t, scripted(t, behaviour))
			if _, err := mcp.All(client.Tools(within(t))); !errors.Is(err, status) {
				t.Fatal(err)
			}
		})
	}
	t.Run("empty-cursor", func(t *testing.T) {
		client := open(t, scripted(t, "empty-cursor"))
		if tools, err := mcp.All(client.Tools(within(t))); err != nil || len(tools) == 0 {
			t.Fatal(tools, err)
		}
	})
}

func TestAServersErrorKeepsItsCodeAndAFailedToolIsNone(t *testing.T) {
	client := open(t, example(t))
	_, err := client.CallTool(within(t), "no-such-tool", nil)
	var failed *mcp.Error
	if !errors.As(err, &failed) || !errors.Is(err, mcp.StatusServer) || failed.Code != -32602 || failed.Operation != "tools/call" {
		t.Fatalf("%#v", err)
	}
	result, err := client.CallTool(within(t), "fail", nil)
	if err != nil {
		t.Fatal(err)
	}
	var tool *mcp.ToolError
	if err := result.Err(); !errors.As(err, &tool) || !strings.Contains(err.Error(), "always fails") {
		t.Fatal(err)
	}
}

func TestTheContextsDeadlineIsTheTimeout(t *testing.T) {
	client := open(t, scripted(t))
	ctx, cancel := context.WithTimeout(context.Background(), 150*time.Millisecond)
	defer cancel()
	if err := client.Connect(within(t)); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	_, err := client.CallTool(ctx, "hang", nil)
	if took := time.Since(start); took > 5*time.Second {
		t.Fatalf("took %v", took)
	}
	if !errors.Is(err, mcp.StatusTimeout) || !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("%#v", err)
	}
	if said := callText(t, client, "echo", map[string]string{"text": "on"}); said != "on" {
		t.Fatal(said)
	}
}

func TestTheTimeoutOfACallNeedsNoContext(t *testing.T) {
	client := open(t, scripted(t))
	_, err := client.CallTool(context.Background(), "hang", nil, mcp.Timeout(50*time.Millisecond))
	var failed *mcp.Error
	if !errors.As(err, &failed) || !failed.Timeout() || !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("%#v", err)
	}
}

func TestCancellingEndsTheCallAndTellsTheServer(t *testing.T) {
	client := open(t, scripted(t))
	if err := client.Connect(within(t)); err != nil {
		t.Fatal(err)
	}
	why := errors.New("the user pressed stop")
	ctx, cancel := context.WithCancelCause(context.Background())
	ended := make(chan error, 1)
	go func() {
		_, err := client.CallTool(ctx, "hang", nil)
		ended <- err
	}()
	until(t, "the call is under way", func() bool {
		info, err := client.Info()
		return err == nil && info.PendingCalls == 1
	})
	cancel(why)
	if err := receive(t, ended); !errors.Is(err, mcp.StatusCancelled) || !errors.Is(err, why) {
		t.Fatalf("%#v", err)
	}
	// The server's list of the lines that it has received.
	if lines := callText(t, client, "received", map[string]bool{"lines": true}); !strings.Contains(lines, "notifications/cancelled") || !strings.Contains(lines, why.Error()) {
		t.Fatal(lines)
	}
	cancelled, stop := context.WithCancel(context.Background())
	stop()
	if _, err := client.CallTool(cancelled, "echo", nil); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

// several are errors that cannot be compared.
type several []string

func (s several) Error() string { return strings.Join(s, ", ") }

// over is a context of the program's own that has ended with such an error.
type over struct{ context.Context }

func (over) Done() <-chan struct{} {
	done := make(chan struct{})
	close(done)
	return done
}

func (over) Err() error { return several{"over"} }

func TestErrorsThatCannotBeComparedMayEndACall(t *testing.T) {
	client := open(t, example(t))
	_, err := client.CallTool(over{context.Background()}, "echo", nil)
	var failed *mcp.Error
	if !errors.As(err, &failed) || errors.Is(err, several{"over"}) || errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("%#v", err)
	}
}

func TestProgressComesBeforeTheResult(t *testing.T) {
	client := open(t, example(t))
	var reports []mcp.Progress
	_, err := client.CallTool(within(t), "slow", map[string]int{"ms": 60, "steps": 6},
		mcp.OnProgress(func(p mcp.Progress) { reports = append(reports, p) }))
	if err != nil {
		t.Fatal(err)
	}
	if len(reports) != 6 || reports[5] != (mcp.Progress{Progress: 6, Total: 6, Message: "step 6 of 6"}) {
		t.Fatalf("%+v", reports)
	}
}

func TestOptionsReachTheServer(t *testing.T) {
	client := open(t, scripted(t))
	trace := "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	_, err := client.CallTool(within(t), "echo", map[string]string{"text": "x"},
		mcp.Meta(map[string]int{"com.example/n": 7}), mcp.Trace(trace, "", ""), mcp.Retry("safe"), mcp.WhenUnavailable("wait"))
	if err != nil {
		t.Fatal(err)
	}
	if lines := callText(t, client, "received", map[string]bool{"lines": true}); !strings.Contains(lines, trace) || !strings.Contains(lines, "com.example/n") {
		t.Fatal(lines)
	}
	_, err = client.CallTool(within(t), "echo", nil, mcp.Retry("perhaps"))
	if !errors.Is(err, mcp.StatusInvalidArgument) || !strings.Contains(err.Error(), "perhaps") {
		t.Fatal(err)
	}
}

func TestWrongArgumentsAreRefusedWithAReason(t *testing.T) {
	client := open(t, example(t))
	for _, wrong := range []struct {
		method string
		params any
		says   string
	}{
		{"tools/call\x00x", nil, "NUL"},
		{"tools/call", raw("{\"a\":\x00}"), "NUL"},
		{"tools/call", raw(`[1]`), "object"},
		{"tools/call", func() {}, "JSON"},
		{"tools/call", raw(`{"a":`), "params"},
	} {
		_, err := client.Call(within(t), wrong.method, wrong.params)
		if !errors.Is(err, mcp.StatusInvalidArgument) || !strings.Contains(err.Error(), wrong.says) {
			t.Errorf("%q, %v: %v", wrong.method, wrong.params, err)
		}
	}
	_, err := mcp.New(raw(`{"comand":"x"}`))
	if !errors.Is(err, mcp.StatusInvalidArgument) || !strings.Contains(err.Error(), "command") {
		t.Error(err)
	}
	if _, err := mcp.New(nil); !errors.Is(err, mcp.StatusInvalidArgument) {
		t.Error(err)
	}
	_, err = mcp.New(mcp.Config{Command: "x", Extra: map[string]json.RawMessage{"frobnicate": raw("1")}})
	if err == nil || !strings.Contains(err.Error(), "frobnicate") {
		t.Error(err)
	}
}

func TestAResultOfAnUnexpectedShapeIsAProtocolError(t *testing.T) {
	client := open(t, example(t))
	_, err := mcp.CallAs[[]int](within(t), client, "tools/list", nil)
	var shape *json.UnmarshalTypeError
	if !errors.Is(err, mcp.StatusProtocol) || !errors.As(err, &shape) {
		t.Fatalf("%#v", err)
	}
}

// What Err of the context says is what the error is, whatever the cause.
func TestACauseHidesNoCancelling(t *testing.T) {
	server := offer(t, mcp.ServerConfig{})
	begun := make(chan struct{}, 1)
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "wait"}, func(ctx context.Context, _ *mcp.Request, _ struct{}) (string, error) {
		begun <- struct{}{}
		<-ctx.Done()
		return "", ctx.Err()
	}))
	client, err := mcp.NewInProcess(server, nil)
	must(t, err)
	defer client.Close()
	cause := errors.New("the program ends")
	ctx, cancel := context.WithCancelCause(within(t))
	go func() {
		<-begun
		cancel(cause)
	}()
	for _, when := range []string{"under way", "before"} {
		if _, err := client.CallTool(ctx, "wait", nil); !errors.Is(err, context.Canceled) || !errors.Is(err, cause) || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", when, err)
		}
	}
	late, stop := context.WithTimeoutCause(within(t), time.Millisecond, cause)
	defer stop()
	if _, err := client.CallTool(late, "wait", nil); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		t.Errorf("a deadline: %v", err)
	}
}
