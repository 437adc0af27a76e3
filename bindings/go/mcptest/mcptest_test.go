package mcptest_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	mcp "github.com/libmcp/libmcp-go"
	"github.com/libmcp/libmcp-go/mcptest"
)

var weather = mcptest.NewServer("weather", mcptest.Tools{
	"forecast": func(call *mcptest.Call) (any, error) {
		var arguments struct{ City string }
		if err := json.Unmarshal(call.Arguments, &arguments); err != nil {
			return nil, err
		}
		if arguments.City == "" {
			return nil, errors.New("no city")
		}
		return map[string]any{"city": arguments.City, "degrees": 17}, nil
	},
	"announce": func(call *mcptest.Call) (any, error) {
		return "announced", call.Notify("notifications/message", map[string]string{"level": "info", "data": "storm"})
	},
})

func TestMain(m *testing.M) { mcptest.Main(m) }

func TestAServerWrittenBesideTheTest(t *testing.T) {
	heard := make(chan mcp.Notification, 1)
	client := weather.Client(t, mcp.NotificationsTo("notifications/message", heard))
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()

	tools, err := mcp.All(client.Tools(ctx))
	if err != nil || len(tools) != 2 || tools[0].Name != "announce" {
		t.Fatal(tools, err)
	}
	result, err := client.CallTool(ctx, "forecast", map[string]string{"city": "Berlin"})
	if err != nil || string(result.StructuredContent) != `{"city":"Berlin","degrees":17}` {
		t.Fatal(result, err)
	}
	result, err = client.CallTool(ctx, "forecast", map[string]string{})
	if err != nil || !result.IsError || result.Text() != "no city" {
		t.Fatal(result, err)
	}
	if _, err = client.CallTool(ctx, "snow", nil); !errors.Is(err, mcp.StatusServer) {
		t.Fatal(err)
	}
	if result, err = client.CallTool(ctx, "announce", nil); err != nil || result.Text() != "announced" {
		t.Fatal(result, err)
	}
	select {
	case <-heard:
	case <-ctx.Done():
		t.Fatal("no notification came")
	}
}
