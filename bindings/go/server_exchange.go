package mcp

/*
#include <mcp.h>
#include <stdlib.h>

// The exported function with the type that C has for it; `user` is a number that Go knows, never a pointer.
void mcp_go_ready(uintptr_t user);
void mcp_go_exchange_over(uintptr_t user);

static void ready(void *user) { mcp_go_ready((uintptr_t)user); }
static void over(void *user) { mcp_go_exchange_over((uintptr_t)user); }

static mcp_status_t begin(mcp_server_t *server, const char *method, const char *target, const char **headers, const char *peer,
		uintptr_t user, mcp_exchange_t **out, char **error) {
	return mcp_server_http_begin(server, method, target, headers, peer, ready, (void *)user, over, out, error);
}
*/
import "C"

import (
	"runtime/cgo"
	"sync"
	"unsafe"
)

// exchange is a request that Go's HTTP server has taken, and its answer.
type exchange struct {
	handle *C.mcp_exchange_t
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

//export mcp_go_ready
func mcp_go_ready(user C.uintptr_t) {
	if bell, ok := cgo.Handle(user).Value().(*bell); ok {
		bell.ring()
	}
}

//export mcp_go_exchange_over
func mcp_go_exchange_over(user C.uintptr_t) { cgo.Handle(user).Delete() }

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
	// C gets a list of pointers, so all of it is C memory: the texts, and the list.
	list := (**C.char)(C.calloc(C.size_t(len(headers)+1), C.size_t(unsafe.Sizeof(uintptr(0)))))
	places := unsafe.Slice(list, len(headers)+1)
	defer func() {
		for _, place := range places {
			C.free(unsafe.Pointer(place))
		}
		C.free(unsafe.Pointer(list))
	}()
	for i, header := range headers {
		places[i] = C.CString(header)
	}
	this := &exchange{bell: &bell{ready: make(chan struct{}, 1)}}
	var object *C.char
	user := cgo.NewHandle(this.bell)
	status := C.begin(s.handle, text(name), text(path), list, text(from), C.uintptr_t(user), &this.handle, &object)
	if err := failure(status, "http", object); err != nil {
		return nil, err // mcp_go_exchange_over was called.
	}
	return this, nil
}

// permit is how many bytes of the body may be read from the client; 0 when no more is wanted.
func (e *exchange) permit() (Status, int) {
	var most C.size_t
	status := C.mcp_exchange_permit(e.handle, 0, &most)
	return Status(status), int(most)
}

// write gives a part of the body.
func (e *exchange) write(part []byte, isLast bool) Status {
	data := (*C.char)(unsafe.Pointer(unsafe.SliceData(part)))
	return Status(C.mcp_exchange_write(e.handle, data, C.size_t(len(part)), C.bool(isLast)))
}

// head is the head of the answer, if it is there; length is -1 for a stream.
func (e *exchange) head() (status Status, code int, length int64) {
	var number C.int32_t
	var size C.int64_t
	status = Status(C.mcp_exchange_head(e.handle, 0, &number, &size))
	return status, int(number), int64(size)
}

// header is a header of the answer; an empty name is behind the last one.
func (e *exchange) header(index int) (name, value string) {
	var said *C.char
	return C.GoString(C.mcp_exchange_header(e.handle, C.size_t(index), &said)), C.GoString(said)
}

// read takes the next bytes of the body, if some are there; none with StatusOK is its end.
func (e *exchange) read(into []byte) (Status, int) {
	var length C.size_t
	status := C.mcp_exchange_read(e.handle, 0, (*C.char)(unsafe.Pointer(unsafe.SliceData(into))), C.size_t(len(into)), &length)
	return Status(status), int(length)
}

func (e *exchange) free() { C.mcp_exchange_free(e.handle) }
