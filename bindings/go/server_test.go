package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	mcp "github.com/libmcp/libmcp-go"
)

var eras = []string{"legacy", "modern"}

type sum struct {
	A int `json:"a" jsonschema:"the first number"`
	B int `json:"b" jsonschema:"the second number"`
}

type total struct {
	Sum int `json:"sum"`
}

// offer makes a server that is closed at the end of the test.
func offer(t testing.TB, config mcp.ServerConfig, options ...mcp.ServerOption) *mcp.Server {
	t.Helper()
	if config.Name == "" {
		config.Name = "test"
	}
	server, err := mcp.NewServer(config, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error("close:", err)
		}
	})
	return server
}

// reach makes a client of a server in this process.
func reach(t testing.TB, server *mcp.Server, era string, options ...mcp.Option) *mcp.Client {
	t.Helper()
	client, err := mcp.NewInProcess(server, mcp.Config{Protocol: []string{era}}, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Error("close:", err)
		}
	})
	return client
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestServerToolsOfTypes(t *testing.T) {
	server := offer(t, mcp.ServerConfig{})
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "add", Description: "Adds."},
		func(_ context.Context, _ *mcp.Request, in sum) (total, error) { return total{in.A + in.B}, nil }))
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "greet"},
		func(_ context.Context, _ *mcp.Request, in struct {
			Name string `json:"name"`
		}) (string, error) {
			return "Hello, " + in.Name + "!", nil
		}))
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "refuse"},
		func(context.Context, *mcp.Request, struct{}) (string, error) {
			return "", fmt.Errorf("wrapped: %w", mcp.Failf("not on a %s", "Sunday"))
		}))
	must(t, server.AddTool(&mcp.Tool{Name: "raw"}, func(_ context.Context, r *mcp.Request) (*mcp.CallToolResult, error) {
		return mcp.TextResult(string(r.Arguments)), nil
	}))
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			client := reach(t, server, era)
			tools, err := mcp.All(client.Tools(within(t)))
			must(t, err)
			if len(tools) != 4 || !strings.Contains(string(tools[0].InputSchema), "the first number") || tools[0].OutputSchema == nil {
				t.Errorf("tools: %+v", tools)
			}
			got, err := mcp.CallToolAs[total](within(t), client, "add", sum{2, 3})
			if err != nil || got.Sum != 5 {
				t.Errorf("add: %+v, %v", got, err)
			}
			if text := callText(t, client, "greet", map[string]string{"name": "Ada"}); text != "Hello, Ada!" {
				t.Errorf("greet: %q", text)
			}
			if text := callText(t, client, "raw", raw(`{"a":[1]}`)); text != `{"a":[1]}` {
				t.Errorf("raw: %q", text)
			}
			result, err := client.CallTool(within(t), "refuse", nil)
			if err != nil || !result.IsError || result.Text() != "not on a Sunday" {
				t.Errorf("refuse: %+v, %v", result, err)
			}
			var failed *mcp.ToolError
			if _, err := mcp.CallToolAs[string](within(t), client, "refuse", nil); !errors.As(err, &failed) {
				t.Errorf("CallToolAs of a failure: %v", err)
			}
			// The schema is checked before the handler runs.
			result, err = client.CallTool(within(t), "add", map[string]any{"a": "two", "b": 3})
			if err != nil || !result.IsError {
				t.Errorf("wrong arguments: %+v, %v", result, err)
			}
		})
	}
}

