// The Go SDK as a client of our server: mcp-interop-go legacy|modern REVISION NAME COMMAND...
//
// In place of the command there may be the URL of a server that runs. Writes a line for each feature: "ok NAME" or
// "failed NAME: why". README.md says what each feature is.
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	limit = 60 * time.Second
	uri   = "demo://greeting"
)

// seen is what notifications told.
type seen struct {
	sync.Mutex
	changed *sync.Cond
	log     []*mcp.LoggingMessageParams
	updated []string
	steps   [][2]float64
	tools   int
}

func (s *seen) add(add func()) {
	s.Lock()
	defer s.Unlock()
	add()
	s.changed.Broadcast()
}

func (s *seen) until(holds func() bool) {
	s.Lock()
	defer s.Unlock()
	for !holds() {
		s.changed.Wait()
	}
}

func equal(found, wanted any) error {
	if !reflect.DeepEqual(found, wanted) {
		return fmt.Errorf("%v instead of %v", found, wanted)
	}
	return nil
}

func refused(code int64, err error) error {
	var rpc *jsonrpc.Error
	if !errors.As(err, &rpc) || rpc.Code != code {
		return fmt.Errorf("%v instead of %d", err, code)
	}
	return nil
}

func text(result *mcp.CallToolResult) string {
	if len(result.Content) > 0 {
		if content, ok := result.Content[0].(*mcp.TextContent); ok {
			return content.Text
		}
	}
	return fmt.Sprintf("no text: %v", result)
}

type tried struct {
	*mcp.ClientSession
	modern bool
	seen   *seen
}

func (c *tried) call(name string, arguments map[string]any) (*mcp.CallToolResult, error) {
	if arguments == nil {
		arguments = map[string]any{}
	}
	return c.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: arguments})
}

// says calls a tool and compares what it says.
func (c *tried) says(name string, arguments map[string]any, wanted string) error {
	result, err := c.call(name, arguments)
	if err != nil {
		return err
	}
	return equal(text(result), wanted)
}

