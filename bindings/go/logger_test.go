package mcp_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"

	mcp "github.com/libmcp/libmcp-go"
)

// writer is a buffer that goroutines share.
type writer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (w *writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buf.Write(p)
}

func (w *writer) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buf.String()
}

func TestLogRecordsGoToSlog(t *testing.T) {
	var log writer
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	if err := mcp.SetLogger(logger, slog.LevelDebug); err != nil {
		t.Fatal(err)
	}
	config := example(t)
	config.Name = "logged"
	client := open(t, config)
	callText(t, client, "echo", map[string]string{"text": "x"})
	until(t, "the record of the call", func() bool {
		text := log.String()
		return strings.Contains(text, "msg=request.stop") && strings.Contains(text, "client=logged") &&
			strings.Contains(text, "level=INFO msg=connection.transition")
	})
	if err := mcp.SetLogger(nil, slog.LevelInfo); err != nil {
		t.Fatal(err)
	}
}

func TestStatusesHaveTheLibrarysNames(t *testing.T) {
	if text := mcp.StatusInvalidArgument.String(); text != "invalid_argument" {
		t.Error(text)
	}
	if text := mcp.KindNotification.String(); text != "notification" {
		t.Error(text)
	}
	if err := error(mcp.StatusTimeout); !errors.Is(err, mcp.StatusTimeout) || err.Error() != "mcp: timeout" {
		t.Error(err)
	}
	if version := mcp.Version(); strings.Count(version, ".") != 2 {
		t.Error(version)
	}
}
