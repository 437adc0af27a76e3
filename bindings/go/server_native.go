//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"encoding/json"
	"unsafe"
)

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
	entryTool = iota
	entryResource
	entryTemplate
	entryPrompt
)

func newServerHandle(config []byte) (serverHandle, error) {
	defer cross()()
	var handle serverHandle
	var object cText
	status := mcp_server_new(text(config), 0, &handle, &object)
	return handle, failure(status, "server", object)
}

func serverDescriptor(server serverHandle) (int, error) {
	number := mcp_server_fd(server)
	if number < 0 {
		return 0, failure(number, "server", 0)
	}
	return int(number), nil
}

func (s *serverCore) serve(endpoint []byte) (json.RawMessage, error) {
	var bound, object cText
	status := mcp_server_serve(s.handle, text(endpoint), &bound, &object)
	if err := failure(status, "serve", object); err != nil {
		return nil, err
	}
	defer mcp_string_free(bound)
	return json.RawMessage(goString(bound)), nil
}

func (s *serverCore) closeHandle(timeout int32) Status {
	return Status(mcp_server_close(s.handle, int32(timeout)))
}

func (s *serverCore) freeHandle() { mcp_server_free(s.handle) }

func (s *serverCore) addEntry(kind int32, definition []byte, entry uint64) error {
	var object cText
	add := [...]func(serverHandle, *byte, uintptr, uintptr, uintptr, *cText) int32{
		entryTool: mcp_server_add_tool, entryResource: mcp_server_add_resource, entryTemplate: mcp_server_add_resource_template,
		entryPrompt: mcp_server_add_prompt,
	}[kind]
	status := add(s.handle, text(definition), addressOfRequest(), uintptr(entry), 0, &object)
	return failure(status, "add", object)
}

func (s *serverCore) addCompletion(reference, argument, values []byte, entry uint64) error {
	var object cText
	var handler uintptr
	if values == nil {
		handler = addressOfRequest()
	}
	status := mcp_server_add_completion(s.handle, text(reference), text(argument), text(values), handler, uintptr(entry), 0, &object)
	return failure(status, "completion", object)
}

func (s *serverCore) addMethod(method, capability, settings []byte, entry uint64) error {
	var object cText
	status := mcp_server_add_method(s.handle, text(method), text(capability), text(settings), addressOfRequest(), uintptr(entry), 0, &object)
	return failure(status, "method", object)
}

func (s *serverCore) addText(definition, content []byte) error {
	var object cText
	status := mcp_server_add_text(s.handle, text(definition), text(content), &object)
	return failure(status, "add", object)
}

func (s *serverCore) addBlob(definition, content []byte) error {
	var object cText
	status := mcp_server_add_blob(s.handle, text(definition), unsafe.SliceData(content), uintptr(len(content)), &object)
	return failure(status, "add", object)
}

func (s *serverCore) addFolder(template, folder []byte) error {
	var object cText
	status := mcp_server_add_folder(s.handle, text(template), text(folder), &object)
	return failure(status, "folder", object)
}

func (s *serverCore) addSkills(folder, options []byte) error {
	var object cText
	status := mcp_server_add_skills(s.handle, text(folder), text(options), &object)
	return failure(status, "skills", object)
}

func (s *serverCore) removeEntry(kind, name []byte) (bool, error) {
	var object cText
	status := mcp_server_remove(s.handle, text(kind), text(name), &object)
	if status == int32(StatusEmpty) {
		return false, nil
	}
	return status == int32(StatusOK), failure(status, "remove", object)
}

func (s *serverCore) resourceUpdated(uri []byte) error {
	var object cText
	return failure(mcp_server_resource_updated(s.handle, text(uri), &object), "updated", object)
}

func (s *serverCore) log(level, logger, data []byte) error {
	var object cText
	return failure(mcp_server_log(s.handle, text(level), text(logger), text(data), &object), "log", object)
}

func (s *serverCore) notify(session uint64, method, params []byte) error {
	var object cText
	status := mcp_server_notify(s.handle, uint64(session), text(method), text(params), &object)
	return failure(status, string(method[:len(method)-1]), object)
}

