package mcp

/*
#include <mcp.h>
#include <stdlib.h>

// What one message of a server says, read in one crossing from Go to C.
typedef struct {
	mcp_message_t *message;
	const char *method;
	const char *json;
	size_t length;
	const char *arguments; // of a tool or a prompt
	size_t arguments_length;
	uint64_t entry; // the number that the handler was added with
	uint64_t call_id;
	uint64_t tag;
	int32_t kind;
	int32_t status;
	int32_t topic;
} served_t;

typedef struct {
	served_t *places;
	size_t count;
	size_t room;
} served_batch_t;

// The batch that this thread fills. The library runs handlers inside mcp_server_poll() only, because Go allows no "workers".
static __thread served_batch_t *filling;

static void put(served_batch_t *batch, mcp_message_t *message, uint64_t entry) {
	if (batch == NULL || message == NULL) {
		mcp_message_free(message); // Answers the request with an error.
		return;
	}
	if (batch->count == batch->room) {
		size_t room = batch->room == 0 ? 64 : 2 * batch->room;
		served_t *places = realloc(batch->places, room * sizeof *places);
		if (places == NULL) {
			mcp_message_free(message);
			return;
		}
		batch->places = places;
		batch->room = room;
	}
	served_t *place = &batch->places[batch->count++];
	mcp_value_t arguments = mcp_value_get(mcp_message_value(message), "arguments");
	place->message = message;
	place->entry = entry;
	place->method = mcp_message_method(message);
	place->json = mcp_message_json(message, &place->length);
	place->arguments_length = 0;
	place->arguments = mcp_value_json(arguments, &place->arguments_length);
	place->call_id = mcp_message_call_id(message);
	place->tag = mcp_message_tag(message);
	place->kind = mcp_message_kind(message);
	place->status = mcp_message_status(message);
	place->topic = mcp_message_topic(message);
}

static void on_request(void *user, mcp_message_t *request) { put(filling, request, (uint64_t)(uintptr_t)user); }

// Takes the messages that are there, up to about `most`, and never waits. Gives how the last look ended.
static int32_t take_served(mcp_server_t *server, served_batch_t *batch, size_t most) {
	int32_t status = MCP_OK;
	batch->count = 0;
	filling = batch;
	while (status == MCP_OK && batch->count < most) {
		mcp_message_t *message = NULL;
		status = mcp_server_poll(server, 0, &message);
		if (message != NULL) put(batch, message, 0);
	}
	filling = NULL;
	return status;
}

static void free_batch(served_batch_t *batch) {
	free(batch->places);
	free(batch);
}

enum { ADD_TOOL, ADD_RESOURCE, ADD_TEMPLATE, ADD_PROMPT };

static mcp_status_t add_entry(int32_t kind, mcp_server_t *server, const char *definition, uintptr_t entry, char **error) {
	void *user = (void *)entry;
	switch (kind) {
	case ADD_TOOL: return mcp_server_add_tool(server, definition, on_request, user, NULL, error);
	case ADD_RESOURCE: return mcp_server_add_resource(server, definition, on_request, user, NULL, error);
	case ADD_TEMPLATE: return mcp_server_add_resource_template(server, definition, on_request, user, NULL, error);
	case ADD_PROMPT: return mcp_server_add_prompt(server, definition, on_request, user, NULL, error);
	default: return MCP_ERROR_INTERNAL;
	}
}

static mcp_status_t add_completion(mcp_server_t *server, const char *reference, const char *argument, const char *values,
		uintptr_t entry, char **error) {
	return mcp_server_add_completion(server, reference, argument, values, values == NULL ? on_request : NULL, (void *)entry,
		NULL, error);
}

static mcp_status_t add_method(mcp_server_t *server, const char *method, const char *capability, const char *settings,
		uintptr_t entry, char **error) {
	return mcp_server_add_method(server, method, capability, settings, on_request, (void *)entry, NULL, error);
}

*/
import "C"

import (
	"encoding/json"
	"unsafe"
)

// The handle of a server.
type serverHandle = *C.mcp_server_t

// served is one message of a server as Go sees it: everything is copied but the message, which is the receiver's.
type served struct {
	kind      Kind
	status    Status
	topic     Topic
	entry     uint64
	callID    uint64
	tag       uint64
	method    string
	json      json.RawMessage
	arguments json.RawMessage // a part of json
	message   messageHandle
}

// What an entry of a server is.
const (
	entryTool     = C.ADD_TOOL
	entryResource = C.ADD_RESOURCE
	entryTemplate = C.ADD_TEMPLATE
	entryPrompt   = C.ADD_PROMPT
)

func newServerHandle(config []byte) (serverHandle, error) {
	defer cross()()
	var handle serverHandle
	var object *C.char
	status := C.mcp_server_new(text(config), nil, &handle, &object)
	return handle, failure(status, "server", object)
}

