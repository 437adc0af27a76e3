//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// How many messages are taken from a queue in one crossing.
const batchSize = 64

// Handles of the library. They are given back as they came; Go never looks behind them.
type (
	appHandle      uintptr
	clientHandle   uintptr
	exchangeHandle uintptr
	messageHandle  uintptr
	queueHandle    uintptr
	serverHandle   uintptr
)

// cText is a text of C, which is NULL or ends with a NUL.
type cText uintptr

// goString is a copy of it; "" for NULL.
func goString(text cText) string { return string(bytesOf(text, lengthOf(text))) }

// at is a place in C memory. The conversion by way of its address tells the compiler that it is not memory of Go.
func (t cText) at() unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&t)) }

// bytesOf is C memory for reading, and not kept: nil for NULL.
func bytesOf(text cText, length uintptr) []byte {
	if text == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(text.at()), int(length))
}

func lengthOf(text cText) (length uintptr) {
	if text == 0 {
		return 0
	}
	for at := (*byte)(text.at()); *at != 0; at = (*byte)(unsafe.Add(unsafe.Pointer(at), 1)) {
		length++
	}
	return length
}

// values are those of Go that C knows by a number, until it says that it forgets it.
var values struct {
	sync.Map
	last atomic.Uintptr
}

func numberOf(value any) uintptr {
	number := values.last.Add(1)
	values.Store(number, value)
	return number
}

func valueOf(number uintptr) any {
	value, _ := values.Load(number)
	return value
}

func forget(number uintptr) { values.Delete(number) }

// taken is one message as Go sees it: everything is copied, and message is 0 unless it was kept.
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

// Version is the version of the library that is loaded, such as "0.1.0"; "" before one is loaded.
func Version() string {
	if loadLibrary() != nil {
		return ""
	}
	return goString(mcp_version())
}

var isChecked atomic.Bool

// checkABI says whether the header that this package was compiled with and the library that is loaded belong together. A failure is
// not kept: the program may name another library then.
func checkABI() error {
	if isChecked.Load() {
		return nil
	}
	if err := loadLibrary(); err != nil {
		return err
	}
	if err := compareABI(headerABI, mcp_abi_version()); err != nil {
		return err
	}
	isChecked.Store(true)
	return nil
}

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

func (s Status) name() string { return named(mcp_status_name, int32(s)) }
func (k Kind) name() string   { return named(mcp_kind_name, int32(k)) }
func (s State) name() string  { return named(mcp_client_state_name, int32(s)) }

// named is the library's name of a number, or the number where no library is loaded.
func named(name func(int32) cText, number int32) string {
	if loadLibrary() != nil {
		return fmt.Sprint(number)
	}
	return goString(name(number))
}

