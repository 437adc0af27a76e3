// Compare uses everything of a client in one program: lists, calls, structured output, progress, cancelling, notifications,
// sampling, elicitation, roots, resources, prompts, 100 calls at once, two clients, and a server that crashes.
//
//	compare COMMAND [ARGUMENT…]
//
// It knows the reference server "everything" and the test server of the Python SDK, and leaves out what a server does not have.
package main

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

// plan is how one server calls what it has.
type plan struct {
	echo, text                                      string // a tool, and its argument
	structured, progress, sampling, elicits, roots  string
	structuredWith, progressWith, slow, samplesWith any
	slowTool, resource, prompt                      string
	promptWith                                      map[string]string
}

var plans = map[string]plan{
	"mcp-servers/everything": {
		echo: "echo", text: "message", structured: "get-structured-content", structuredWith: map[string]string{"location": "Chicago"},
		progress: "trigger-long-running-operation", progressWith: map[string]any{"duration": 0.2, "steps": 4},
		slowTool: "trigger-long-running-operation", slow: map[string]any{"duration": 60, "steps": 2},
		sampling: "trigger-sampling-request", samplesWith: map[string]any{"prompt": "a rhyme", "maxTokens": 20},
		elicits: "trigger-elicitation-request", roots: "get-roots-list",
		resource: "demo://resource/static/document/features.md", prompt: "args-prompt", promptWith: map[string]string{"city": "Bern"},
	},
	"python-test-server": {
		echo: "echo", text: "text", structured: "add", structuredWith: map[string]int{"a": 2, "b": 3},
		progress: "notify", progressWith: map[string]int{"steps": 4}, slowTool: "slow", slow: map[string]int{"seconds": 60},
		elicits: "ask_name", resource: "test://greeting", prompt: "ask", promptWith: map[string]string{"topic": "rain"},
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

	short, stop := context.WithTimeout(ctx, 50*time.Millisecond)
	defer stop()
	if _, err := client.CallTool(short, p.slowTool, p.slow); !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("a call that should have timed out: %w", err)
	}
	fmt.Println("cancelled: the server was told")

	if info.Server.Name == "python-test-server" {
		select {
		case notification := <-notified:
			fmt.Println("notification:", string(notification.Params))
		case <-ctx.Done():
			return errors.New("no notification came")
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