func serverDescriptor(server serverHandle) (int, error) {
	number := C.mcp_server_fd(server)
	if number < 0 {
		return 0, failure(C.mcp_status_t(number), "server", nil)
	}
	return int(number), nil
}

// A servedBatch is C memory that C fills; it belongs to the one goroutine that polls.
type servedBatch struct{ batch *C.served_batch_t }

func newServedBatch() servedBatch {
	return servedBatch{(*C.served_batch_t)(C.calloc(1, C.sizeof_served_batch_t))}
}

func (b servedBatch) free() { C.free_batch(b.batch) }

// each takes what waits and gives each message, with its ownership, to a function. It never waits. Returns how the last look
// ended.
func (b servedBatch) each(server serverHandle, do func(*served)) Status {
	leave := cross()
	status := C.take_served(server, b.batch, batchSize)
	leave()
	for i := range unsafe.Slice(b.batch.places, int(b.batch.count)) {
		place := (*C.served_t)(unsafe.Add(unsafe.Pointer(b.batch.places), i*C.sizeof_served_t))
		message := served{
			kind:    Kind(place.kind),
			status:  Status(place.status),
			topic:   Topic(place.topic),
			entry:   uint64(place.entry),
			callID:  uint64(place.call_id),
			tag:     uint64(place.tag),
			method:  C.GoString(place.method),
			message: place.message,
		}
		message.json = copied(place.json, place.length)
		message.arguments = part(message.json, place)
		do(&message)
	}
	return Status(status)
}

// part is the text of the arguments: usually it lies in the text of the parameters, of which there is a copy already.
func part(whole json.RawMessage, place *C.served_t) json.RawMessage {
	if place.arguments == nil {
		return nil
	}
	from := uintptr(unsafe.Pointer(place.arguments)) - uintptr(unsafe.Pointer(place.json))
	if until := from + uintptr(place.arguments_length); from <= until && until <= uintptr(len(whole)) {
		return whole[from:until:until]
	}
	return copied(place.arguments, place.arguments_length)
}

// copied is text of C in memory of Go; nil for NULL.
func copied(from *C.char, length C.size_t) json.RawMessage {
	if from == nil {
		return nil
	}
	return append(json.RawMessage{}, unsafe.Slice((*byte)(unsafe.Pointer(from)), int(length))...)
}

func (s *serverCore) serve(endpoint []byte) (json.RawMessage, error) {
	var bound, object *C.char
	status := C.mcp_server_serve(s.handle, text(endpoint), &bound, &object)
	if err := failure(status, "serve", object); err != nil {
		return nil, err
	}
	defer C.mcp_string_free(bound)
	return json.RawMessage(C.GoString(bound)), nil
}

func (s *serverCore) closeHandle(timeout int32) Status {
	return Status(C.mcp_server_close(s.handle, C.int32_t(timeout)))
}

func (s *serverCore) freeHandle() { C.mcp_server_free(s.handle) }

func (s *serverCore) addEntry(kind int32, definition []byte, entry uint64) error {
	var object *C.char
	status := C.add_entry(C.int32_t(kind), s.handle, text(definition), C.uintptr_t(entry), &object)
	return failure(status, "add", object)
}

func (s *serverCore) addCompletion(reference, argument, values []byte, entry uint64) error {
	var object *C.char
	status := C.add_completion(s.handle, text(reference), text(argument), text(values), C.uintptr_t(entry), &object)
	return failure(status, "completion", object)
}

func (s *serverCore) addMethod(method, capability, settings []byte, entry uint64) error {
	var object *C.char
	status := C.add_method(s.handle, text(method), text(capability), text(settings), C.uintptr_t(entry), &object)
	return failure(status, "method", object)
}

func (s *serverCore) addText(definition, content []byte) error {
	var object *C.char
	status := C.mcp_server_add_text(s.handle, text(definition), text(content), &object)
	return failure(status, "add", object)
}

func (s *serverCore) addBlob(definition, content []byte) error {
	var object *C.char
	data := (*C.char)(unsafe.Pointer(unsafe.SliceData(content)))
	status := C.mcp_server_add_blob(s.handle, text(definition), data, C.size_t(len(content)), &object)
	return failure(status, "add", object)
}

func (s *serverCore) addFolder(template, folder []byte) error {
	var object *C.char
	status := C.mcp_server_add_folder(s.handle, text(template), text(folder), &object)
	return failure(status, "folder", object)
}

func (s *serverCore) addSkills(folder, options []byte) error {
	var object *C.char
	status := C.mcp_server_add_skills(s.handle, text(folder), text(options), &object)
	return failure(status, "skills", object)
}

func (s *serverCore) removeEntry(kind, name []byte) (bool, error) {
	var object *C.char
	status := C.mcp_server_remove(s.handle, text(kind), text(name), &object)
	if status == C.MCP_EMPTY {
		return false, nil
	}
	return status == C.MCP_OK, failure(status, "remove", object)
}

