package mcp

/*
#include <mcp.h>
#include <stdlib.h>

// What one message says, read in one crossing from Go to C.
typedef struct {
	mcp_message_t *message;
	mcp_client_t *client;
	const char *method;
	const char *json;
	size_t length;
	uint64_t tag;
	uint64_t call_id;
	int32_t kind;
	int32_t status;
	int32_t topic;
} taken_t;

static int32_t next(mcp_client_t *client, mcp_queue_t *queue, mcp_message_t **message) {
	return queue != NULL ? mcp_queue_poll(queue, 0, message) : mcp_client_poll(client, 0, message);
}

// Takes up to `most` messages that are there, and never waits. Gives how the last look ended: MCP_OK when the batch is full.
static int32_t take(mcp_client_t *client, mcp_queue_t *queue, taken_t *batch, int32_t most, int32_t *count) {
	int32_t status = MCP_OK;
	*count = 0;
	while (*count < most) {
		taken_t *taken = &batch[*count];
		status = next(client, queue, &taken->message);
		if (status != MCP_OK) {
			return status;
		}
		taken->client = mcp_message_client(taken->message);
		taken->method = mcp_message_method(taken->message);
		taken->json = mcp_message_json(taken->message, &taken->length);
		taken->tag = mcp_message_tag(taken->message);
		taken->call_id = mcp_message_call_id(taken->message);
		taken->kind = mcp_message_kind(taken->message);
		taken->status = mcp_message_status(taken->message);
		taken->topic = mcp_message_topic(taken->message);
		*count += 1;
	}
	return status;
}

// Frees the messages of a batch, but not those that were kept (their place is NULL then).
static void release(taken_t *batch, int32_t count) {
	for (int32_t i = 0; i < count; i++) {
		mcp_message_free(batch[i].message);
	}
}
*/
import "C"

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"sync"
	"unsafe"
)

// How many messages are taken from a queue in one crossing.
const batchSize = 64

// Handles of the library. They are given back as they came; Go never looks behind them.
type (
	clientHandle  = *C.mcp_client_t
	queueHandle   = *C.mcp_queue_t
	messageHandle = *C.mcp_message_t
)

// taken is one message as Go sees it: everything is copied, and message is nil unless it was kept.
type taken struct {
	kind    Kind
	status  Status
	topic   Topic
	client  clientHandle
	tag     uint64
	method  string
	json    json.RawMessage
	message messageHandle
}

// Version is the version of the library that is loaded, such as "0.1.0".
func Version() string { return C.GoString(C.mcp_version()) }

// checkABI says whether the header that this package was compiled with and the library that is loaded belong together.
var checkABI = sync.OnceValue(func() error { return compareABI(uint32(C.MCP_ABI_VERSION), uint32(C.mcp_abi_version())) })

func compareABI(header, library uint32) error {
	if header == library {
		return nil
	}
	return &Error{
		Status:    StatusUnsupported,
		Operation: "load",
		Message: fmt.Sprintf("this program was compiled with mcp.h of ABI version %d, but the library that was loaded (%s) has %d; "+
			"build the program again, or put the right library first on the library path", header, Version(), library),
	}
}

func (s Status) name() string { return C.GoString(C.mcp_status_name(C.int32_t(s))) }
func (k Kind) name() string   { return C.GoString(C.mcp_kind_name(C.int32_t(k))) }
func (s State) name() string  { return C.GoString(C.mcp_client_state_name(C.int32_t(s))) }

// text is Go memory that C reads as a string during one call.
func text(ended []byte) *C.char {
	if ended == nil {
		return nil
	}
	return (*C.char)(unsafe.Pointer(unsafe.SliceData(ended)))
}

// ended gives a text for C, with its NUL behind it. A text with a NUL inside would be cut there, and is refused.
func ended[T string | []byte | json.RawMessage](what string, in T) ([]byte, error) {
	out := make([]byte, len(in)+1)
	copy(out, in)
	if at := bytes.IndexByte(out[:len(in)], 0); at >= 0 {
		return nil, invalid(what, fmt.Sprintf("there is a NUL at byte %d; write it as \\u0000 in JSON", at))
	}
	return out, nil
}

