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
	"sync/atomic"
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

// open starts a server, and answers what it may ask.
func open(ctx context.Context, notified chan<- *mcp.LoggingMessageParams, reports *atomic.Int64) (*mcp.ClientSession, *exec.Cmd, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "compare", Version: "1.0"}, &mcp.ClientOptions{
		LoggingMessageHandler: func(_ context.Context, request *mcp.LoggingMessageRequest) {
			select {
			case notified <- request.Params:
			default:
			}
		},
		ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) { reports.Add(1) },
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
	notified := make(chan *mcp.LoggingMessageParams, 100)
	var reports atomic.Int64
	client, command, err := open(ctx, notified, &reports)
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
	fmt.Printf("progress: %d reports\n", reports.Load())

	short, stop := context.WithTimeout(ctx, 50*time.Millisecond)
	defer stop()
	if _, err := call(short, client, p.slowTool, p.slow); !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("a call that should have timed out: %w", err)
	}
	fmt.Println("cancelled: the server was told")

	if info.ServerInfo.Name == "python-test-server" {
		select {
		case notification := <-notified:
			params, err := json.Marshal(notification)
			if err != nil {
				return err
			}
			fmt.Println("notification:", string(params))
		case <-ctx.Done():
			return errors.New("no notification came")
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

	second, _, err := open(ctx, notified, &reports)
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
	notified, reports := make(chan *mcp.LoggingMessageParams, 100), new(atomic.Int64)
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