func (c *tried) number(name string) (int, error) {
	result, err := c.call(name, nil)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(text(result))
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func main() {
	modern, revision, name, command := os.Args[1] == "modern", os.Args[2], os.Args[3], os.Args[4:]
	overHTTP := strings.HasPrefix(command[0], "http")
	ctx := context.Background()
	seen := &seen{}
	seen.changed = sync.NewCond(seen)
	client := mcp.NewClient(&mcp.Implementation{Name: "go-interop", Version: "1.0.0"}, &mcp.ClientOptions{
		CreateMessageHandler: func(_ context.Context, req *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			said := req.Params.Messages[0].Content.(*mcp.TextContent).Text
			return &mcp.CreateMessageResult{Model: "none", Role: "assistant", Content: &mcp.TextContent{Text: "sampled: " + said}}, nil
		},
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "answered: " + req.Params.Message}}, nil
		},
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { seen.add(func() { seen.tools++ }) },
		ResourceUpdatedHandler: func(_ context.Context, req *mcp.ResourceUpdatedNotificationRequest) {
			seen.add(func() { seen.updated = append(seen.updated, req.Params.URI) })
		},
		LoggingMessageHandler: func(_ context.Context, req *mcp.LoggingMessageRequest) {
			seen.add(func() { seen.log = append(seen.log, req.Params) })
		},
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
			seen.add(func() { seen.steps = append(seen.steps, [2]float64{req.Params.Progress, req.Params.Total}) })
		},
	})
	client.AddRoots(&mcp.Root{URI: "file:///interop", Name: "interop"})

	c := &tried{modern: modern, seen: seen}
	complete := func(ref *mcp.CompleteReference) error {
		params := &mcp.CompleteParams{Ref: ref, Argument: mcp.CompleteParamsArgument{Name: "name", Value: "A"}}
		result, err := c.Complete(ctx, params)
		if err != nil {
			return err
		}
		return equal(result.Completion.Values, []string{"Ada", "Alan"})
	}
	read := func(uri string) (*mcp.ResourceContents, error) {
		result, err := c.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
		if err != nil {
			return nil, err
		}
		return result.Contents[0], nil
	}
	reads := func(uri, wanted string) error {
		contents, err := read(uri)
		if err != nil {
			return err
		}
		return equal(contents.Text, wanted)
	}

	features := []struct {
		name string
		run  func() error
	}{
		{"connect", func() error {
			var transport mcp.Transport = &mcp.StreamableClientTransport{Endpoint: command[0]}
			if !overHTTP {
				transport = &mcp.CommandTransport{Command: exec.Command(command[0], command[1:]...)}
			}
			session, err := client.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: revision})
			if err != nil {
				return err
			}
			c.ClientSession = session
			opened := session.InitializeResult()
			return first(equal(opened.ServerInfo.Name, name), equal(opened.ProtocolVersion, revision),
				equal(opened.Instructions != "", true))
		}},
		{"ping", func() error { return c.Ping(ctx, nil) }},
		{"tools: pages", func() error {
			names, pages, cursor := map[string]bool{}, 0, ""
			for pages == 0 || cursor != "" {
				page, err := c.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
				if err != nil {
					return err
				}
				for _, tool := range page.Tools {
					if names[tool.Name] {
						return fmt.Errorf("%s twice", tool.Name)
					}
					names[tool.Name] = true
				}
				cursor, pages = page.NextCursor, pages+1
			}
			return first(equal(pages > 1, true), equal(names["echo"] && names["add"] && names["slow"], true))
		}},
		{"tools: call", func() error {
			said := "Grüße, 世界 🦀 \u2028"
			return c.says("echo", map[string]any{"text": said}, said)
		}},
		{"tools: structured result", func() error {
			result, err := c.call("add", map[string]any{"a": 2, "b": 3})
			if err != nil {
				return err
			}
			return equal(result.StructuredContent, map[string]any{"sum": 5.0})
		}},
		{"tools: failure", func() error {
			result, err := c.call("fail", nil)
			if err != nil {
				return err
			}
			return first(equal(result.IsError, true), equal(text(result), "This tool always fails"))
		}},
		{"tools: wrong arguments", func() error {
			result, err := c.call("add", map[string]any{"a": "two", "b": 3})
			if err != nil {
				return err
			}
			return equal(result.IsError, true)
		}},
		{"tools: unknown", func() error {
			_, err := c.call("nothing", nil)
			return refused(jsonrpc.CodeInvalidParams, err)
		}},
		{"tools: large result", func() error {
			result, err := c.call("big", map[string]any{"bytes": 3_000_000})
			if err != nil {
				return err
			}
			return equal(len(text(result)), 3_000_000)
		}},
		{"tools: printing handler", func() error {
			return c.says("print", map[string]any{"text": "printed\n"}, "printed")
		}},
		{"progress", func() error {
			params := &mcp.CallToolParams{Name: "slow", Arguments: map[string]any{"ms": 60, "steps": 3}}
			params.SetProgressToken("steps")
			if _, err := c.CallTool(ctx, params); err != nil {
				return err
			}
			seen.until(func() bool { return len(seen.steps) >= 3 })
			return equal(seen.steps, [][2]float64{{1, 3}, {2, 3}, {3, 3}})
		}},
		{"cancellation", func() error {
			before, err := c.number("cancelled")
			if err != nil {
				return err
			}
			stopped, stop := context.WithCancel(ctx)
			defer stop()
			seen.Lock()
			known := len(seen.steps)
			seen.Unlock()
			params := &mcp.CallToolParams{Name: "slow", Arguments: map[string]any{"ms": 600_000, "steps": 6_000_000}}
			params.SetProgressToken("endless")
			go func() {
				seen.until(func() bool { return len(seen.steps) > known })
				stop()
			}()
			if _, err := c.CallTool(stopped, params); !errors.Is(err, context.Canceled) {
				return fmt.Errorf("not cancelled: %v", err)
			}
			now := before
			for now == before && err == nil {
				now, err = c.number("cancelled")
			}
			return first(err, equal(now, before+1))
		}},
		{"log", func() error {
			notify := &mcp.CallToolParams{Name: "notify", Arguments: map[string]any{"count": 2}}
			if modern {
				notify.Meta = mcp.Meta{"io.modelcontextprotocol/logLevel": "info"}
			} else if err := c.SetLoggingLevel(ctx, &mcp.SetLoggingLevelParams{Level: "info"}); err != nil {
				return err
			}
			if _, err := c.CallTool(ctx, notify); err != nil {
				return err
			}
			seen.until(func() bool { return len(seen.log) >= 2 })
			for at, params := range seen.log {
				data, _ := params.Data.(map[string]any)
				if err := first(equal(params.Level, mcp.LoggingLevel("info")), equal(data["number"], float64(at+1))); err != nil {
					return err
				}
			}
			if modern {
				return nil
			}
			if err := c.SetLoggingLevel(ctx, &mcp.SetLoggingLevelParams{Level: "error"}); err != nil {
				return err
			}
			_, err := c.CallTool(ctx, notify)
			return first(err, c.says("echo", map[string]any{"text": "after"}, "after"), equal(len(seen.log), 2))
		}},
		{"resources: list", func() error {
			result, err := c.ListResources(ctx, nil)
			if err != nil {
				return err
			}
			return first(equal(result.Resources[0].URI, uri), equal(result.Resources[1].URI, "demo://logo"))
		}},
		{"resources: templates", func() error {
			result, err := c.ListResourceTemplates(ctx, nil)
			if err != nil {
				return err
			}
			return equal(result.ResourceTemplates[0].URITemplate, "demo://greeting/{name}")
		}},
		{"resources: read", func() error {
			logo, err := read("demo://logo")
			if err != nil {
				return err
			}
			return first(equal(strings.HasPrefix(base64.StdEncoding.EncodeToString(logo.Blob), "iVBORw0KGgo"), true),
				reads(uri, "Hello, world!"), reads("demo://greeting/Ada", "Hello, Ada!"))
		}},
		{"resources: unknown", func() error {
			_, err := read("demo://nothing")
			if modern {
				return refused(jsonrpc.CodeInvalidParams, err)
			}
			return refused(-32002, err)
		}},
		{"resources: updates", func() error {
			if err := c.Subscribe(ctx, &mcp.SubscribeParams{URI: uri}); err != nil {
				return err
			}
			if err := c.says("touch", map[string]any{"uri": uri}, "touched"); err != nil {
				return err
			}
			seen.until(func() bool { return len(seen.updated) > 0 })
			if err := c.Unsubscribe(ctx, &mcp.UnsubscribeParams{URI: uri}); err != nil {
				return err
			}
			return equal(seen.updated, []string{uri})
		}},
		{"tools: list changes", func() error {
			if err := c.says("change_tools", nil, "changed"); err != nil {
				return err
			}
			seen.until(func() bool { return seen.tools > 0 })
			return nil
		}},
		{"prompts", func() error {
			listed, err := c.ListPrompts(ctx, nil)
			if err != nil {
				return err
			}
			prompt, err := c.GetPrompt(ctx, &mcp.GetPromptParams{Name: "greet", Arguments: map[string]string{"name": "Ada"}})
			if err != nil {
				return err
			}
			said := prompt.Messages[0].Content.(*mcp.TextContent).Text
			return first(equal(listed.Prompts[0].Name, "greet"), equal(said, "Please write a friendly greeting for Ada."))
		}},
		{"completion", func() error {
			return first(complete(&mcp.CompleteReference{Type: "ref/prompt", Name: "greet"}),
				complete(&mcp.CompleteReference{Type: "ref/resource", URI: "demo://greeting/{name}"}))
		}},
		{"sampling", func() error { return c.says("sample", map[string]any{"prompt": "Hi"}, "sampled: Hi") }},
		{"elicitation", func() error { return c.says("ask", map[string]any{"question": "Who?"}, "answered: Who?") }},
		{"roots", func() error { return c.says("roots", nil, "file:///interop") }},
		{"http: broken stream", func() error {
			seen.Lock()
			known := len(seen.steps)
			seen.Unlock()
			params := &mcp.CallToolParams{Name: "interrupted", Arguments: map[string]any{}}
			params.SetProgressToken("interrupted")
			result, err := c.CallTool(ctx, params)
			if err != nil {
				return err
			}
			seen.until(func() bool { return len(seen.steps) > known })
			return first(equal(text(result), "after the break"), equal(seen.steps[known][0], 1.0))
		}},
		{"close", func() error {
			pid, err := c.number("pid")
			if err != nil {
				return err
			}
			if err := c.Close(); err != nil {
				return err
			}
			for !overHTTP && syscall.Kill(pid, 0) == nil {
				time.Sleep(5 * time.Millisecond)
			}
			return nil
		}},
	}
	for _, feature := range features {
		if strings.HasPrefix(feature.name, "http: ") && (modern || !overHTTP) {
			continue
		}
		outcome := make(chan error, 1)
		go func() {
			// A result that has not the form that is looked at.
			defer func() {
				if panicked := recover(); panicked != nil {
					outcome <- fmt.Errorf("%v", panicked)
				}
			}()
			outcome <- feature.run()
		}()
		var err error
		select {
		case err = <-outcome:
		case <-time.After(limit):
			err = fmt.Errorf("no outcome within %v", limit)
		}
		if err == nil {
			fmt.Println("ok", feature.name)
			continue
		}
		why, _ := json.Marshal(err.Error())
		fmt.Printf("failed %s: %s\n", feature.name, why)
		if feature.name == "connect" {
			return
		}
	}
}