// encode gives parameters or a result as text for C: nil stays nil, a json.RawMessage is passed on, the rest is marshalled.
func encode(what string, value any) ([]byte, error) {
	switch value := value.(type) {
	case nil:
		return nil, nil
	case json.RawMessage:
		if value == nil {
			return nil, nil
		}
		return ended(what, value)
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return nil, &Error{Status: StatusInvalidArgument, Operation: what, Message: "cannot be written as JSON: " + err.Error(), cause: err}
	}
	return append(raw, 0), nil
}

// failure makes an error of a status and the error object that came with it, which it frees.
func failure(status C.mcp_status_t, operation string, object *C.char) error {
	if status == C.MCP_OK {
		return nil
	}
	defer C.mcp_string_free(object)
	if object == nil {
		return &Error{Status: Status(status), Operation: operation, Message: Status(status).name()}
	}
	return readError(Status(status), []byte(C.GoString(object)))
}

func newHandle(queue queueHandle, config []byte) (clientHandle, error) {
	defer cross()()
	var handle clientHandle
	var object *C.char
	status := C.mcp_client_new(text(config), queue, &handle, &object)
	return handle, failure(status, "new", object)
}

func newQueueHandle(config []byte) (queueHandle, error) {
	var handle queueHandle
	var object *C.char
	status := C.mcp_queue_new(text(config), &handle, &object)
	return handle, failure(status, "queue", object)
}

// LoadConfig reads one server of a file with "mcpServers" as configuration for [New]; "" takes the only one. "${VAR}" and
// "${VAR:-default}" in it are expanded from the environment.
func LoadConfig(path, server string) (json.RawMessage, error) {
	file, err := ended("config", path)
	if err != nil {
		return nil, err
	}
	var name []byte
	if server != "" {
		if name, err = ended("config", server); err != nil {
			return nil, err
		}
	}
	var config, object *C.char
	status := C.mcp_config_load(text(file), text(name), &config, &object)
	if err := failure(status, "config", object); err != nil {
		return nil, err
	}
	defer C.mcp_string_free(config)
	return json.RawMessage(C.GoString(config)), nil
}

func (c *core) startConnect(timeout int32, tag uint64) (uint64, error) {
	defer cross()()
	var number C.uint64_t
	var object *C.char
	status := C.mcp_client_connect_start(c.handle, C.int32_t(timeout), C.uint64_t(tag), &number, &object)
	return uint64(number), failure(status, "connect", object)
}

func (c *core) logout() error {
	var object *C.char
	return failure(C.mcp_client_logout(c.handle, -1, &object), "logout", object)
}

func (c *core) info() (json.RawMessage, error) {
	var info, object *C.char
	status := C.mcp_client_info(c.handle, &info, &object)
	if err := failure(status, "info", object); err != nil {
		return nil, err
	}
	defer C.mcp_string_free(info)
	return json.RawMessage(C.GoString(info)), nil
}

func (c *core) state() State { return State(C.mcp_client_state(c.handle)) }

func (c *core) closeHandle(timeout int32) Status {
	return Status(C.mcp_client_close(c.handle, C.int32_t(timeout)))
}

func (c *core) freeHandle() { C.mcp_client_free(c.handle) }

// crossings bounds how many goroutines are in C at a time to make clients, to start or end calls and to take messages. The library never waits there, but on a busy
// machine its lock may be taken, and Go would make a thread for every goroutine that stands in line.
var crossings = make(chan struct{}, 2*runtime.GOMAXPROCS(0))

func cross() func() {
	crossings <- struct{}{}
	return func() { <-crossings }
}

func (c *core) startCall(method, params, options []byte, tag uint64) (id uint64, err error) {
	defer cross()()
	var number C.uint64_t
	var object *C.char
	status := C.mcp_call_start(c.handle, text(method), text(params), text(options), C.uint64_t(tag), &number, &object)
	return uint64(number), failure(status, string(method[:len(method)-1]), object)
}

func (c *core) setRoots(roots []byte) error {
	var object *C.char
	status := C.mcp_client_set_roots(c.handle, text(roots), &object)
	return failure(status, "roots", object)
}