// Go's JSON takes "Arguments" for "arguments", and the last of both; the schema has judged the one that is written so.
func TestServerGivesHandlersWhatItHasChecked(t *testing.T) {
	type part struct {
		N int `json:"n"`
	}
	type given struct {
		part
		Parts []part          `json:"parts"`
		Named map[string]part `json:"named"`
		Inner *part           `json:"inner"`
		Raw   json.RawMessage `json:"raw"`
	}
	server := offer(t, mcp.ServerConfig{})
	number := `{"type":"object","properties":{"n":{"minimum":0}}}`
	typed := mcp.Tool{Name: "typed", InputSchema: raw(`{"type":"object","properties":{"n":{"minimum":0},"inner":` + number +
		`,"parts":{"items":` + number + `},"named":{"additionalProperties":` + number + `}}}`)}
	must(t, mcp.AddTool(server, &typed, func(_ context.Context, _ *mcp.Request, in given) (string, error) {
		text, err := json.Marshal(in)
		return string(text), err
	}))
	must(t, server.AddTool(&mcp.Tool{Name: "plain", InputSchema: raw(number)}, func(_ context.Context, r *mcp.Request) (*mcp.CallToolResult, error) {
		return mcp.TextResult(string(r.Arguments)), nil
	}))
	must(t, server.AddPrompt(&mcp.Prompt{Name: "prompt"}, func(_ context.Context, _ *mcp.Request, arguments map[string]string) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Messages: []mcp.PromptMessage{{Role: "user", Content: mcp.Text(arguments["n"] + arguments["N"])}}}, nil
	}))
	must(t, server.AddResource(&mcp.Resource{Name: "here", URI: "test://1"}, func(_ context.Context, r *mcp.Request) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{Text: r.URI()}}}, nil
	}))
	for _, era := range eras {
		client := reach(t, server, era)
		for _, row := range []struct{ method, params, want string }{
			{"tools/call", `{"name":"plain","arguments":{"n":1},"Arguments":{"n":-999}}`, `{\"n\":1}`},
			{"tools/call", `{"name":"plain","ARGUMENTS":{"n":-999}}`, `"text":"`},
			{"tools/call", `{"name":"typed","arguments":{"n":1,"N":-999}}`, `\"n\":1,`},
			{"tools/call", `{"name":"typed","arguments":{"N":-999}}`, `\"n\":0,`},
			{"tools/call", `{"name":"typed","arguments":{"inner":{"n":1,"N":-999}}}`, `\"inner\":{\"n\":1}`},
			{"tools/call", `{"name":"typed","arguments":{"INNER":{"n":-999}}}`, `\"inner\":null`},
			{"tools/call", `{"name":"typed","arguments":{"parts":[{"n":1,"N":-999}]}}`, `\"parts\":[{\"n\":1}]`},
			{"tools/call", `{"name":"typed","arguments":{"named":{"N":{"n":1,"N":-999}}}}`, `\"named\":{\"N\":{\"n\":1}}`},
			{"tools/call", `{"name":"typed","arguments":{"raw":{"N":1}}}`, `\"raw\":{\"N\":1}`},
			{"prompts/get", `{"name":"prompt","arguments":{"n":"1"},"Arguments":{"n":"-999"}}`, `"text":"1"`},
			{"resources/read", `{"uri":"test://1","URI":"test://-999"}`, `"text":"test://1"`},
		} {
			result, err := client.Call(within(t), row.method, raw(row.params))
			if err != nil || !strings.Contains(string(result), row.want) || strings.Contains(string(result), "-999") {
				t.Errorf("%s %s: %s %v", era, row.params, result, err)
			}
		}
	}
}

func TestServerRefusesWhatCannotBe(t *testing.T) {
	if _, err := mcp.NewServer(map[string]any{"name": "x", "workers": 2}); !errors.Is(err, mcp.StatusInvalidArgument) || !strings.Contains(err.Error(), "goroutines") {
		t.Errorf("workers: %v", err)
	}
	if _, err := mcp.NewServer(map[string]any{"nam": "x"}); !errors.Is(err, mcp.StatusInvalidArgument) {
		t.Errorf("a wrong key: %v", err)
	}
	server := offer(t, mcp.ServerConfig{})
	err := mcp.AddTool(server, &mcp.Tool{Name: "list"}, func(context.Context, *mcp.Request, []int) (string, error) { return "", nil })
	if !errors.Is(err, mcp.StatusInvalidArgument) || !strings.Contains(err.Error(), "give a struct or a map") {
		t.Errorf("a list as arguments: %v", err)
	}
	// A program may look at the end only.
	if _, later := server.Serve(mcp.Endpoint{Socket: "tcp:127.0.0.1:0"}); !errors.Is(later, err) {
		t.Errorf("serve: %v", later)
	}
}

