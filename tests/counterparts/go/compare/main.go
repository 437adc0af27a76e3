// Compare is bindings/go/examples/compare on the official SDK.
//
//	compare COMMAND [ARGUMENT…]
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
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

// notice is a notification of the server.
type notice struct {
	method string
	params any
}

// open starts a server, and answers what it may ask.
func open(ctx context.Context, notified, reports chan<- notice) (*mcp.ClientSession, *exec.Cmd, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "compare", Version: "1.0"}, &mcp.ClientOptions{
		LoggingMessageHandler: func(_ context.Context, request *mcp.LoggingMessageRequest) {
			keep(notified, notice{"notifications/message", request.Params})
		},
		ResourceUpdatedHandler: func(_ context.Context, request *mcp.ResourceUpdatedNotificationRequest) {
			keep(notified, notice{"notifications/resources/updated", request.Params})
		},
		ProgressNotificationHandler: func(_ context.Context, request *mcp.ProgressNotificationClientRequest) {
			keep(reports, notice{"notifications/progress", request.Params})
		},
		CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			return &mcp.CreateMessageResult{Role: "assistant", Model: "parrot", Content: &mcp.TextContent{Text: "a rhyme"}}, nil
		},
		ElicitationHandler: func(_ context.Context, request *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			text, err := json.Marshal(request.Params.RequestedSchema)
			if err != nil {
				return nil, err
			}
			var schema struct{ Required []string }
			if err := json.Unmarshal(text, &schema); err != nil {
				return nil, err
			}
			content := map[string]any{}
			for _, name := range schema.Required {
				content[name] = "Ada"
			}
			return &mcp.ElicitResult{Action: "accept", Content: content}, nil
		},
	})
	client.AddRoots(&mcp.Root{URI: "file:///tmp", Name: "scratch"})
	command := exec.Command(os.Args[1], os.Args[2:]...)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: command}, nil)
	return session, command, err
}

// keep drops what the program does not take in time.
func keep(to chan<- notice, what notice) {
	select {
	case to <- what:
	default:
	}
}

