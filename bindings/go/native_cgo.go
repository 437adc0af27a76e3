//go:build cgo

package mcp

/*
#include <mcp.h>
#include <stdint.h>
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

// The exported functions with the types that C has for them; `user` is a number that Go knows, never a pointer.
void mcp_go_log(uintptr_t user, int32_t level, char *record);
void mcp_go_told(uintptr_t user, char *told);
void mcp_go_forget(uintptr_t user);
void mcp_go_ready(uintptr_t user);
void mcp_go_opened(uintptr_t user, char *name, mcp_client_t *client, int32_t status, char *error);

static void log_record(void *user, int32_t level, const char *record) { mcp_go_log((uintptr_t)user, level, (char *)record); }
static void span_told(void *user, const char *told) { mcp_go_told((uintptr_t)user, (char *)told); }
static void forget(void *user) { mcp_go_forget((uintptr_t)user); }
static void ready(void *user) { mcp_go_ready((uintptr_t)user); }
static void opened(void *user, const char *name, mcp_client_t *client, mcp_status_t status, const char *error) {
	mcp_go_opened((uintptr_t)user, (char *)name, client, status, (char *)error);
}

static uintptr_t address_of_log(void) { return (uintptr_t)log_record; }
static uintptr_t address_of_told(void) { return (uintptr_t)span_told; }
static uintptr_t address_of_forget(void) { return (uintptr_t)forget; }
static uintptr_t address_of_ready(void) { return (uintptr_t)ready; }
static uintptr_t address_of_opened(void) { return (uintptr_t)opened; }
static uintptr_t address_of_request(void) { return (uintptr_t)on_request; }
*/
import "C"

import (
	"encoding/json"
	"unsafe"
)

func addressOfLog() uintptr     { return uintptr(C.address_of_log()) }
func addressOfTold() uintptr    { return uintptr(C.address_of_told()) }
func addressOfForget() uintptr  { return uintptr(C.address_of_forget()) }
func addressOfReady() uintptr   { return uintptr(C.address_of_ready()) }
func addressOfOpened() uintptr  { return uintptr(C.address_of_opened()) }
func addressOfRequest() uintptr { return uintptr(C.address_of_request()) }

//export mcp_go_log
func mcp_go_log(user C.uintptr_t, level C.int32_t, record *C.char) {
	logRecord(uintptr(user), int32(level), textAt(record))
}

//export mcp_go_told
func mcp_go_told(user C.uintptr_t, told *C.char) { spanTold(uintptr(user), textAt(told)) }

//export mcp_go_forget
func mcp_go_forget(user C.uintptr_t) { forget(uintptr(user)) }

//export mcp_go_ready
func mcp_go_ready(user C.uintptr_t) { ready(uintptr(user)) }

//export mcp_go_opened
func mcp_go_opened(user C.uintptr_t, name *C.char, client *C.mcp_client_t, status C.int32_t, object *C.char) {
	opened(uintptr(user), textAt(name), clientHandle(uintptr(unsafe.Pointer(client))), int32(status), textAt(object))
}

func textAt(text *C.char) cText { return cText(uintptr(unsafe.Pointer(text))) }

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
	status := C.take(*(**C.mcp_client_t)(unsafe.Pointer(&client)), *(**C.mcp_queue_t)(unsafe.Pointer(&queue)), b.places, batchSize, &count)
	leave()
	places := unsafe.Slice(b.places, int(count))
	for i := range places {
		place := &places[i]
		message := taken{
			kind:    Kind(place.kind),
			status:  Status(place.status),
			topic:   Topic(place.topic),
			client:  clientHandle(uintptr(unsafe.Pointer(place.client))),
			tag:     uint64(place.tag),
			method:  C.GoString(place.method),
			json:    copied(textAt(place.json), uintptr(place.length)),
			message: messageHandle(uintptr(unsafe.Pointer(place.message))),
		}
		do(&message)
		if message.message == 0 {
			place.message = nil
		}
	}
	if count > 0 {
		C.release(b.places, count)
	}
	return Status(status)
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
	status := C.take_served(*(**C.mcp_server_t)(unsafe.Pointer(&server)), b.batch, batchSize)
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
			json:    copied(textAt(place.json), uintptr(place.length)),
			message: messageHandle(uintptr(unsafe.Pointer(place.message))),
		}
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
	return copied(textAt(place.arguments), uintptr(place.arguments_length))
}