func TestServerFailuresStayInTheProgram(t *testing.T) {
	var mu sync.Mutex
	var failures []mcp.HandlerFailure
	server := offer(t, mcp.ServerConfig{}, mcp.OnServerFailure(func(failure mcp.HandlerFailure) {
		mu.Lock()
		failures = append(failures, failure)
		mu.Unlock()
		panic("the hook fails too")
	}))
	const secret = "the password is hunter2"
	fail := map[string]func() error{
		"error": func() error { return errors.New(secret) },
		"panic": func() error { panic(secret) },
		"wreck": func() error { panic(nil) },
		"index": func() error { none := make([]int, len(secret)); none[len(none)] = 1; return nil },
	}
	for name, how := range fail {
		must(t, mcp.AddTool(server, &mcp.Tool{Name: name}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "", how() }))
		must(t, server.AddPrompt(&mcp.Prompt{Name: name}, func(context.Context, *mcp.Request, map[string]string) (*mcp.GetPromptResult, error) {
			return nil, how()
		}))
	}
	must(t, server.AddResource(&mcp.Resource{Name: "none", URI: "test://none"}, func(context.Context, *mcp.Request) (*mcp.ReadResourceResult, error) {
		return nil, nil
	}))
	must(t, server.AddTool(&mcp.Tool{Name: "lie", OutputSchema: raw(`{"type":"object","required":["a"]}`)},
		func(context.Context, *mcp.Request) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{StructuredContent: raw(`{"b":1}`)}, nil
		}))
	for _, era := range eras {
		client := reach(t, server, era)
		for name := range fail {
			result, err := client.CallTool(within(t), name, nil)
			if err != nil || !result.IsError || strings.Contains(result.Text(), "hunter2") {
				t.Errorf("%s: %+v, %v", name, result, err)
			}
			if _, err := client.GetPrompt(within(t), name, nil); !errors.Is(err, mcp.StatusServer) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("prompt %s: %v", name, err)
			}
		}
		if _, err := client.ReadResource(within(t), "test://none"); !errors.Is(err, mcp.StatusServer) {
			t.Errorf("a handler without a result: %v", err)
		}
		if _, err := client.CallTool(within(t), "lie", nil); !errors.Is(err, mcp.StatusServer) {
			t.Errorf("a result that breaks its promise: %v", err)
		}
	}
	// The library answers for a result that breaks its promise, and the program is told after that.
	until(t, "each failure is told", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(failures) == 2*(2*len(fail)+2)
	})
	mu.Lock()
	defer mu.Unlock()
	panics := 0
	for _, failure := range failures {
		var panicked *mcp.PanicError
		if errors.As(failure.Err, &panicked) && strings.Contains(string(panicked.Stack), "server_test.go") {
			panics++
		}
	}
	if panics != 2*2*3 {
		t.Errorf("%d panics have a stack", panics)
	}
}

