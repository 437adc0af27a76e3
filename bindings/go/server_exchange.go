//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"runtime"
	"sync"
	"unsafe"
)

// exchange is a request that Go's HTTP server has taken, and its answer.
type exchange struct {
	handle exchangeHandle
	*bell
}

// bell is what the library rings when an exchange should be looked at again.
type bell struct {
	mu        sync.Mutex
	ready     chan struct{} // receives one then
	interrupt func()        // what ends the read from the client that is under way, if one is
}

// interruptible says what ends the read that begins now, without waiting for it; nil behind its end.
func (b *bell) interruptible(interrupt func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.interrupt = interrupt
}

func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case b.ready <- struct{}{}:
	default:
	}
	if b.interrupt != nil {
		b.interrupt()
	}
}

// ready is told by the library, on any thread.
func ready(user uintptr) {
	if bell, ok := valueOf(user).(*bell); ok {
		bell.ring()
	}
}

// exchange has the library judge the head of a request. headers are names and values in turn.
func (s *serverCore) exchange(method, target string, headers []string, peer string) (*exchange, error) {
	name, err := ended("http", method)
	if err != nil {
		return nil, err
	}
	path, err := ended("http", target)
	if err != nil {
		return nil, err
	}
	from, err := ended("http", peer)
	if err != nil {
		return nil, err
	}
	// C gets a list of pointers to texts, none of which may move meanwhile.
	var pinned runtime.Pinner
	defer pinned.Unpin()
	list := make([]uintptr, len(headers)+1)
	for i, header := range headers {
		place := unsafe.SliceData(append([]byte(header), 0))
		pinned.Pin(place)
		list[i] = uintptr(unsafe.Pointer(place))
	}
	this := &exchange{bell: &bell{ready: make(chan struct{}, 1)}}
	// Not a member of what has pointers of Go, which cgo would look at.
	var handle exchangeHandle
	var object cText
	user := numberOf(this.bell)
	status := mcp_server_http_begin(s.handle, text(name), text(path), (*cText)(unsafe.Pointer(unsafe.SliceData(list))), text(from),
		addressOfReady(), user, addressOfForget(), &handle, &object)
	if err := failure(status, "http", object); err != nil {
		return nil, err // It has forgotten the number.
	}
	this.handle = handle
	return this, nil
}

// permit is how many bytes of the body may be read from the client; 0 when no more is wanted.
func (e *exchange) permit() (Status, int) {
	var most uintptr
	status := mcp_exchange_permit(e.handle, 0, &most)
	return Status(status), int(most)
}

// write gives a part of the body.
func (e *exchange) write(part []byte, isLast bool) Status {
	return Status(mcp_exchange_write(e.handle, unsafe.SliceData(part), uintptr(len(part)), isLast))
}

// head is the head of the answer, if it is there; length is -1 for a stream.
func (e *exchange) head() (status Status, code int, length int64) {
	var number int32
	var size int64
	status = Status(mcp_exchange_head(e.handle, 0, &number, &size))
	return status, int(number), int64(size)
}

// header is a header of the answer; an empty name is behind the last one.
func (e *exchange) header(index int) (name, value string) {
	var said cText
	return goString(mcp_exchange_header(e.handle, uintptr(index), &said)), goString(said)
}

// read takes the next bytes of the body, if some are there; none with StatusOK is its end.
func (e *exchange) read(into []byte) (Status, int) {
	var length uintptr
	status := mcp_exchange_read(e.handle, 0, unsafe.SliceData(into), uintptr(len(into)), &length)
	return Status(status), int(length)
}

func (e *exchange) free() { mcp_exchange_free(e.handle) }