func text(result *mcp.CallToolResult) string {
	var texts []string
	for _, block := range result.Content {
		if block, ok := block.(*mcp.TextContent); ok {
			texts = append(texts, block.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// call has a failure of the tool as an error.
func call(ctx context.Context, session *mcp.ClientSession, tool string, arguments any) (*mcp.CallToolResult, error) {
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err == nil && result.IsError {
		err = errors.New(text(result))
	}
	return result, err
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
	notified, reports := make(chan notice, 100), make(chan notice, 1000)
	client, command, err := open(ctx, notified, reports)
	if err != nil {
		return err
	}
	defer client.Close()
	info := client.InitializeResult()
	p, known := plans[info.ServerInfo.Name]
	if !known {
		return fmt.Errorf("there is no plan for the server %q", info.ServerInfo.Name)
	}
	fmt.Printf("connected to %s, revision %s\n", info.ServerInfo.Name, info.ProtocolVersion)

	tools := 0
	for _, err := range client.Tools(ctx, nil) {
		if err != nil {
			return err
		}
		tools++
	}
	fmt.Printf("list: %d tools\n", tools)

	said, err := call(ctx, client, p.echo, map[string]string{p.text: "hello"})
	if err != nil {
		return err
	}
	fmt.Println("call:", text(said))

	structured, err := call(ctx, client, p.structured, p.structuredWith)
	if err != nil {
		return err
	}
	fmt.Println("structured:", structured.StructuredContent)

	params := &mcp.CallToolParams{Name: p.progress, Arguments: p.progressWith, Meta: mcp.Meta{"io.modelcontextprotocol/logLevel": "info"}}
	params.SetProgressToken("progress")
	if _, err := client.CallTool(ctx, params); err != nil {
		return err
	}
	fmt.Printf("progress: %d reports\n", len(reports))

	if err := cancel(ctx, client, p, reports); err != nil {
		return err
	}

	if info.ServerInfo.Name == "python-test-server" {
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
			result, err := call(ctx, client, ask.tool, ask.with)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			fmt.Printf("%s: %d bytes of text\n", name, len(text(result)))
		}
	}

	resource, err := client.ReadResource(ctx, &mcp.ReadResourceParams{URI: p.resource})
	if err != nil {
		return err
	}
	prompt, err := client.GetPrompt(ctx, &mcp.GetPromptParams{Name: p.prompt, Arguments: p.promptWith})
	if err != nil {
		return err
	}
	fmt.Printf("resource: %d bytes; prompt: %d messages\n", len(resource.Contents[0].Text), len(prompt.Messages))

	second, _, err := open(ctx, notified, reports)
	if err != nil {
		return err
	}
	defer second.Close()
	if err := errors.Join(hundred(ctx, client, p), hundred(ctx, second, p)); err != nil {
		return err
	}
	fmt.Println("two clients: 100 calls at once on each")
	return crash(ctx, client, command, p)
}

// cancel gives up a call that the server is at work on.
func cancel(ctx context.Context, client *mcp.ClientSession, p plan, reports chan notice) error {
	underWay, giveUp := context.WithCancel(ctx)
	defer giveUp()
	for len(reports) > 0 {
		<-reports
	}
	reported := make(chan time.Time, 1)
	go func() {
		select {
		case <-reports:
			reported <- time.Now()
		case <-underWay.Done():
		}
		giveUp()
		close(reported)
	}()
	params := &mcp.CallToolParams{Name: p.slowTool, Arguments: p.slow}
	params.SetProgressToken("slow")
	_, err := client.CallTool(underWay, params)
	giveUp()
	at, wasReported := <-reported
	if !errors.Is(err, context.Canceled) || !wasReported {
		return fmt.Errorf("a call that should have ended as cancelled: %w", err)
	}
	if took := time.Since(at); took > 10*time.Second {
		return fmt.Errorf("a call ended %v after it was cancelled", took)
	}
	if p.stopped == "" {
		fmt.Println("cancelled: the call ended")
		return nil
	}
	said, err := call(ctx, client, p.stopped, nil)
	if err != nil {
		return fmt.Errorf("the server was not told that a call was cancelled: %w", err)
	}
	fmt.Println("cancelled: the server says:", text(said))
	return nil
}

// watch waits for the server to tell that a resource has changed.
func watch(ctx context.Context, client *mcp.ClientSession, p plan, notified <-chan notice) error {
	if err := client.Subscribe(ctx, &mcp.SubscribeParams{URI: p.resource}); err != nil {
		return err
	}
	if _, err := call(ctx, client, p.update, nil); err != nil {
		return err
	}
	if err := next(ctx, notified, "notifications/resources/updated"); err != nil {
		return err
	}
	return client.Unsubscribe(ctx, &mcp.UnsubscribeParams{URI: p.resource})
}

// next waits for a notification of a method.
func next(ctx context.Context, notified <-chan notice, method string) error {
	for {
		select {
		case notification := <-notified:
			if notification.method == method {
				params, err := json.Marshal(notification.params)
				fmt.Println("notification:", string(params))
				return err
			}
		case <-ctx.Done():
			return fmt.Errorf("no %s came", method)
		}
	}
}

func hundred(ctx context.Context, client *mcp.ClientSession, p plan) error {
	failures := make([]error, 100)
	var all sync.WaitGroup
	for i := range failures {
		all.Add(1)
		go func() {
			defer all.Done()
			_, failures[i] = call(ctx, client, p.echo, map[string]string{p.text: fmt.Sprint("call ", i)})
		}()
	}
	all.Wait()
	return errors.Join(failures...)
}

// crash kills the server. The SDK does not start it again, so the program does.
func crash(ctx context.Context, client *mcp.ClientSession, command *exec.Cmd, p plan) error {
	if err := command.Process.Signal(syscall.SIGKILL); err != nil {
		return err
	}
	_ = client.Wait() // It ends with the error of the connection.
	notified, reports := make(chan notice, 100), make(chan notice, 1000)
	client, _, err := open(ctx, notified, reports)
	if err != nil {
		return err
	}
	defer client.Close()
	if _, err := call(ctx, client, p.echo, map[string]string{p.text: "again"}); err != nil {
		return err
	}
	fmt.Println("crash: the server was started again")
	return nil
}
