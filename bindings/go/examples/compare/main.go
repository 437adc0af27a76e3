// Compare uses everything of a client in one program: lists, calls, structured output, progress, cancelling, notifications,
// sampling, elicitation, roots, resources, prompts, 100 calls at once, two clients, and a server that crashes.
//
//	compare COMMAND [ARGUMENT…]
//
// It knows the reference server "everything" and the test server of the Python SDK, and leaves out what a server does not have.
package main

//lint:file-ignore SA1019 Servers of today use what 2026-07-28 deprecates.

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"

	mcp "github.com/libmcp/libmcp-go"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 2 {
		log.Fatal("usage: compare COMMAND [ARGUMENT…]")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := run(ctx); err != nil {
		log.Fatal(err)
	}
}

// open makes a client that answers what a server may ask.
func open(notified chan<- mcp.Notification) (*mcp.Client, error) {
	return mcp.New(mcp.Config{Command: os.Args[1], Args: os.Args[2:], Reconnect: mcp.With(mcp.Reconnect{Initial: 10 * time.Millisecond})},
		mcp.NotificationsTo("notifications/message", notified),
		mcp.NotificationsTo("notifications/resources/updated", notified),
		mcp.OnSampling(func(context.Context, *mcp.CreateMessageRequestParams) (*mcp.CreateMessageResult, error) {
			return &mcp.CreateMessageResult{Role: "assistant", Model: "parrot", Content: []mcp.SamplingMessageContentBlock{mcp.Text("a rhyme")}}, nil
		}),
		mcp.OnElicitation(func(_ context.Context, params *mcp.ElicitRequestParams) (*mcp.ElicitResult, error) {
			content := map[string]any{}
			for _, name := range params.RequestedSchema.Required {
				content[name] = "Ada"
			}
			return &mcp.ElicitResult{Action: "accept", Content: content}, nil
		}),
		mcp.OnRoots(func(context.Context) ([]mcp.Root, error) {
			return []mcp.Root{{URI: "file:///tmp", Name: "scratch"}}, nil
		}))
}

// plan is how one server calls what it has. After update it tells that the resource has changed, after the call of slow was
// cancelled it answers a call of stopped.
type plan struct {
	echo, text                                      string // a tool, and its argument
	structured, progress, sampling, elicits, roots  string
	structuredWith, progressWith, slow, samplesWith any
	slowTool, stopped, resource, update, prompt     string
	promptWith                                      map[string]string
}

var plans = map[string]plan{
	"mcp-servers/everything": {
		echo: "echo", text: "message", structured: "get-structured-content", structuredWith: map[string]string{"location": "Chicago"},
		progress: "trigger-long-running-operation", progressWith: map[string]any{"duration": 0.2, "steps": 4},
		slowTool: "trigger-long-running-operation", slow: map[string]any{"duration": 60, "steps": 600},
		sampling: "trigger-sampling-request", samplesWith: map[string]any{"prompt": "a rhyme", "maxTokens": 20},
		elicits: "trigger-elicitation-request", roots: "get-roots-list",
		resource: "demo://resource/static/document/features.md", update: "toggle-subscriber-updates",
		prompt: "args-prompt", promptWith: map[string]string{"city": "Bern"},
	},
	"python-test-server": {
		echo: "echo", text: "text", structured: "add", structuredWith: map[string]int{"a": 2, "b": 3},
		progress: "notify", progressWith: map[string]int{"steps": 4},
		slowTool: "slow", slow: map[string]int{"seconds": 60}, stopped: "stopped",
		sampling: "ask_model", samplesWith: map[string]string{"prompt": "a rhyme"}, elicits: "ask_name", roots: "ask_roots",
		resource: "test://greeting", prompt: "ask", promptWith: map[string]string{"topic": "rain"},
	},
}

