//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"context"
	"iter"
	"time"
)

// AsTask says whether [Client.CallTool] is to be a task; without it, that is as the tool and the server want it
// (docs/guide/tasks.md).
func AsTask(wanted bool) CallOption {
	return func(s *callSettings) { s.feature.Task, s.features = &wanted, true }
}

// TaskTTL asks the server to keep the call's task for so long (2025-11-25).
func TaskTTL(time_ time.Duration) CallOption {
	return func(s *callSettings) { s.feature.TaskTTL, s.features = time_, true }
}

// OnTask gives a function each state of the task that the call has become. It is called on the goroutine that made the call,
// before the call returns. Handlers of notifications get the states too.
func OnTask(report func(Task)) CallOption {
	return func(s *callSettings) { s.onTask = report }
}

// Tasks gives the server's tasks (2025-11-25 only).
func (c *Client) Tasks(ctx context.Context, options ...CallOption) iter.Seq2[Task, error] {
	return list[Task](ctx, c, tasksList, "tasks", options)
}

// GetTask gives a task as it is now.
func (c *Client) GetTask(ctx context.Context, id string, options ...CallOption) (*Task, error) {
	return pointer[Task](ctx, c, tasksGet, options, id)
}

// TaskResult waits for what a task comes to: what [Client.CallTool] would have given. Giving this up leaves the task alone;
// [Client.CancelTask] ends it.
func (c *Client) TaskResult(ctx context.Context, id string, options ...CallOption) (*CallToolResult, error) {
	return pointer[CallToolResult](ctx, c, tasksResult, options, id)
}

// CancelTask tells the server that a task is no longer wanted. A call of this client is better cancelled by its context.
func (c *Client) CancelTask(ctx context.Context, id string, options ...CallOption) error {
	_, err := c.use(ctx, tasksCancel, options, id)
	return err
}