func TestServerResourcesPromptsCompletion(t *testing.T) {
	server := offer(t, mcp.ServerConfig{})
	must(t, server.AddText(&mcp.Resource{Name: "about", URI: "test://about"}, "A server."))
	must(t, server.AddBlob(&mcp.Resource{Name: "bytes", URI: "test://bytes"}, []byte{0, 1, 2}))
	must(t, server.AddResource(&mcp.Resource{Name: "now", URI: "test://now"}, func(_ context.Context, r *mcp.Request) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{Text: "read " + r.URI()}}}, nil
	}))
	must(t, server.AddResourceTemplate(&mcp.ResourceTemplate{Name: "item", URITemplate: "test://items/{id}"}, func(_ context.Context, r *mcp.Request) (*mcp.ReadResourceResult, error) {
		info, err := r.Info()
		if err != nil {
			return nil, err
		}
		if string(info.Variables["id"]) == `"0"` {
			return nil, mcp.ErrNotFound
		}
		return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{Text: string(info.Variables["id"])}}}, nil
	}))
	must(t, server.AddPrompt(&mcp.Prompt{Name: "greet", Arguments: []mcp.PromptArgument{{Name: "name", Required: true}}},
		func(_ context.Context, _ *mcp.Request, arguments map[string]string) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{Messages: []mcp.PromptMessage{{Role: "user", Content: mcp.Text("Greet " + arguments["name"])}}}, nil
		}))
	must(t, server.AddCompletionValues("greet", "name", "Ada", "Adam", "Bob"))
	must(t, server.AddCompletion("test://items/{id}", "id", func(_ context.Context, _ *mcp.Request, typed string, _ map[string]string) (*mcp.Completion, error) {
		return &mcp.Completion{Values: []string{typed + "1"}}, nil
	}))
	must(t, server.AddMethod("com.example/double", "com.example/numbers", nil, func(_ context.Context, r *mcp.Request) (any, error) {
		var params struct{ Value int }
		if err := json.Unmarshal(r.Params, &params); err != nil {
			return nil, &mcp.RPCError{Code: mcp.CodeInvalidParams, Message: "value is a number"}
		}
		return map[string]int{"value": 2 * params.Value}, nil
	}))
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			client, err := mcp.NewInProcess(server, map[string]any{"protocol": era, "capabilities": raw(`{"extensions":{"com.example/numbers":{}}}`)})
			must(t, err)
			defer client.Close()
			read := func(uri string) string {
				contents, err := client.ReadResource(within(t), uri)
				must(t, err)
				bytes, err := contents[0].Bytes()
				must(t, err)
				return string(bytes)
			}
			for uri, want := range map[string]string{"test://about": "A server.", "test://bytes": "\x00\x01\x02", "test://now": "read test://now", "test://items/7": `"7"`} {
				if got := read(uri); got != want {
					t.Errorf("%s: %q", uri, got)
				}
			}
			if _, err := client.ReadResource(within(t), "test://items/0"); !errors.Is(err, mcp.StatusServer) {
				t.Errorf("an item that is not there: %v", err)
			}
			prompt, err := client.GetPrompt(within(t), "greet", map[string]string{"name": "Ada"})
			must(t, err)
			if said, ok := prompt.Messages[0].Content.(*mcp.TextContent); !ok || said.Text != "Greet Ada" {
				t.Errorf("prompt: %+v", prompt)
			}
			names, err := client.Complete(within(t), mcp.ToPrompt("greet"), "name", "Ad")
			if err != nil || len(names.Values) != 2 {
				t.Errorf("completion of a list: %+v, %v", names, err)
			}
			ids, err := client.Complete(within(t), mcp.ToTemplate("test://items/{id}"), "id", "4")
			if err != nil || len(ids.Values) != 1 || ids.Values[0] != "41" {
				t.Errorf("completion by a handler: %+v, %v", ids, err)
			}
			doubled, err := mcp.CallAs[map[string]any](within(t), client, "com.example/double", map[string]int{"value": 21})
			if err != nil || doubled["value"] != 42.0 {
				t.Errorf("the extension: %v, %v", doubled, err)
			}
			if _, err := client.Call(within(t), "com.example/double", map[string]string{"value": "x"}); !errors.Is(err, mcp.StatusServer) {
				t.Errorf("the extension, refusing: %v", err)
			}
		})
	}
}

