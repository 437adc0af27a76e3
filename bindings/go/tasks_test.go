package mcp_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	mcp "github.com/libmcp/libmcp-go"
)

var tasks = mcp.With(mcp.TasksConfig{PollMin: 5 * time.Millisecond, Poll: 20 * time.Millisecond})

func TestACallBecomesATask(t *testing.T) {
	for _, era := range []string{"legacy", "modern"} {
		t.Run(era, func(t *testing.T) { callsAsTask(t, era) })
	}
}

func callsAsTask(t *testing.T, era string) {
	config := scripted(t, "--era", era)
	config.Tasks = tasks
	announced := make(chan mcp.Notification, 100)
	client := open(t, config, mcp.NotificationsTo(mcp.AnyMethod, announced))
	ctx := within(t)
	var states []string
	var task mcp.Task
	follow := mcp.OnTask(func(state mcp.Task) {
		task = state
		states = append(states, string(state.Status))
	})
	arguments := map[string]any{"topic": "bees", "ms": 100, "poll_ms": 10}
	result, err := client.CallTool(ctx, "research", arguments, mcp.AsTask(true), follow)
	if err != nil || result.Text() != "researched bees" {
		t.Fatalf("%+v, %v", result, err)
	}
	if !slices.Equal(states, []string{"working", "completed"}) || task.TaskID == "" {
		t.Fatalf("states: %v, task: %+v", states, task)
	}
	// Handlers of notifications hear of it too, among other things.
	for topic := mcp.TopicNone; topic != mcp.TopicTask; {
		select {
		case notification := <-announced:
			topic = notification.Topic
		case <-ctx.Done():
			t.Fatal("the state was not announced")
		}
	}
	now, err := client.GetTask(ctx, task.TaskID)
	if err != nil || now.Status != "completed" || now.TaskID != task.TaskID {
		t.Fatalf("%+v, %v", now, err)
	}
	again, err := client.TaskResult(ctx, task.TaskID)
	if err != nil || again.Text() != "researched bees" {
		t.Fatalf("%+v, %v", again, err)
	}
	known, err := mcp.All(client.Tasks(ctx))
	if era == "modern" && !errors.Is(err, mcp.StatusUnsupported) || era == "legacy" && (err != nil || len(known) != 1) {
		t.Fatalf("%+v, %v", known, err)
	}
	if _, err := client.GetTask(ctx, "unheard-of"); !errors.Is(err, mcp.StatusServer) {
		t.Fatal(err)
	}
}

func TestACancelledCallCancelsItsTask(t *testing.T) {
	for _, era := range []string{"legacy", "modern"} {
		config := scripted(t, "--era", era)
		config.Tasks = tasks
		client := open(t, config)
		calling, cancel := context.WithCancel(within(t))
		var ids []string
		begun := mcp.OnTask(func(state mcp.Task) {
			ids = append(ids, state.TaskID)
			cancel()
		})
		endless := map[string]any{"topic": "bees", "ms": 600000}
		_, err := client.CallTool(calling, "research", endless, begun)
		if !errors.Is(err, mcp.StatusCancelled) || len(ids) == 0 {
			t.Fatalf("%s: %v, %v", era, ids, err)
		}
		if state, err := client.GetTask(within(t), ids[0]); err != nil || state.Status != "cancelled" {
			t.Fatalf("%s: %+v, %v", era, state, err)
		}
	}
}

func TestATaskIsCancelledByItsName(t *testing.T) {
	config := scripted(t, "--era", "legacy")
	config.Tasks = tasks
	client := open(t, config)
	begun := make(chan string, 100)
	failed := make(chan error)
	go func() {
		follow := mcp.OnTask(func(state mcp.Task) { begun <- state.TaskID })
		_, err := client.CallTool(within(t), "research", map[string]any{"topic": "bees", "ms": 600000}, follow)
		failed <- err
	}()
	if err := client.CancelTask(within(t), <-begun); err != nil {
		t.Fatal(err)
	}
	if err := <-failed; !errors.Is(err, mcp.StatusCancelled) {
		t.Fatal(err)
	}
	if _, err := open(t, example(t)).GetTask(within(t), "x"); !errors.Is(err, mcp.StatusUnsupported) {
		t.Fatal("tasks are off unless the configuration has them:", err)
	}
}
