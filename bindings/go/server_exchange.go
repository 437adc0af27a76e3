package mcp

/*
#include <mcp.h>
#include <stdlib.h>

// The exported function with the type that C has for it; `user` is a number that Go knows, never a pointer.
void mcp_go_ready(uintptr_t user);
void mcp_go_exchange_over(uintptr_t user);

static void ready(void *user) { mcp_go_ready((uintptr_t)user); }
static void over(void *user) { mcp_go_exchange_over((uintptr_t)user); }

static mcp_status_t begin(mcp_server_t *server, const char *method, const char *target, const char **headers, const char *body,
		size_t length, uintptr_t user, mcp_exchange_t **out, char **error) {
	return mcp_server_http(server, method, target, headers, body, length, ready, (void *)user, over, out, error);
}
*/
import "C"

import (
	"runtime/cgo"
	"unsafe"
)

// exchange is a request that Go's HTTP server has taken, and its answer.
type exchange struct {
	handle *C.mcp_exchange_t
	ready  chan struct{} // receives one when the exchange should be looked at again
}

//export mcp_go_ready
func mcp_go_ready(user C.uintptr_t) {
	if ready, ok := cgo.Handle(user).Value().(chan struct{}); ok {
		select {
		case ready <- struct{}{}:
		default:
		}
	}
}

//export mcp_go_exchange_over
func mcp_go_exchange_over(user C.uintptr_t) { cgo.Handle(user).Delete() }

// exchange gives a request to the library. headers are names and values in turn.
func (s *serverCore) exchange(method, target string, headers []string, body []byte) (*exchange, error) {
	name, err := ended("http", method)
	if err != nil {
		return nil, err
	}
	path, err := ended("http", target)
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
	this := &exchange{ready: make(chan struct{}, 1)}
	var object *C.char
	user := cgo.NewHandle(this.ready)
	data := (*C.char)(unsafe.Pointer(unsafe.SliceData(body)))
	status := C.begin(s.handle, text(name), text(path), list, data, C.size_t(len(body)), C.uintptr_t(user), &this.handle, &object)
	if err := failure(status, "http", object); err != nil {
		return nil, err // mcp_go_exchange_over was called.
	}
	return this, nil
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
