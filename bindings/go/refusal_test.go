package mcp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"sync"
	"testing"

	mcp "github.com/libmcp/libmcp-go"
)

// A handler's error may hold anything; the server waits for an answer all the same.
func TestARefusalThatCannotBeSentAsItIsIsAnsweredAllTheSame(t *testing.T) {
	config := scripted(t)
	config.Capabilities = able("sampling")
	for name, refusal := range map[string]struct {
		err  error
		code string
		says string
	}{
		"a NUL":                       {errors.New("a\x00b"), "-32603", "The program could not answer"},
		"no UTF-8":                    {errors.New("a\xffb"), "-32603", "The program could not answer"},
		"a NUL in a chosen refusal":   {&mcp.RPCError{Code: -32050, Message: "a\x00b"}, "-32050", "ab"},
		"no UTF-8 in one":             {&mcp.RPCError{Code: -32050, Message: "\xc3("}, "-32050", "\ufffd("},
		"data that is a channel":      {&mcp.RPCError{Code: -32050, Message: "busy", Data: make(chan int)}, "-32050", "busy"},
		"data that is no number":      {&mcp.RPCError{Code: -32050, Message: "busy", Data: math.NaN()}, "-32050", "busy"},
		"data that is no JSON at all": {&mcp.RPCError{Code: -32050, Message: "busy", Data: raw("{")}, "-32050", "busy"},
		"data with a NUL":             {&mcp.RPCError{Code: -32050, Message: "busy", Data: raw("1\x002")}, "-32050", "busy"},
		"all of it":                   {&mcp.RPCError{Code: -32050, Message: "\x00\xff", Data: raw("\xff")}, "-32050", "\ufffd"},
	} {
		t.Run(name, func(t *testing.T) {
			failures := make(chan mcp.HandlerFailure, 10)
			client := open(t, config, mcp.OnFailure(func(f mcp.HandlerFailure) { failures <- f }),
				mcp.OnRequest("sampling/createMessage", func(context.Context, *mcp.ServerRequest) (any, error) { return nil, refusal.err }))
			answer := ask(t, client, "sampling/createMessage")
			if !strings.Contains(answer, `"code":`+refusal.code) || !strings.Contains(answer, refusal.says) {
				t.Errorf("answered with %s", answer)
			}
			if failure := receive(t, failures); failure.Method != "sampling/createMessage" || failure.Err == nil {
				t.Errorf("%+v", failure)
			}
		})
	}
}

// buffer is where a logger of several goroutines writes.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func TestAHandlersFailureIsTold(t *testing.T) {
	out := new(buffer)
	if err := mcp.SetLogger(slog.New(slog.NewTextHandler(out, nil)), slog.LevelWarn); err != nil {
		t.Fatal(err)
	}
	defer mcp.SetLogger(nil, 0)
	config := scripted(t)
	config.Capabilities = able("sampling")
	gone := errors.New("the model is gone")
	for name, handler := range map[string]struct {
		handle mcp.RequestHandler
		says   string
	}{
		"an error":              {func(context.Context, *mcp.ServerRequest) (any, error) { return nil, gone }, "the model is gone"},
		"a result of no object": {func(context.Context, *mcp.ServerRequest) (any, error) { return []int{1}, nil }, "no JSON object"},
		"a result of a channel": {func(context.Context, *mcp.ServerRequest) (any, error) { return make(chan int), nil }, "JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			failures := make(chan mcp.HandlerFailure, 10)
			client := open(t, config, mcp.OnFailure(func(f mcp.HandlerFailure) { failures <- f }),
				mcp.OnRequest("sampling/createMessage", handler.handle))
			if answer := ask(t, client, "sampling/createMessage"); !strings.Contains(answer, `"error"`) {
				t.Error(answer)
			}
			failure := receive(t, failures)
			if failure.Method != "sampling/createMessage" || !strings.Contains(failure.Err.Error(), handler.says) {
				t.Errorf("%+v", failure)
			}
			if name == "an error" && !errors.Is(failure.Err, gone) {
				t.Errorf("not the handler's own error: %v", failure.Err)
			}
		})
	}
	until(t, "the logger has all three", func() bool {
		return strings.Count(out.String(), "msg=handler.failed") >= 3 && strings.Contains(out.String(), "the model is gone")
	})

	t.Run("a refusal on purpose is no failure", func(t *testing.T) {
		failures := make(chan mcp.HandlerFailure, 10)
		client := open(t, config, mcp.OnFailure(func(f mcp.HandlerFailure) { failures <- f }),
			mcp.OnRequest("sampling/createMessage", func(context.Context, *mcp.ServerRequest) (any, error) {
				return nil, fmt.Errorf("wrapped: %w", &mcp.RPCError{Code: mcp.CodeUserRefused, Message: "no"})
			}))
		if answer := ask(t, client, "sampling/createMessage"); !strings.Contains(answer, `"code":-1`) {
			t.Error(answer)
		}
		if len(failures) != 0 {
			t.Errorf("%+v", <-failures)
		}
	})
}