func run(ctx context.Context) error {
	notified := make(chan mcp.Notification, 100)
	client, err := open(notified)
	if err != nil {
		return err
	}
	defer client.Close()
	if err := client.Connect(ctx); err != nil {
		return err
	}
	info, err := client.Info()
	if err != nil {
		return err
	}
	p, known := plans[info.Server.Name]
	if !known {
		return fmt.Errorf("there is no plan for the server %q", info.Server.Name)
	}
	fmt.Printf("connected to %s, revision %s\n", info.Server.Name, info.Revision)

	tools, err := mcp.All(client.Tools(ctx))
	if err != nil {
		return err
	}
	fmt.Printf("list: %d tools\n", len(tools))

	said, err := mcp.CallToolAs[string](ctx, client, p.echo, map[string]string{p.text: "hello"})
	if err != nil {
		return err
	}
	fmt.Println("call:", said)

	structured, err := mcp.CallToolAs[map[string]any](ctx, client, p.structured, p.structuredWith)
	if err != nil {
		return err
	}
	fmt.Println("structured:", structured)

	reports := 0
	_, err = client.CallTool(ctx, p.progress, p.progressWith, mcp.LogLevel("info"), mcp.OnProgress(func(mcp.Progress) { reports++ }))
	if err != nil {
		return err
	}
	fmt.Printf("progress: %d reports\n", reports)

	if err := cancel(ctx, client, p); err != nil {
		return err
	}

	if info.Server.Name == "python-test-server" {
		if err := next(ctx, notified, "notifications/message"); err != nil {
			return err
		}
	}
	if p.update != "" {
		if err := watch(ctx, client, p, notified); err != nil {
			return err
		}
	}
	for name, ask := range map[string]struct {
		tool string
		with any
	}{"sampling": {p.sampling, p.samplesWith}, "elicitation": {p.elicits, nil}, "roots": {p.roots, nil}} {
		if ask.tool != "" {
			result, err := client.CallTool(ctx, ask.tool, ask.with)
			if err == nil {
				err = result.Err()
			}
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			fmt.Printf("%s: %d bytes of text\n", name, len(result.Text()))
		}
	}

	contents, err := client.ReadResource(ctx, p.resource)
	if err != nil {
		return err
	}
	prompt, err := client.GetPrompt(ctx, p.prompt, p.promptWith)
	if err != nil {
		return err
	}
	fmt.Printf("resource: %d bytes; prompt: %d messages\n", len(contents[0].Text), len(prompt.Messages))

	second, err := open(notified)
	if err != nil {
		return err
	}
	defer second.Close()
	if err := errors.Join(hundred(ctx, client, p), hundred(ctx, second, p)); err != nil {
		return err
	}
	fmt.Println("two clients: 100 calls at once on each")
	return crash(ctx, client, info.PID, p)
}

// cancel gives up a call that the server is at work on.
func cancel(ctx context.Context, client *mcp.Client, p plan) error {
	underWay, giveUp := context.WithCancel(ctx)
	defer giveUp()
	var at time.Time
	_, err := client.CallTool(underWay, p.slowTool, p.slow, mcp.OnProgress(func(mcp.Progress) {
		if at.IsZero() {
			at = time.Now()
			giveUp()
		}
	}))
	took := time.Since(at)
	if !errors.Is(err, context.Canceled) || !errors.Is(err, mcp.StatusCancelled) || at.IsZero() {
		return fmt.Errorf("a call that should have ended as cancelled: %w", err)
	}
	if took > 10*time.Second {
		return fmt.Errorf("a call ended %v after it was cancelled", took)
	}
	if p.stopped == "" {
		fmt.Println("cancelled: the call ended")
		return nil
	}
	said, err := mcp.CallToolAs[string](ctx, client, p.stopped, nil)
	if err != nil {
		return fmt.Errorf("the server was not told that a call was cancelled: %w", err)
	}
	fmt.Println("cancelled: the server says:", said)
	return nil
}

// watch waits for the server to tell that a resource has changed.
func watch(ctx context.Context, client *mcp.Client, p plan, notified <-chan mcp.Notification) error {
	if err := client.Subscribe(ctx, p.resource); err != nil {
		return err
	}
	if _, err := client.CallTool(ctx, p.update, nil); err != nil {
		return err
	}
	if err := next(ctx, notified, "notifications/resources/updated"); err != nil {
		return err
	}
	return client.Unsubscribe(ctx, p.resource)
}

// next waits for a notification of a method.
func next(ctx context.Context, notified <-chan mcp.Notification, method string) error {
	for {
		select {
		case notification := <-notified:
			if notification.Method == method {
				fmt.Println("notification:", string(notification.Params))
				return nil
			}
		case <-ctx.Done():
			return fmt.Errorf("no %s came", method)
		}
	}
}

func hundred(ctx context.Context, client *mcp.Client, p plan) error {
	failures := make([]error, 100)
	var all sync.WaitGroup
	for i := range failures {
		all.Add(1)
		go func() {
			defer all.Done()
			_, failures[i] = mcp.CallToolAs[string](ctx, client, p.echo, map[string]string{p.text: fmt.Sprint("call ", i)})
		}()
	}
	all.Wait()
	return errors.Join(failures...)
}

// crash kills the server. The client starts it again, and the next call waits for that.
func crash(ctx context.Context, client *mcp.Client, pid int, p plan) error {
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		return err
	}
	for {
		_, err := client.CallTool(ctx, p.echo, map[string]string{p.text: "again"}, mcp.WhenUnavailable("wait"))
		if err == nil {
			break
		}
		// A call under way at the crash is lost: the server may have run it.
		if lost := []error{mcp.StatusTransport, mcp.StatusUnavailable}; !slices.ContainsFunc(lost, func(status error) bool { return errors.Is(err, status) }) {
			return err
		}
	}
	info, err := client.Info()
	if err == nil && info.PID == pid {
		err = errors.New("the server was not started again")
	}
	fmt.Println("crash: the server was started again")
	return err
}