func (s *serverCore) resourceUpdated(uri []byte) error {
	var object *C.char
	return failure(C.mcp_server_resource_updated(s.handle, text(uri), &object), "updated", object)
}

func (s *serverCore) log(level, logger, data []byte) error {
	var object *C.char
	return failure(C.mcp_server_log(s.handle, text(level), text(logger), text(data), &object), "log", object)
}

func (s *serverCore) notify(session uint64, method, params []byte) error {
	var object *C.char
	status := C.mcp_server_notify(s.handle, C.uint64_t(session), text(method), text(params), &object)
	return failure(status, string(method[:len(method)-1]), object)
}

func (s *serverCore) startCall(session uint64, method, params, options []byte, tag uint64) error {
	var object *C.char
	status := C.mcp_server_call_start(s.handle, C.uint64_t(session), text(method), text(params), text(options),
		C.uint64_t(tag), nil, &object)
	return failure(status, string(method[:len(method)-1]), object)
}

func (s *serverCore) info() (json.RawMessage, error) {
	var info, object *C.char
	if err := failure(C.mcp_server_info(s.handle, &info, &object), "info", object); err != nil {
		return nil, err
	}
	defer C.mcp_string_free(info)
	return json.RawMessage(C.GoString(info)), nil
}

// newInProcessHandle makes a client of a server of this process.
func newInProcessHandle(config []byte, server serverHandle) (clientHandle, error) {
	var handle clientHandle
	var object *C.char
	status := C.mcp_client_new_in_process(text(config), nil, server, &handle, &object)
	return handle, failure(status, "new", object)
}

// The functions below answer a request or ask about it. The message is live while one of them runs.

func respondMessage(message messageHandle, result []byte) error {
	var object *C.char
	return failure(C.mcp_request_respond(message, text(result), &object), "respond", object)
}

func respondText(message messageHandle, said []byte, isError bool) error {
	var object *C.char
	return failure(C.mcp_request_respond_text(message, text(said), C.bool(isError), &object), "respond", object)
}

func respondError(message messageHandle, code int32, why, data []byte) error {
	var object *C.char
	status := C.mcp_request_respond_error(message, C.int32_t(code), text(why), text(data), &object)
	return failure(status, "respond", object)
}

func respondNotFound(message messageHandle) error {
	var object *C.char
	return failure(C.mcp_request_respond_error(message, C.MCP_CODE_NOT_FOUND, nil, nil, &object), "respond", object)
}

func progressOf(message messageHandle, progress, total float64, said []byte) error {
	status := C.mcp_request_progress(message, C.double(progress), C.double(total), text(said))
	if status == C.MCP_EMPTY {
		return nil
	}
	return failure(status, "progress", nil)
}

func logOf(message messageHandle, level, logger, data []byte) error {
	status := C.mcp_request_log(message, text(level), text(logger), text(data))
	if status == C.MCP_EMPTY {
		return nil
	}
	return failure(status, "log", nil)
}

func isOverMessage(message messageHandle) bool { return bool(C.mcp_request_cancelled(message)) }

// askOf gives the answer to a question; nil when it is only asked now.
func askOf(message messageHandle, key, method, params []byte) (json.RawMessage, error) {
	var answer, object *C.char
	status := C.mcp_request_ask(message, text(key), text(method), text(params), &answer, &object)
	if status == C.MCP_EMPTY {
		return nil, nil
	}
	if err := failure(status, string(method[:len(method)-1]), object); err != nil {
		return nil, err
	}
	defer C.mcp_string_free(answer)
	return json.RawMessage(C.GoString(answer)), nil
}

func stateOf(message messageHandle) (string, error) {
	var state, object *C.char
	status := C.mcp_request_state(message, &state, &object)
	if status == C.MCP_EMPTY {
		return "", nil
	}
	if err := failure(status, "state", object); err != nil {
		return "", err
	}
	defer C.mcp_string_free(state)
	return C.GoString(state), nil
}

func setStateOf(message messageHandle, state []byte) error {
	var object *C.char
	return failure(C.mcp_request_set_state(message, text(state), &object), "state", object)
}

func startTaskOf(message messageHandle, options []byte) error {
	var object *C.char
	return failure(C.mcp_request_start_task(message, text(options), &object), "task", object)
}

func closeStreamOf(message messageHandle, retry int32) error {
	var object *C.char
	status := C.mcp_request_close_stream(message, C.int32_t(retry), &object)
	if status == C.MCP_EMPTY {
		return nil
	}
	return failure(status, "stream", object)
}

func contextOf(message messageHandle) (json.RawMessage, error) {
	var context, object *C.char
	if err := failure(C.mcp_request_context(message, &context, &object), "context", object); err != nil {
		return nil, err
	}
	defer C.mcp_string_free(context)
	return json.RawMessage(C.GoString(context)), nil
}