func TestServerAsksOnceWrittenForAllEras(t *testing.T) {
	server := offer(t, mcp.ServerConfig{})
	runs := make(chan string, 100)
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "order"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
		state, err := r.State()
		if err != nil {
			return "", err
		}
		runs <- state
		if err := r.SetState("seen"); err != nil {
			return "", err
		}
		form, err := mcp.ElicitAs[struct {
			Size  int    `json:"size"`
			Extra string `json:"extra,omitempty"`
		}](r, "size", "Which size?")
		if errors.Is(err, mcp.ErrDeclined) {
			return "declined", nil
		}
		roots, rootsErr := r.Roots("roots")
		if err := errors.Join(err, rootsErr); err != nil {
			return "", err
		}
		said, err := r.Sample("poem", &mcp.CreateMessageRequestParams{
			MaxTokens: 10, Messages: []mcp.SamplingMessage{{Role: "user", Content: []mcp.SamplingMessageContentBlock{mcp.Text("A poem.")}}},
		})
		if err != nil {
			return "", err
		}
		text, _ := said.Content[0].(*mcp.TextContent)
		return fmt.Sprintf("size %d, %d roots, %s", form.Size, len(roots), text.Text), nil
	}))
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			action := "accept"
			client := reach(t, server, era,
				mcp.OnElicitation(func(_ context.Context, params *mcp.ElicitRequestParams) (*mcp.ElicitResult, error) {
					if params.Message != "Which size?" {
						t.Errorf("asked %q", params.Message)
					}
					return &mcp.ElicitResult{Action: action, Content: map[string]any{"size": 42}}, nil
				}),
				mcp.OnRoots(func(context.Context) ([]mcp.Root, error) {
					return []mcp.Root{{URI: "file:///a"}, {URI: "file:///b"}}, nil
				}),
				mcp.OnSampling(func(_ context.Context, params *mcp.CreateMessageRequestParams) (*mcp.CreateMessageResult, error) {
					return &mcp.CreateMessageResult{Model: "m", Role: "assistant", Content: []mcp.SamplingMessageContentBlock{mcp.Text("Roses.")}}, nil
				}))
			if text := callText(t, client, "order", nil); text != "size 42, 2 roots, Roses." {
				t.Errorf("order: %q", text)
			}
			if first, second := <-runs, <-runs; first != "" || second != "seen" {
				t.Errorf("states %q, %q", first, second)
			}
			action = "decline"
			if text := callText(t, client, "order", nil); text != "declined" {
				t.Errorf("order, declined: %q", text)
			}
			for len(runs) > 0 {
				<-runs
			}
		})
	}
	// A client that cannot answer.
	if result, err := reach(t, server, "modern").CallTool(within(t), "order", nil); err == nil && !result.IsError {
		t.Errorf("a client without the capability: %+v", result)
	}
}

func TestServerTellsHandlersThatNoClientWaits(t *testing.T) {
	server := offer(t, mcp.ServerConfig{Timeouts: &mcp.ServerTimeouts{Request: mcp.Ptr(20 * time.Second)}})
	ends := make(chan error, 10)
	started := make(chan struct{}, 10)
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "wait"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
		if err := r.Progress(1, 2, "half"); err != nil {
			return "", err
		}
		started <- struct{}{}
		<-ctx.Done()
		ends <- context.Cause(ctx)
		return "", ctx.Err()
	}))
	for _, era := range eras {
		client := reach(t, server, era)
		ctx, cancel := context.WithCancel(within(t))
		done := make(chan error, 1)
		reported := make(chan mcp.Progress, 10)
		go func() {
			_, err := client.CallTool(ctx, "wait", nil, mcp.OnProgress(func(p mcp.Progress) { reported <- p }))
			done <- err
		}()
		receive(t, started)
		if p := receive(t, reported); p.Message != "half" || p.Total != 2 {
			t.Errorf("progress: %+v", p)
		}
		cancel()
		if err := receive(t, ends); !errors.Is(err, context.Canceled) || !errors.Is(err, mcp.StatusCancelled) {
			t.Errorf("the handler's context: %v", err)
		}
		if err := receive(t, done); !errors.Is(err, context.Canceled) {
			t.Errorf("the call: %v", err)
		}
		go func() { _, err := client.CallTool(within(t), "wait", nil); done <- err }()
		receive(t, started)
		if era == "modern" {
			must(t, server.Close())
			if err := receive(t, ends); err == nil {
				t.Error("the context of a handler of a closed server goes on")
			}
		} else {
			must(t, client.Close())
			receive(t, ends)
		}
		if err := receive(t, done); err == nil {
			t.Error("a call ends well though its server or client was closed")
		}
	}
	if _, err := server.Serve(mcp.Endpoint{Socket: "tcp:127.0.0.1:0"}); !errors.Is(err, mcp.StatusClosed) {
		t.Errorf("serve after close: %v", err)
	}
}

