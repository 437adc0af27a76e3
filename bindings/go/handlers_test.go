package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	mcp "github.com/libmcp/libmcp-go"
)

func TestARequestOfTheServerIsAnsweredByAFunction(t *testing.T) {
	for _, era := range []string{"legacy", "modern"} {
		t.Run(era, func(t *testing.T) {
			config := example(t, "--era", era)
			config.Capabilities = able("elicitation")
			asked := make(chan string, 1)
			client := open(t, config, mcp.OnRequest("elicitation/create", func(_ context.Context, r *mcp.ServerRequest) (any, error) {
				asked <- string(r.Params)
				return map[string]any{"action": "accept", "content": map[string]string{"answer": "blue"}}, nil
			}))
			if said := callText(t, client, "ask", map[string]string{"question": "Colour?"}); said != "blue" {
				t.Fatal(said)
			}
			if params := <-asked; !strings.Contains(params, "Colour?") {
				t.Fatal(params)
			}
		})
	}
}

func TestARequestOfTheServerIsAnsweredFromAChannel(t *testing.T) {
	config := example(t, "--era", "legacy")
	config.Capabilities = able("elicitation")
	requests := make(chan *mcp.ServerRequest)
	client := open(t, config, mcp.RequestsTo(mcp.AnyMethod, requests))
	said := make(chan string, 1)
	go func() {
		result, err := client.CallTool(context.Background(), "ask", map[string]string{"question": "Colour?"})
		if err != nil {
			said <- err.Error()
			return
		}
		said <- result.Text()
	}()
	request := receive(t, requests)
	// The program may call while it holds a request.
	if echo := callText(t, client, "echo", map[string]string{"text": "meanwhile"}); echo != "meanwhile" {
		t.Fatal(echo)
	}
	if err := request.Respond(raw(`[]`)); !errors.Is(err, mcp.StatusInvalidArgument) {
		t.Fatal("a result that is no object:", err)
	}
	if err := request.Respond(raw(`{"action":"decline"}`)); err != nil {
		t.Fatal(err)
	}
	if err := request.Respond(raw(`{"action":"decline"}`)); !errors.Is(err, mcp.StatusInvalidArgument) {
		t.Fatal("a second answer:", err)
	}
	if text := receive(t, said); text != "No answer: decline" {
		t.Fatal(text)
	}
}

func TestAFormIsCompletedAndChecked(t *testing.T) {
	for _, era := range []string{"legacy", "modern"} {
		for name, run := range map[string]struct {
			answer func(*mcp.ServerRequest) error
			says   string
		}{
			"accepted": {func(r *mcp.ServerRequest) error {
				if err := r.Accept(map[string]int{"answer": 7}); !errors.Is(err, mcp.StatusInvalidArgument) {
					return fmt.Errorf("what does not fit the form: %v", err)
				}
				return r.Accept(map[string]string{"answer": "blue"})
			}, "blue"},
			"declined": {(*mcp.ServerRequest).Decline, "No answer: decline"},
			"closed":   {(*mcp.ServerRequest).Cancel, "No answer: cancel"},
		} {
			t.Run(era+", "+name, func(t *testing.T) {
				config := example(t, "--era", era)
				config.Capabilities = able("elicitation")
				client := open(t, config, mcp.OnRequest("elicitation/create", func(_ context.Context, r *mcp.ServerRequest) (any, error) {
					return nil, run.answer(r)
				}))
				if said := callText(t, client, "ask", map[string]string{"question": "Colour?"}); said != run.says {
					t.Fatal(said)
				}
			})
		}
	}
}

// ask has the scripted server send a request and gives what it got for an answer.
func ask(t *testing.T, client *mcp.Client, method string) string {
	t.Helper()
	result, err := client.CallTool(within(t), "ask_forever", map[string]any{"method": method, "wait_ms": 20000})
	if err != nil {
		t.Fatal(err)
	}
	return string(result.StructuredContent)
}

func TestAHandlersErrorRefusesTheRequest(t *testing.T) {
	config := scripted(t)
	config.Capabilities = able("sampling")
	for _, refusal := range []struct {
		err  error
		says string
	}{
		{&mcp.RPCError{Code: mcp.CodeUserRefused, Message: "no", Data: 7}, `"code":-1`},
		{fmt.Errorf("wrapped: %w", &mcp.RPCError{Code: -32050, Message: "busy"}), `"code":-32050`},
		{errors.New("the model is gone"), "The program could not answer the request."},
	} {
		client := open(t, config, mcp.OnRequest("sampling/createMessage", func(context.Context, *mcp.ServerRequest) (any, error) {
			return nil, refusal.err
		}))
		if answer := ask(t, client, "sampling/createMessage"); !strings.Contains(answer, refusal.says) {
			t.Errorf("%v: %s", refusal.err, answer)
		}
	}
}