func (c *core) cancelCall(id uint64, reason []byte) {
	defer cross()()
	// MCP_EMPTY is as good: the call has its outcome already.
	C.mcp_call_cancel(c.handle, C.uint64_t(id), text(reason))
}

func (c *core) notify(method, params []byte) error {
	var object *C.char
	status := C.mcp_client_notify(c.handle, text(method), text(params), &object)
	return failure(status, string(method[:len(method)-1]), object)
}

func (c *core) authComplete(callback []byte) error {
	var object *C.char
	status := C.mcp_client_complete_login(c.handle, text(callback), &object)
	return failure(status, "auth_complete", object)
}

func (c *core) authGive(credential []byte, lasts int32) error {
	var object *C.char
	status := C.mcp_client_supply_credential(c.handle, text(credential), C.int32_t(lasts), &object)
	return failure(status, "auth_give", object)
}

func (c *core) authGiveUp(reason []byte) error {
	var object *C.char
	status := C.mcp_client_abort_login(c.handle, text(reason), &object)
	return failure(status, "auth_give_up", object)
}

func (c *core) authAnswer(message messageHandle, answer, why []byte) error {
	var object *C.char
	status := C.mcp_client_answer_auth(c.handle, message, text(answer), text(why), &object)
	return failure(status, "auth_answer", object)
}

func (c *core) respondToForm(request messageHandle, action string, content []byte) error {
	var object *C.char
	status := C.mcp_request_respond_elicitation(request, text([]byte(action+"\x00")), text(content), &object)
	return failure(status, "elicitation", object)
}

func (c *core) respond(request messageHandle, result []byte) error {
	var object *C.char
	status := C.mcp_request_respond(request, text(result), &object)
	return failure(status, "respond", object)
}

func (c *core) refuse(request messageHandle, code int32, why, data []byte) error {
	var object *C.char
	status := C.mcp_request_respond_error(request, C.int32_t(code), text(why), text(data), &object)
	return failure(status, "respond", object)
}

// descriptor is readable while messages wait. It stays the library's.
func descriptor(client clientHandle, queue queueHandle) (int, error) {
	var number C.int32_t
	if queue != nil {
		number = C.mcp_queue_fd(queue)
	} else {
		number = C.mcp_client_fd(client)
	}
	if number < 0 {
		return 0, failure(C.mcp_status_t(number), "new", nil)
	}
	return int(number), nil
}

func freeMessage(message messageHandle) { C.mcp_message_free(message) }

func wakeQueue(queue queueHandle) { C.mcp_queue_wake(queue) }

func freeQueue(queue queueHandle) Status { return Status(C.mcp_queue_free(queue)) }

// A batch is C memory that C fills; it belongs to the one goroutine that polls.
type batch struct{ places *C.taken_t }

func newBatch() batch {
	return batch{(*C.taken_t)(C.calloc(batchSize, C.sizeof_taken_t))}
}

func (b batch) free() { C.free(unsafe.Pointer(b.places)) }

// each takes the messages that wait, gives each to a function and frees those that it did not keep. It never waits. Returns how
// the last look ended: StatusEmpty when all was taken, StatusOK when there may be more.
func (b batch) each(client clientHandle, queue queueHandle, do func(*taken)) Status {
	var count C.int32_t
	leave := cross()
	status := C.take(client, queue, b.places, batchSize, &count)
	leave()
	places := unsafe.Slice(b.places, int(count))
	for i := range places {
		place := &places[i]
		message := taken{
			kind:    Kind(place.kind),
			status:  Status(place.status),
			topic:   Topic(place.topic),
			client:  place.client,
			tag:     uint64(place.tag),
			method:  C.GoString(place.method),
			message: place.message,
		}
		if place.json != nil {
			message.json = append(message.json, unsafe.Slice((*byte)(unsafe.Pointer(place.json)), int(place.length))...)
		}
		do(&message)
		if message.message == nil {
			place.message = nil
		}
	}
	if count > 0 {
		C.release(b.places, count)
	}
	return Status(status)
}
