package mcp_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	mcp "github.com/libmcp/libmcp-go"
)

// lines is the text of a logger.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(part []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(part)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Without OnServerFailure, OnFailure and SetLogger a failure goes to the default logger.
func TestFailuresAreToldByDefault(t *testing.T) {
	var said lines
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&said, nil)))
	defer slog.SetDefault(before)
	server := offer(t, mcp.ServerConfig{})
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "fails"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
		return "", errors.New("the database is down")
	}))
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "panics"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
		panic("the stock is empty")
	}))
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "asks"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
		_, err := r.Roots("roots")
		return "", err
	}))
	client, err := mcp.NewInProcess(server, map[string]any{"capabilities": raw(`{"roots":{}}`)}, mcp.OnRequest(mcp.MethodRoots,
		func(context.Context, *mcp.ServerRequest) (any, error) { return nil, errors.New("the folder is gone") }))
	must(t, err)
	defer client.Close()
	for _, tool := range []string{"fails", "panics", "asks"} {
		_, _ = client.CallTool(within(t), tool, nil)
	}
	for _, cause := range []string{
		"name=fails error=\"the database is down\"", "name=panics", "the stock is empty", "TestFailuresAreToldByDefault", "the folder is gone",
	} {
		until(t, cause, func() bool { return strings.Contains(said.String(), cause) })
	}
}

// Who has a function for failures wants them nowhere else.
func TestFailuresWithAFunctionAreNotLogged(t *testing.T) {
	var said lines
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&said, nil)))
	defer slog.SetDefault(before)
	told := make(chan mcp.HandlerFailure, 1)
	server := offer(t, mcp.ServerConfig{}, mcp.OnServerFailure(func(failure mcp.HandlerFailure) { told <- failure }))
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "fails"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
		return "", errors.New("the database is down")
	}))
	client, err := mcp.NewInProcess(server, nil)
	must(t, err)
	defer client.Close()
	_, _ = client.CallTool(within(t), "fails", nil)
	if failure := receive(t, told); failure.Err.Error() != "the database is down" || said.String() != "" {
		t.Error(failure, said.String())
	}
}

// A handler that ends its goroutine, as FailNow of a test does, is one that failed: its request is answered at once.
func TestAHandlerThatEndsItsGoroutineHasFailed(t *testing.T) {
	told := make(chan mcp.HandlerFailure, 10)
	server := offer(t, mcp.ServerConfig{}, mcp.OnServerFailure(func(failure mcp.HandlerFailure) { told <- failure }))
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "ends"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
		runtime.Goexit()
		return "", nil
	}))
	must(t, server.AddResource(&mcp.Resource{URI: "a://r", Name: "r"}, func(context.Context, *mcp.Request) (*mcp.ReadResourceResult, error) {
		runtime.Goexit()
		return nil, nil
	}))
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "asks"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
		_, err := r.Roots("roots")
		return "", err
	}))
	asked := make(chan mcp.HandlerFailure, 10)
	notified := make(chan string, 10)
	client, err := mcp.NewInProcess(server, map[string]any{"capabilities": raw(`{"roots":{}}`)},
		mcp.OnFailure(func(failure mcp.HandlerFailure) { asked <- failure }),
		mcp.OnRequest(mcp.MethodRoots, func(context.Context, *mcp.ServerRequest) (any, error) { runtime.Goexit(); return nil, nil }),
		mcp.OnNotification(mcp.AnyMethod, func(n mcp.Notification) {
			notified <- n.Method
			runtime.Goexit()
		}))
	must(t, err)
	defer client.Close()
	result, err := client.CallTool(within(t), "ends", nil)
	if err != nil || !result.IsError {
		t.Error(result, err)
	}
	if _, err := client.ReadResource(within(t), "a://r"); !errors.Is(err, mcp.StatusServer) {
		t.Error(err)
	}
	for range 2 {
		if failure := receive(t, told); !strings.Contains(failure.Err.Error(), "ended its goroutine") {
			t.Error(failure)
		}
	}
	begun := time.Now()
	if result, err := client.CallTool(within(t), "asks", nil); err == nil && !result.IsError || time.Since(begun) > patience/2 {
		t.Error(result, err)
	}
	if failure := receive(t, asked); failure.Method != mcp.MethodRoots {
		t.Error(failure)
	}
	// The next notification has a goroutine again.
	for _, name := range []string{"one", "two"} {
		must(t, mcp.AddTool(server, &mcp.Tool{Name: name}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "", nil }))
		if method := receive(t, notified); method != "notifications/tools/list_changed" {
			t.Error(method)
		}
	}
}