func TestARequestWithoutAnAnswerIsRefused(t *testing.T) {
	config := scripted(t)
	config.Capabilities = able("sampling")
	t.Run("no handler", func(t *testing.T) {
		if answer := ask(t, open(t, scripted(t)), "sampling/createMessage"); !strings.Contains(answer, `"error"`) {
			t.Fatal(answer)
		}
	})
	t.Run("an invalid result", func(t *testing.T) {
		client := open(t, config, mcp.OnRequest("sampling/createMessage", func(context.Context, *mcp.ServerRequest) (any, error) {
			return []int{1}, nil
		}))
		if answer := ask(t, client, "sampling/createMessage"); !strings.Contains(answer, `"error"`) {
			t.Fatal(answer)
		}
	})
	t.Run("forgotten", func(t *testing.T) {
		requests := make(chan *mcp.ServerRequest)
		client := open(t, config, mcp.RequestsTo("sampling/createMessage", requests))
		answer := make(chan string, 1)
		go func() {
			result, err := client.CallTool(context.Background(), "ask_forever", map[string]any{"method": "sampling/createMessage", "wait_ms": 20000})
			if err != nil {
				answer <- err.Error()
				return
			}
			answer <- string(result.StructuredContent)
		}()
		if request := receive(t, requests); request.Method != "sampling/createMessage" {
			t.Fatal(request.Method)
		}
		var text string
		until(t, "the collector refuses the request", func() bool {
			runtime.GC()
			select {
			case text = <-answer:
				return true
			default:
				return false
			}
		})
		if !strings.Contains(text, `"error"`) {
			t.Fatal(text)
		}
	})
}

func TestAHandlersContextEndsWithTheClient(t *testing.T) {
	for _, shared := range []bool{false, true} {
		config := scripted(t)
		config.Capabilities = able("sampling")
		began, ended := make(chan bool, 1), make(chan error, 1)
		var kept *mcp.ServerRequest
		client := openOn(t, shared, config, mcp.OnRequest("sampling/createMessage", func(ctx context.Context, r *mcp.ServerRequest) (any, error) {
			kept = r
			began <- true
			<-ctx.Done()
			ended <- r.Respond(nil)
			return nil, ctx.Err()
		}))
		go client.CallTool(context.Background(), "ask_forever", map[string]any{"method": "sampling/createMessage"})
		receive(t, began)
		if err := client.Close(); err != nil {
			t.Fatal(err)
		}
		if err := receive(t, ended); !errors.Is(err, mcp.StatusClosed) {
			t.Fatal(err)
		}
		if !json.Valid(kept.Params) {
			t.Fatalf("a request that was kept: %s", kept.Params)
		}
	}
}

func TestNotificationsComeInOrder(t *testing.T) {
	for _, shared := range []bool{false, true} {
		count := scaled(500, 50)
		texts := make(chan mcp.Notification, count)
		changes := make(chan mcp.Notification, count)
		client := openOn(t, shared, example(t, "--era", "legacy"),
			mcp.NotificationsTo("notifications/message", texts),
			mcp.NotificationsTo("notifications/tools/list_changed", changes))
		callText(t, client, "notify", map[string]any{"count": count, "text": "n"})
		for range count {
			if n := receive(t, texts); n.Method != "notifications/message" || !strings.Contains(string(n.Params), `"n`) {
				t.Fatalf("%+v", n)
			}
		}
		if n := receive(t, changes); n.Topic != mcp.TopicToolsChanged {
			t.Fatal(n.Topic)
		}
	}
}

func TestRootsMayChange(t *testing.T) {
	config := scripted(t)
	config.Roots = []mcp.Root{{URI: "file:///one"}}
	client := open(t, config)
	if answer := ask(t, client, "roots/list"); !strings.Contains(answer, "file:///one") {
		t.Fatal(answer)
	}
	if err := client.SetRoots(within(t), []mcp.Root{{URI: "file:///two", Name: "second"}}); err != nil {
		t.Fatal(err)
	}
	if answer := ask(t, client, "roots/list"); !strings.Contains(answer, "file:///two") || strings.Contains(answer, "file:///one") {
		t.Fatal(answer)
	}
	if err := client.SetRoots(within(t), []mcp.Root{{URI: "http://example.com"}}); !errors.Is(err, mcp.StatusInvalidArgument) {
		t.Fatal(err)
	}
}

func TestASlowHandlerDelaysNoCallAndHearsWhatWasLost(t *testing.T) {
	lost := make(chan int64, 100)
	first, goOn := make(chan bool, 1), make(chan bool)
	client := open(t, example(t, "--era", "legacy"), mcp.Backlog(8),
		mcp.OnNotification("notifications/message", func(mcp.Notification) {
			select {
			case first <- true:
				<-goOn
			default:
			}
		}),
		mcp.OnLost(func(count int64) { lost <- count }))
	callText(t, client, "notify", map[string]any{"count": 100, "changes": false})
	receive(t, first)
	if said := callText(t, client, "echo", map[string]string{"text": "prompt"}); said != "prompt" {
		t.Fatal(said)
	}
	close(goOn)
	if count := receive(t, lost); count == 0 || count > 100-8 {
		t.Fatal(count)
	}
}

func TestTheServersStandardErrorComesAsLines(t *testing.T) {
	lines := make(chan string, 100)
	client := open(t, scripted(t, "stderr-at-start=3"), mcp.OnLogLine(func(l mcp.LogLine) { lines <- l.Line }))
	if err := client.Connect(within(t)); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if line := receive(t, lines); line == "" {
			t.Fatal("an empty line")
		}
	}
}