// text is Go memory that C reads as a string during one call.
func text(ended []byte) *byte {
	if ended == nil {
		return nil
	}
	return unsafe.SliceData(ended)
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
func failure(status int32, operation string, object cText) error {
	if status == int32(StatusOK) {
		return nil
	}
	defer mcp_string_free(object)
	if object == 0 {
		return &Error{Status: Status(status), Operation: operation, Message: Status(status).name()}
	}
	return readError(Status(status), []byte(goString(object)))
}

func newHandle(queue queueHandle, config []byte) (clientHandle, error) {
	defer cross()()
	var handle clientHandle
	var object cText
	status := mcp_client_new(text(config), queue, &handle, &object)
	return handle, failure(status, "new", object)
}

func newQueueHandle(config []byte) (queueHandle, error) {
	var handle queueHandle
	var object cText
	status := mcp_queue_new(text(config), &handle, &object)
	return handle, failure(status, "queue", object)
}

// LoadConfig reads one server of a file with "mcpServers" as configuration for [New]; "" takes the only one. "${VAR}" and
// "${VAR:-default}" in it are expanded from the environment.
func LoadConfig(path, server string) (json.RawMessage, error) {
	if err := checkABI(); err != nil {
		return nil, err
	}
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
	var config, object cText
	status := mcp_config_load(text(file), text(name), &config, &object)
	if err := failure(status, "config", object); err != nil {
		return nil, err
	}
	defer mcp_string_free(config)
	return json.RawMessage(goString(config)), nil
}

func (c *core) startConnect(timeout int32, tag uint64) (uint64, error) {
	defer cross()()
	var number uint64
	var object cText
	status := mcp_client_connect_start(c.handle, int32(timeout), uint64(tag), &number, &object)
	return uint64(number), failure(status, "connect", object)
}

func (c *core) logout() error {
	var object cText
	return failure(mcp_client_logout(c.handle, -1, &object), "logout", object)
}

func (c *core) info() (json.RawMessage, error) {
	var info, object cText
	status := mcp_client_info(c.handle, &info, &object)
	if err := failure(status, "info", object); err != nil {
		return nil, err
	}
	defer mcp_string_free(info)
	return json.RawMessage(goString(info)), nil
}

func (c *core) state() State { return State(mcp_client_state(c.handle)) }

func (c *core) closeHandle(timeout int32) Status {
	return Status(mcp_client_close(c.handle, int32(timeout)))
}

func (c *core) freeHandle() { mcp_client_free(c.handle) }

// crossings bounds how many goroutines are in C at a time to make clients, to start or end calls and to take messages. The library never waits there, but on a busy
// machine its lock may be taken, and Go would make a thread for every goroutine that stands in line.
var crossings = make(chan struct{}, 2*runtime.GOMAXPROCS(0))

func cross() func() {
	crossings <- struct{}{}
	return func() { <-crossings }
}

func (c *core) startCall(method, params, options []byte, tag uint64) (id uint64, err error) {
	defer cross()()
	var number uint64
	var object cText
	status := mcp_call_start(c.handle, text(method), text(params), text(options), uint64(tag), &number, &object)
	return uint64(number), failure(status, string(method[:len(method)-1]), object)
}

func (c *core) setRoots(roots []byte) error {
	var object cText
	status := mcp_client_set_roots(c.handle, text(roots), &object)
	return failure(status, "roots", object)
}

func (c *core) cancelCall(id uint64, reason []byte) {
	defer cross()()
	// MCP_EMPTY is as good: the call has its outcome already.
	mcp_call_cancel(c.handle, uint64(id), text(reason))
}

func (c *core) notify(method, params []byte) error {
	var object cText
	status := mcp_client_notify(c.handle, text(method), text(params), &object)
	return failure(status, string(method[:len(method)-1]), object)
}

func (c *core) authComplete(callback []byte) error {
	var object cText
	status := mcp_client_complete_login(c.handle, text(callback), &object)
	return failure(status, "auth_complete", object)
}

func (c *core) authGive(credential []byte, lasts int32) error {
	var object cText
	status := mcp_client_supply_credential(c.handle, text(credential), int32(lasts), &object)
	return failure(status, "auth_give", object)
}

func (c *core) authGiveUp(reason []byte) error {
	var object cText
	status := mcp_client_abort_login(c.handle, text(reason), &object)
	return failure(status, "auth_give_up", object)
}

func (c *core) authAnswer(message messageHandle, answer, why []byte) error {
	var object cText
	status := mcp_client_answer_auth(c.handle, message, text(answer), text(why), &object)
	return failure(status, "auth_answer", object)
}

func (c *core) respondToForm(request messageHandle, action string, content []byte) error {
	var object cText
	status := mcp_request_respond_elicitation(request, text([]byte(action+"\x00")), text(content), &object)
	return failure(status, "elicitation", object)
}

func (c *core) respond(request messageHandle, result []byte) error {
	var object cText
	status := mcp_request_respond(request, text(result), &object)
	return failure(status, "respond", object)
}

func (c *core) refuse(request messageHandle, code int32, why, data []byte) error {
	var object cText
	status := mcp_request_respond_error(request, int32(code), text(why), text(data), &object)
	return failure(status, "respond", object)
}

// descriptor is readable while messages wait. It stays the library's.
func descriptor(client clientHandle, queue queueHandle) (int, error) {
	var number int32
	if queue != 0 {
		number = mcp_queue_fd(queue)
	} else {
		number = mcp_client_fd(client)
	}
	if number < 0 {
		return 0, failure(number, "new", 0)
	}
	return int(number), nil
}

func freeMessage(message messageHandle) { mcp_message_free(message) }

func wakeQueue(queue queueHandle) { mcp_queue_wake(queue) }

func freeQueue(queue queueHandle) Status { return Status(mcp_queue_free(queue)) }
