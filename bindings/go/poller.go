//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"errors"
	"os"
	"sync"
	"syscall"
	"time"
)

// poller is the one goroutine that waits for a queue. It never runs code of the application, so nothing that the
// application does can keep an answer from its call.
//
// It waits for the queue's descriptor in Go's network poller. A wait inside C would cost a thread for each queue, and hold a
// processor of Go's until the runtime takes it back, which with GOMAXPROCS=1 is the only one.
type poller struct {
	queue  queueHandle  // a shared queue, or
	client clientHandle // the client whose own queue it is
	file   *os.File     // a duplicate of the queue's descriptor, which the network poller knows
	raw    syscall.RawConn

	mu      sync.Mutex
	lastTag uint64
	calls   map[uint64]*call
	cores   map[clientHandle]*core
	woken   chan struct{} // closed when the next wake has gone through the queue
	stops   bool

	ended chan struct{}
}

func newPoller(queue queueHandle, client clientHandle) (*poller, error) {
	number, err := descriptor(client, queue)
	if err != nil {
		return nil, err
	}
	file, raw, err := watch(number)
	if err != nil {
		return nil, err
	}
	return &poller{
		queue:  queue,
		client: client,
		file:   file,
		raw:    raw,
		calls:  make(map[uint64]*call),
		cores:  make(map[clientHandle]*core),
		woken:  make(chan struct{}),
		ended:  make(chan struct{}),
	}, nil
}

// watch gives a descriptor of the library to Go's network poller.
func watch(number int) (*os.File, syscall.RawConn, error) {
	// The library closes its own when the queue is freed, and an os.File closes what it was given: each needs one.
	duplicate, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(number), syscall.F_DUPFD_CLOEXEC, 0)
	if errno != 0 {
		return nil, nil, watchFailed(errno)
	}
	file := os.NewFile(duplicate, "mcp queue")
	// Only what the network poller took may have a deadline.
	if err := file.SetReadDeadline(time.Time{}); err != nil {
		return nil, nil, errors.Join(watchFailed(err), file.Close())
	}
	raw, err := file.SyscallConn()
	if err != nil {
		return nil, nil, errors.Join(watchFailed(err), file.Close())
	}
	return file, raw, nil
}

func watchFailed(cause error) error {
	message := "new: the queue's descriptor cannot be watched: " + cause.Error() + "; raise the limit of open files if it is reached"
	return &Error{Status: StatusInternal, Operation: "new", Message: message, cause: cause}
}

func (p *poller) run() {
	defer close(p.ended)
	defer p.file.Close()
	batch := newBatch()
	defer batch.free()
	// The network poller tells of edges only, so each look takes all that is there before the next wait.
	if err := p.raw.Read(func(uintptr) (ended bool) { return p.takeAll(batch) }); err != nil {
		p.abort(StatusInternal)
	}
}

// takeAll dispatches what waits. It says whether nothing more will come.
func (p *poller) takeAll(batch batch) (ended bool) {
	for {
		switch status := batch.each(p.client, p.queue, p.dispatch); status {
		case StatusOK:
		case StatusEmpty:
			return false
		case StatusWoken:
			if p.wasWoken() {
				return true
			}
		case StatusClosed:
			return true
		default:
			p.abort(status)
			return true
		}
	}
}

// add gives a call the tag by which its messages come back.
func (p *poller) add(c *call) uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lastTag++
	p.calls[p.lastTag] = c
	return p.lastTag
}

func (p *poller) find(tag uint64) *call {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls[tag]
}

// remove takes a call out of the table; nil if it is not there any more.
func (p *poller) remove(tag uint64) *call {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.calls[tag]
	delete(p.calls, tag)
	return c
}

func (p *poller) enter(c *core) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cores[c.handle] = c
}

func (p *poller) leave(c *core) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.cores, c.handle)
}

func (p *poller) core(handle clientHandle) *core {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cores[handle]
}

func (p *poller) all() []*core {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := make([]*core, 0, len(p.cores))
	for _, c := range p.cores {
		all = append(all, c)
	}
	return all
}

func (p *poller) dispatch(t *taken) {
	switch t.kind {
	case KindReply:
		if c := p.remove(t.tag); c != nil {
			c.end(t.status, t.json)
		}
	case KindProgress:
		if c := p.find(t.tag); c != nil {
			c.report(t.kind, t.json)
		}
	case KindRequest:
		if c := p.core(t.client); c != nil {
			c.request(t)
		}
	case KindAuth:
		if c := p.core(t.client); c != nil {
			c.authorize(t)
		}
	case KindLost:
		for _, c := range p.all() {
			c.announce(t)
		}
	default:
		// The state of a task has the tag of its call.
		if t.kind == KindNotification && t.tag != 0 {
			if c := p.find(t.tag); c != nil {
				c.report(t.kind, t.json)
			}
		}
		if c := p.core(t.client); c != nil {
			c.announce(t)
		}
	}
}

// flushed is closed when everything that was on the queue has been dispatched. For shared queues.
func (p *poller) flushed() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	wakeQueue(p.queue)
	return p.woken
}

func (p *poller) wasWoken() (stops bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.woken)
	p.woken = make(chan struct{})
	return p.stops
}

// stop ends the poller of a shared queue and waits until it has ended.
func (p *poller) stop() {
	p.mu.Lock()
	p.stops = true
	wakeQueue(p.queue)
	p.mu.Unlock()
	<-p.ended
}

// abort ends every call when the queue itself has failed, so that no goroutine waits for ever.
func (p *poller) abort(status Status) {
	p.mu.Lock()
	calls := p.calls
	p.calls = make(map[uint64]*call)
	p.mu.Unlock()
	for _, c := range calls {
		c.end(status, nil)
	}
}