func TestServerTimeIsOver(t *testing.T) {
	server := offer(t, mcp.ServerConfig{Timeouts: &mcp.ServerTimeouts{Request: mcp.Ptr(50 * time.Millisecond)}})
	ends := make(chan error, 1)
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "wait"}, func(ctx context.Context, _ *mcp.Request, _ struct{}) (string, error) {
		<-ctx.Done()
		ends <- ctx.Err()
		return "", ctx.Err()
	}))
	if _, err := reach(t, server, "modern").CallTool(within(t), "wait", nil); !errors.Is(err, mcp.StatusServer) {
		t.Errorf("the call: %v", err)
	}
	receive(t, ends)
}

func TestServerTellsOfChanges(t *testing.T) {
	server := offer(t, mcp.ServerConfig{Announce: &mcp.ServerAnnounceConfig{Tools: true, Logging: true}})
	must(t, server.AddText(&mcp.Resource{Name: "a", URI: "test://a"}, "a"))
	for _, era := range eras {
		told := make(chan mcp.Notification, 100)
		client := reach(t, server, era, mcp.NotificationsTo(mcp.AnyMethod, told))
		must(t, client.Subscribe(within(t), "test://a"))
		wait := func(topic mcp.Topic) {
			t.Helper()
			for n := receive(t, told); n.Topic != topic; n = receive(t, told) {
			}
		}
		must(t, server.ResourceUpdated("test://a"))
		wait(mcp.TopicResourceUpdated)
		must(t, mcp.AddTool(server, &mcp.Tool{Name: "new"}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "", nil }))
		wait(mcp.TopicToolsChanged)
		if was, err := server.RemoveTool("new"); err != nil || !was {
			t.Errorf("remove: %v, %v", was, err)
		}
		if was, err := server.RemoveTool("new"); err != nil || was {
			t.Errorf("remove again: %v, %v", was, err)
		}
		if era == "legacy" {
			must(t, server.Log("warning", "test", map[string]int{"n": 1}))
			wait(mcp.TopicLog)
			info, err := server.Info()
			if err != nil || info.Sessions == 0 {
				t.Errorf("info: %+v, %v", info, err)
			}
		}
	}
}

func TestServerTasks(t *testing.T) {
	server := offer(t, mcp.ServerConfig{})
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "late", Execution: &mcp.ToolExecution{TaskSupport: "optional"}},
		func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
			if err := r.StartTask(mcp.TaskOptions{StatusMessage: "working on it"}); err != nil {
				return "", err
			}
			info, err := r.Info()
			if err != nil {
				return "", err
			}
			if info.Task == "" {
				return "", errors.New("there is no task")
			}
			return "done", nil
		}))
	for _, era := range eras {
		client, err := mcp.NewInProcess(server, mcp.Config{Protocol: []string{era}, Tasks: mcp.On[mcp.TasksConfig]()})
		must(t, err)
		defer client.Close()
		tasks := 0
		result, err := client.CallTool(within(t), "late", nil, mcp.AsTask(true), mcp.OnTask(func(mcp.Task) { tasks++ }))
		if err != nil || result.Text() != "done" {
			t.Errorf("%s: %+v, %v", era, result, err)
		}
	}
}

