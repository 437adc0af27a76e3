//go:build !cgo && linux && (amd64 || arm64)

package mcp

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"sync"
	"syscall"
	"unsafe"

	"github.com/ebitengine/purego"
)

// The library is a file that is opened when it is first needed, or what the program has in itself.
var library struct {
	sync.Mutex
	embedded []byte
	path     string
	isOpen   bool
}

// UseLibrary names the file of the library for programs that are built without cgo; "" is the usual search: the variable
// MCP_LIBRARY, and else libmcp.so.0 as the system finds it. Before the first client or server that is made: where no library could be
// loaded, name another one and make it again.
func UseLibrary(path string) error { return useLibrary(path, nil) }

// EmbedLibrary gives the library itself, as the program has it from go:embed, for programs that are built without cgo. It is
// opened from memory, and no file is written. Before the first client or server.
func EmbedLibrary(library []byte) error { return useLibrary("", library) }

func useLibrary(path string, embedded []byte) error {
	library.Lock()
	defer library.Unlock()
	if library.isOpen {
		return invalid("load", "the library is loaded already; name it before the first client or server")
	}
	library.path, library.embedded = path, embedded
	return nil
}

func loadLibrary() error {
	library.Lock()
	defer library.Unlock()
	if library.isOpen {
		return nil
	}
	path := library.path
	if library.embedded != nil {
		file, err := inMemory(library.embedded)
		if err != nil {
			return notLoaded("the embedded library cannot be put into memory", err)
		}
		defer file.Close()
		path = fmt.Sprintf("/proc/self/fd/%d", file.Fd())
	}
	if path == "" {
		path = os.Getenv("MCP_LIBRARY")
	}
	if path == "" {
		path = "libmcp.so.0"
	}
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return notLoaded("a program without cgo opens the library when it runs: install it, name its file in MCP_LIBRARY or with UseLibrary, "+
			"or give it to EmbedLibrary", err)
	}
	for i, symbol := range symbols {
		if addresses[i], err = purego.Dlsym(handle, symbol); err != nil {
			_ = purego.Dlclose(handle) // One that fails stays loaded, and does no harm.
			return notLoaded(path+" is no libmcp of this version", err)
		}
	}
	library.isOpen = true
	return nil
}

func notLoaded(why string, err error) error {
	return &Error{Status: StatusUnsupported, Operation: "load", Message: fmt.Sprintf("load: %v; %s", err, why), cause: err}
}

func number(is bool) uintptr {
	if is {
		return 1
	}
	return 0
}

// Registers of C's own are for numbers with fractions, which SyscallN has not.
func callWithDoubles(address uintptr, request messageHandle, progress, total float64, message *byte) int32 {
	var call func(uintptr, float64, float64, *byte) int32
	purego.RegisterFunc(&call, address)
	return call(uintptr(request), progress, total, message)
}

// Functions of Go that C calls, each made when it is first needed: purego never gives their places back.
var (
	addressOfLog = sync.OnceValue(func() uintptr {
		return purego.NewCallback(func(user uintptr, level int32, record cText) { logRecord(user, level, record) })
	})
	addressOfTold = sync.OnceValue(func() uintptr {
		return purego.NewCallback(func(user uintptr, told cText) { spanTold(user, told) })
	})
	addressOfForget = sync.OnceValue(func() uintptr { return purego.NewCallback(func(user uintptr) { forget(user) }) })
	addressOfReady  = sync.OnceValue(func() uintptr { return purego.NewCallback(func(user uintptr) { ready(user) }) })
	addressOfOpened = sync.OnceValue(func() uintptr {
		return purego.NewCallback(func(user uintptr, name cText, client clientHandle, status int32, object cText) {
			opened(user, name, client, status, object)
		})
	})
	addressOfRequest = sync.OnceValue(func() uintptr {
		return purego.NewCallback(func(entry uintptr, message messageHandle) { filling.put(message, uint64(entry)) })
	})
)

type batch struct{}

func newBatch() batch { return batch{} }

func (batch) free() {}

// each is that of native_cgo.go, with a call of C for each member.
func (batch) each(client clientHandle, queue queueHandle, do func(*taken)) Status {
	for range batchSize {
		var handle messageHandle
		leave := cross()
		var status int32
		if queue != 0 {
			status = mcp_queue_poll(queue, 0, &handle)
		} else {
			status = mcp_client_poll(client, 0, &handle)
		}
		leave()
		if status != int32(StatusOK) {
			return Status(status)
		}
		message := taken{
			kind: Kind(mcp_message_kind(handle)), status: Status(mcp_message_status(handle)), topic: Topic(mcp_message_topic(handle)),
			client: mcp_message_client(handle), tag: mcp_message_tag(handle), method: goString(mcp_message_method(handle)),
			json: jsonOf(handle), message: handle,
		}
		do(&message)
		if message.message != 0 {
			mcp_message_free(handle)
		}
	}
	return StatusOK
}

func jsonOf(message messageHandle) json.RawMessage {
	var length uintptr
	text := mcp_message_json(message, &length)
	return copied(text, length)
}

// filling is the batch of the goroutine that polls a server. The library runs handlers inside mcp_server_poll() only, which never
// waits here, so that one goroutine at a time may be there.
var filling struct {
	sync.Mutex
	servedList
}

type servedList struct{ all []served }

func (l *servedList) put(message messageHandle, entry uint64) {
	one := served{
		kind: Kind(mcp_message_kind(message)), status: Status(mcp_message_status(message)), topic: Topic(mcp_message_topic(message)),
		entry: entry, callID: mcp_message_call_id(message), tag: mcp_message_tag(message), method: goString(mcp_message_method(message)),
		json: jsonOf(message), message: message,
	}
	one.arguments = memberOf(one.json, "arguments")
	l.all = append(l.all, one)
}

type servedBatch struct{}

func newServedBatch() servedBatch { return servedBatch{} }

func (servedBatch) free() {}

// each is that of native_cgo.go.
func (servedBatch) each(server serverHandle, do func(*served)) Status {
	all, status := takeServed(server)
	for i := range all {
		do(&all[i])
	}
	return status
}

func takeServed(server serverHandle) ([]served, Status) {
	defer cross()()
	filling.Lock()
	defer filling.Unlock()
	filling.all = nil
	status := int32(StatusOK)
	for status == int32(StatusOK) && len(filling.all) < batchSize {
		var message messageHandle
		status = mcp_server_poll(server, 0, &message)
		if message != 0 {
			filling.put(message, 0)
		}
	}
	return filling.all, Status(status)
}

// inMemory is a file that has no name.
func inMemory(data []byte) (*os.File, error) {
	descriptor, err := memoryFile("libmcp.so")
	if err != nil {
		return nil, err
	}
	file := os.NewFile(descriptor, "libmcp.so")
	if _, err := file.Write(data); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// memoryFile is memfd_create(2), which the package syscall does not have.
func memoryFile(name string) (uintptr, error) {
	const closeOnExec = 1
	call := map[string]uintptr{"amd64": 319, "arm64": 279}[runtime.GOARCH]
	text := append([]byte(name), 0)
	descriptor, _, errno := syscall.Syscall(call, uintptr(unsafe.Pointer(unsafe.SliceData(text))), closeOnExec, 0)
	if errno != 0 {
		return 0, errno
	}
	return descriptor, nil
}
