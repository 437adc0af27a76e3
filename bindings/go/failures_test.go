package mcp_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"

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
	for _, cause := range []string{"the database is down", "the stock is empty", "TestFailuresAreToldByDefault", "the folder is gone"} {
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
