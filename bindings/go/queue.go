//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"errors"
	"sync"
)

// Queue is where the messages of many clients arrive. A client made with [New] has a queue of its own, with one goroutine and two
// descriptors; a program with hundreds of servers can make its clients on one Queue instead, and has these once for all.
type Queue struct {
	handle queueHandle
	poller *poller

	mu      sync.Mutex
	clients map[*core]struct{}
	closed  bool
}

// NewQueue makes a queue.
func NewQueue(config QueueConfig) (*Queue, error) {
	if err := checkABI(); err != nil {
		return nil, err
	}
	text, err := encode("queue", config)
	if err != nil {
		return nil, err
	}
	handle, err := newQueueHandle(text)
	if err != nil {
		return nil, err
	}
	poller, err := newPoller(handle, 0)
	if err != nil {
		freeQueue(handle)
		return nil, err
	}
	queue := &Queue{handle: handle, clients: make(map[*core]struct{}), poller: poller}
	go queue.poller.run()
	return queue, nil
}

// New makes a client on the queue; otherwise as the function [New].
func (q *Queue) New(config any, options ...Option) (*Client, error) {
	return newClient(q, config, options)
}

func (q *Queue) adopt(c *core, config []byte) (err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.poller == nil {
		return q.unmade("new")
	}
	if q.closed {
		return &Error{Status: StatusClosed, Operation: "new", Message: "new: the queue is closed"}
	}
	if c.handle, err = newHandle(q.handle, config); err != nil {
		return err
	}
	c.poller = q.poller
	c.listen()
	q.poller.enter(c)
	q.clients[c] = struct{}{}
	return nil
}

func (q *Queue) unmade(operation string) error {
	return unmade(operation, "Queue", "make one with mcp.NewQueue")
}

func (q *Queue) disown(c *core) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.clients, c)
}

// Close closes the clients that are left on the queue, side by side, and then the queue.
func (q *Queue) Close() error {
	if q.poller == nil {
		return q.unmade("close")
	}
	q.mu.Lock()
	if q.closed {
		q.mu.Unlock()
		<-q.poller.ended
		return nil
	}
	q.closed = true
	left := make([]*core, 0, len(q.clients))
	for c := range q.clients {
		left = append(left, c)
	}
	q.mu.Unlock()

	failures := make([]error, len(left))
	var all sync.WaitGroup
	for i, c := range left {
		all.Add(1)
		go func() {
			defer all.Done()
			failures[i] = c.close(-1)
		}()
	}
	all.Wait()
	if err := errors.Join(failures...); err != nil {
		return err // A client that is not gone yet still delivers here.
	}
	q.poller.stop()
	if status := freeQueue(q.handle); status != StatusOK {
		return &Error{Status: status, Operation: "close", Message: "close: the queue could not be freed: " + status.name()}
	}
	return nil
}