func TestServerCallsSession(t *testing.T) {
	server := offer(t, mcp.ServerConfig{})
	sessions := make(chan uint64, 1)
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "who"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
		info, err := r.Info()
		if err != nil {
			return "", err
		}
		sessions <- info.Session
		return info.Revision, nil
	}))
	client := reach(t, server, "legacy", mcp.OnRoots(func(context.Context) ([]mcp.Root, error) { return []mcp.Root{{URI: "file:///x"}}, nil }))
	callText(t, client, "who", nil)
	session := receive(t, sessions)
	answer, err := server.CallSession(within(t), session, "roots/list", nil)
	if err != nil || !strings.Contains(string(answer), "file:///x") {
		t.Errorf("roots: %s, %v", answer, err)
	}
	if _, err := server.CallSession(within(t), session+1000, "ping", nil); !errors.Is(err, mcp.StatusUnavailable) {
		t.Errorf("no such session: %v", err)
	}
}

func TestWhatIsNilIsRefusedAtOnce(t *testing.T) {
	server, err := mcp.NewServer(mcp.ServerConfig{Name: "nil"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	empty := func(context.Context, *mcp.Request, struct{}) (string, error) { return "", nil }
	for says, err := range map[string]error{
		"the definition of a tool is nil":           mcp.AddTool(server, nil, empty),
		"the handler of a tool is nil":              mcp.AddTool[struct{}, string](server, &mcp.Tool{Name: "x"}, nil),
		"add: the handler of a tool is nil":         server.AddTool(&mcp.Tool{Name: "x"}, nil),
		"the definition of a resource is nil":       server.AddResource(nil, nil),
		"the handler of a resource is nil":          server.AddResource(&mcp.Resource{URI: "x://y", Name: "y"}, nil),
		"the handler of a resource template is nil": server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "x://{y}", Name: "y"}, nil),
		"the handler of a prompt is nil":            server.AddPrompt(&mcp.Prompt{Name: "y"}, nil),
		"the handler of a completion is nil":        server.AddCompletion("y", "z", nil),
		"the handler of a method is nil":            server.AddMethod("com.example/x", "", nil, nil),
	} {
		if !errors.Is(err, mcp.StatusInvalidArgument) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v is not %q", err, says)
		}
	}
	for says, option := range map[string]mcp.Option{
		mcp.MethodSampling:    mcp.OnSampling(nil),
		mcp.MethodElicitation: mcp.OnElicitation(nil),
		mcp.MethodRoots:       mcp.OnRoots(nil),
		"com.example/asks":    mcp.OnRequest("com.example/asks", nil),
		"com.example/says":    mcp.OnNotification("com.example/says", nil),
	} {
		_, err := mcp.New(mcp.Config{Command: "x"}, nil, option)
		if !errors.Is(err, mcp.StatusInvalidArgument) || !strings.Contains(err.Error(), "the handler of "+says+" is nil") {
			t.Errorf("%v does not say that the handler of %s is nil", err, says)
		}
	}
	sound, err := mcp.NewServer(mcp.ServerConfig{Name: "sound"})
	if err != nil {
		t.Fatal(err)
	}
	defer sound.Close()
	client, err := mcp.NewInProcess(sound, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if said := fmt.Sprint(client); said != "mcp.Client(idle)" {
		t.Error(said)
	}
}

// A handler that was not added would be missed by a client far from the mistake.
func TestAnEntryThatCouldNotBeAddedFailsWhatServesIt(t *testing.T) {
	for name, serve := range map[string]func(*mcp.Server) error{
		"Serve":        func(s *mcp.Server) error { _, err := s.Serve(mcp.Endpoint{URL: "http://127.0.0.1:0/mcp"}); return err },
		"Handler":      func(s *mcp.Server) error { _, err := s.Handler(""); return err },
		"NewInProcess": func(s *mcp.Server) error { _, err := mcp.NewInProcess(s, nil); return err },
	} {
		t.Run(name, func(t *testing.T) {
			server, err := mcp.NewServer(mcp.ServerConfig{Name: "x"})
			if err != nil {
				t.Fatal(err)
			}
			defer server.Close()
			_ = mcp.AddTool(server, &mcp.Tool{Name: "odd"}, func(context.Context, *mcp.Request, chan int) (string, error) { return "", nil })
			if err := serve(server); err == nil || !strings.Contains(err.Error(), `"odd"`) {
				t.Fatal(err)
			}
		})
	}
}