func (s *serverCore) startCall(session uint64, method, params, options []byte, tag uint64) error {
	var object cText
	status := mcp_server_call_start(s.handle, session, text(method), text(params), text(options),
		tag, nil, &object)
	return failure(status, string(method[:len(method)-1]), object)
}

func (s *serverCore) info() (json.RawMessage, error) {
	var info, object cText
	if err := failure(mcp_server_info(s.handle, &info, &object), "info", object); err != nil {
		return nil, err
	}
	defer mcp_string_free(info)
	return json.RawMessage(goString(info)), nil
}

// newInProcessHandle makes a client of a server of this process.
func newInProcessHandle(config []byte, server serverHandle) (clientHandle, error) {
	var handle clientHandle
	var object cText
	status := mcp_client_new_in_process(text(config), 0, server, &handle, &object)
	return handle, failure(status, "new", object)
}

// The functions below answer a request or ask about it. The message is live while one of them runs.

func respondMessage(message messageHandle, result []byte) error {
	var object cText
	return failure(mcp_request_respond(message, text(result), &object), "respond", object)
}

func respondText(message messageHandle, said []byte, isError bool) error {
	var object cText
	return failure(mcp_request_respond_text(message, text(said), isError, &object), "respond", object)
}

func respondError(message messageHandle, code int32, why, data []byte) error {
	var object cText
	status := mcp_request_respond_error(message, int32(code), text(why), text(data), &object)
	return failure(status, "respond", object)
}

// codeNotFound stands for the code that each revision has for a resource that does not exist.
const codeNotFound = -32002

func respondNotFound(message messageHandle) error {
	var object cText
	return failure(mcp_request_respond_error(message, codeNotFound, nil, nil, &object), "respond", object)
}

func progressOf(message messageHandle, progress, total float64, said []byte) error {
	status := mcp_request_progress(message, float64(progress), float64(total), text(said))
	if status == int32(StatusEmpty) {
		return nil
	}
	return failure(status, "progress", 0)
}

func logOf(message messageHandle, level, logger, data []byte) error {
	status := mcp_request_log(message, text(level), text(logger), text(data))
	if status == int32(StatusEmpty) {
		return nil
	}
	return failure(status, "log", 0)
}

func isOverMessage(message messageHandle) bool { return mcp_request_cancelled(message) }

// askOf gives the answer to a question; nil when it is only asked now.
func askOf(message messageHandle, key, method, params []byte) (json.RawMessage, error) {
	var answer, object cText
	status := mcp_request_ask(message, text(key), text(method), text(params), &answer, &object)
	if status == int32(StatusEmpty) {
		return nil, nil
	}
	if err := failure(status, string(method[:len(method)-1]), object); err != nil {
		return nil, err
	}
	defer mcp_string_free(answer)
	return json.RawMessage(goString(answer)), nil
}

func stateOf(message messageHandle) (string, error) {
	var state, object cText
	status := mcp_request_state(message, &state, &object)
	if status == int32(StatusEmpty) {
		return "", nil
	}
	if err := failure(status, "state", object); err != nil {
		return "", err
	}
	defer mcp_string_free(state)
	return goString(state), nil
}

func setStateOf(message messageHandle, state []byte) error {
	var object cText
	return failure(mcp_request_set_state(message, text(state), &object), "state", object)
}

func startTaskOf(message messageHandle, options []byte) error {
	var object cText
	return failure(mcp_request_start_task(message, text(options), &object), "task", object)
}

func closeStreamOf(message messageHandle, retry int32) error {
	var object cText
	status := mcp_request_close_stream(message, int32(retry), &object)
	if status == int32(StatusEmpty) {
		return nil
	}
	return failure(status, "stream", object)
}

func contextOf(message messageHandle) (json.RawMessage, error) {
	var context, object cText
	if err := failure(mcp_request_context(message, &context, &object), "context", object); err != nil {
		return nil, err
	}
	defer mcp_string_free(context)
	return json.RawMessage(goString(context)), nil
}

// copied is text of C in memory of Go; nil for NULL.
func copied(from cText, length uintptr) json.RawMessage {
	if from == 0 {
		return nil
	}
	return append(json.RawMessage{}, bytesOf(from, length)...)
}
