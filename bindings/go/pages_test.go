package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	mcp "github.com/libmcp/libmcp-go"
)

func TestPagesAndCursorsAreReachable(t *testing.T) {
	server := offer(t, mcp.ServerConfig{PageSize: 3})
	for i := range 8 {
		must(t, mcp.AddTool(server, &mcp.Tool{Name: fmt.Sprint("tool", i)}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "", nil }))
	}
	for _, era := range eras {
		client := reach(t, server, era)
		var sizes []int
		for page, err := range mcp.Pages(within(t), client.ToolsPage) {
			must(t, err)
			sizes = append(sizes, len(page.Items))
		}
		if fmt.Sprint(sizes) != "[3 3 2]" {
			t.Errorf("%s: pages of %v", era, sizes)
		}
		first, err := client.ToolsPage(within(t), "")
		must(t, err)
		second, err := client.ToolsPage(within(t), first.NextCursor)
		must(t, err)
		if second.Items[0].Name != "tool3" {
			t.Errorf("%s: the second page begins with %s", era, second.Items[0].Name)
		}
		if all, err := mcp.All(client.Tools(within(t))); err != nil || len(all) != 8 {
			t.Errorf("%s: %d tools, %v", era, len(all), err)
		}
		if _, err := client.ToolsPage(within(t), "guessed"); !errors.Is(err, mcp.StatusServer) {
			t.Errorf("%s: a wrong cursor: %v", era, err)
		}
	}
}

func TestACapabilityAndItsHandlerBelongTogether(t *testing.T) {
	handle := func(context.Context, *mcp.ServerRequest) (any, error) { return nil, nil }
	for name, wrong := range map[string]struct {
		config any
		option mcp.Option
		says   string
	}{
		"no handler":     {mcp.Config{Command: "x", Capabilities: able("sampling")}, nil, "OnSampling"},
		"no capability":  {mcp.Config{Command: "x"}, mcp.OnRequest("elicitation/create", handle), "OnElicitation"},
		"roots, and two": {mcp.Config{Command: "x", Roots: []mcp.Root{{URI: "file:///a"}}}, mcp.OnRoots(func(context.Context) ([]mcp.Root, error) { return nil, nil }), "one of the two"},
	} {
		t.Run(name, func(t *testing.T) {
			var options []mcp.Option
			if wrong.option != nil {
				options = append(options, wrong.option)
			}
			if _, err := mcp.New(wrong.config, options...); !errors.Is(err, mcp.StatusInvalidArgument) || !strings.Contains(err.Error(), wrong.says) {
				t.Error(err)
			}
		})
	}
	for name, right := range map[string]struct {
		config mcp.Config
		option mcp.Option
	}{
		"any method":  {mcp.Config{Command: "x", Capabilities: able("sampling", "elicitation")}, mcp.OnRequest(mcp.AnyMethod, handle)},
		"fixed roots": {mcp.Config{Command: "x", Roots: []mcp.Root{{URI: "file:///a"}}}, mcp.OnLost(func(int64) {})},
	} {
		client, err := mcp.New(right.config, right.option)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		must(t, client.Close())
	}
}

func TestAFileOfServersIsOpened(t *testing.T) {
	if exampleServer == "" {
		t.Skip("MCP_EXAMPLE_SERVER names no server; run `cargo xtask test --only go`")
	}
	path := filepath.Join(t.TempDir(), "mcp.json")
	must(t, os.WriteFile(path, fmt.Appendf(nil, `{"mcpServers": {"one": {"command": %q}, "off": {"command": "x", "disabled": true},
		"wrong": {"comand": "x"}, "two": {"command": %q}}}`, exampleServer, exampleServer), 0o600))
	opened, err := mcp.OpenConfig(path, mcp.Config{Client: &mcp.ClientInfo{Name: "test", Version: "1"}})
	must(t, err)
	var names []string
	for _, one := range opened {
		names = append(names, one.Name)
		if one.Name == "wrong" {
			if one.Client != nil || !errors.Is(one.Err, mcp.StatusInvalidArgument) {
				t.Errorf("wrong: %v", one.Err)
			}
			continue
		}
		must(t, one.Err)
		must(t, one.Client.Ping(within(t)))
		must(t, one.Client.Close())
	}
	if fmt.Sprint(names) != "[one wrong two]" {
		t.Error(names)
	}
	if _, err := mcp.OpenConfig(path+".missing", nil); !errors.Is(err, mcp.StatusInvalidArgument) {
		t.Error(err)
	}
}

func TestAPanicOfAFunctionIsToldAndEndsNothing(t *testing.T) {
	server := offer(t, mcp.ServerConfig{Announce: &mcp.ServerAnnounceConfig{Logging: true}})
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "ask"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
		if err := r.Log("error", "", "look"); err != nil {
			return "", err
		}
		_, err := r.Roots("roots")
		if err != nil && !errors.Is(err, mcp.ErrAsked) {
			return "refused: " + err.Error(), nil
		}
		return "", err
	}))
	failures := make(chan mcp.HandlerFailure, 10)
	client := reach(t, server, "legacy",
		mcp.OnFailure(func(failure mcp.HandlerFailure) { failures <- failure }),
		mcp.OnNotification("notifications/message", func(mcp.Notification) { panic("hunter2") }),
		mcp.OnRoots(func(context.Context) ([]mcp.Root, error) { panic("hunter2") }))
	if said := callText(t, client, "ask", nil); !strings.HasPrefix(said, "refused: ") || strings.Contains(said, "hunter2") {
		t.Error(said)
	}
	seen := map[string]bool{}
	for range 3 {
		var panicked *mcp.PanicError
		failure := receive(t, failures)
		if seen[failure.Method] = true; !errors.As(failure.Err, &panicked) || panicked.Value != "hunter2" {
			t.Errorf("%+v", failure)
		}
	}
	if !seen["roots/list"] || !seen["notifications/message"] {
		t.Error(seen)
	}
	must(t, client.Ping(within(t)))
}

func TestALogoutNeedsALogin(t *testing.T) {
	client, err := mcp.New(mcp.Config{Command: "x"})
	must(t, err)
	defer client.Close()
	if err := client.Logout(within(t)); !errors.Is(err, mcp.StatusUnsupported) {
		t.Error(err)
	}
}
