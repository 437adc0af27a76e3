// Code generated from include/mcp.h by `cargo xtask bindings`. DO NOT EDIT.

//go:build cgo

package mcp

/*
#include <mcp.h>

// Numbers of Go in place of pointers that only the library gives back, and of functions.
static inline mcp_status_t go_mcp_log_set_logger(uintptr_t log, int32_t level, uintptr_t user, uintptr_t destroy) {
	return mcp_log_set_logger((void *)log, level, (void *)user, (void *)destroy);
}
static inline mcp_status_t go_mcp_config_open(const char * path, mcp_queue_t * queue, const char * optionsJson, uintptr_t opened, uintptr_t user, char ** errorJson) {
	return mcp_config_open(path, queue, optionsJson, (void *)opened, (void *)user, errorJson);
}
static inline mcp_status_t go_mcp_server_add_tool(mcp_server_t * server, const char * definitionJson, uintptr_t handler, uintptr_t user, uintptr_t destroy, char ** errorJson) {
	return mcp_server_add_tool(server, definitionJson, (void *)handler, (void *)user, (void *)destroy, errorJson);
}
static inline mcp_status_t go_mcp_server_add_resource(mcp_server_t * server, const char * definitionJson, uintptr_t handler, uintptr_t user, uintptr_t destroy, char ** errorJson) {
	return mcp_server_add_resource(server, definitionJson, (void *)handler, (void *)user, (void *)destroy, errorJson);
}
static inline mcp_status_t go_mcp_server_add_resource_template(mcp_server_t * server, const char * definitionJson, uintptr_t handler, uintptr_t user, uintptr_t destroy, char ** errorJson) {
	return mcp_server_add_resource_template(server, definitionJson, (void *)handler, (void *)user, (void *)destroy, errorJson);
}
static inline mcp_status_t go_mcp_server_add_prompt(mcp_server_t * server, const char * definitionJson, uintptr_t handler, uintptr_t user, uintptr_t destroy, char ** errorJson) {
	return mcp_server_add_prompt(server, definitionJson, (void *)handler, (void *)user, (void *)destroy, errorJson);
}
static inline mcp_status_t go_mcp_server_add_completion(mcp_server_t * server, const char * reference, const char * argument, const char * valuesJson, uintptr_t handler, uintptr_t user, uintptr_t destroy, char ** errorJson) {
	return mcp_server_add_completion(server, reference, argument, valuesJson, (void *)handler, (void *)user, (void *)destroy, errorJson);
}
static inline mcp_status_t go_mcp_server_add_method(mcp_server_t * server, const char * method, const char * capability, const char * settingsJson, uintptr_t handler, uintptr_t user, uintptr_t destroy, char ** errorJson) {
	return mcp_server_add_method(server, method, capability, settingsJson, (void *)handler, (void *)user, (void *)destroy, errorJson);
}
static inline mcp_status_t go_mcp_server_http_begin(mcp_server_t * server, const char * method, const char * target, const char *const * headers, const char * peer, uintptr_t ready, uintptr_t user, uintptr_t destroy, mcp_exchange_t ** out, char ** errorJson) {
	return mcp_server_http_begin(server, method, target, headers, peer, (void *)ready, (void *)user, (void *)destroy, out, errorJson);
}
static inline mcp_status_t go_mcp_telemetry_set(const char * optionsJson, uintptr_t span, uintptr_t user, uintptr_t destroy, char ** errorJson) {
	return mcp_telemetry_set(optionsJson, (void *)span, (void *)user, (void *)destroy, errorJson);
}
*/
import "C"

import "unsafe"

// headerABI is the version of the interface that this package was compiled with.
const headerABI uint32 = C.MCP_ABI_VERSION

func loadLibrary() error { return nil }

func mcp_version() cText {
	return cText(uintptr(unsafe.Pointer(C.mcp_version())))
}

func mcp_abi_version() uint32 {
	return uint32(C.mcp_abi_version())
}

func mcp_status_name(status int32) cText {
	return cText(uintptr(unsafe.Pointer(C.mcp_status_name(C.mcp_status_t(status)))))
}

func mcp_kind_name(kind int32) cText {
	return cText(uintptr(unsafe.Pointer(C.mcp_kind_name(C.mcp_kind_t(kind)))))
}

func mcp_string_free(text cText) {
	C.mcp_string_free(*(**C.char)(unsafe.Pointer(&text)))
}

func mcp_log_set_logger(log uintptr, level int32, user uintptr, destroy uintptr) int32 {
	return int32(C.go_mcp_log_set_logger(C.uintptr_t(log), C.int32_t(level), C.uintptr_t(user), C.uintptr_t(destroy)))
}

func mcp_client_new(configJson *byte, queue queueHandle, out *clientHandle, errorJson *cText) int32 {
	return int32(C.mcp_client_new((*C.char)(unsafe.Pointer(configJson)), *(**C.mcp_queue_t)(unsafe.Pointer(&queue)), (**C.mcp_client_t)(unsafe.Pointer(out)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_client_connect_start(client clientHandle, timeoutMs int32, tag uint64, callId *uint64, errorJson *cText) int32 {
	return int32(C.mcp_client_connect_start(*(**C.mcp_client_t)(unsafe.Pointer(&client)), C.int32_t(timeoutMs), C.uint64_t(tag), (*C.uint64_t)(unsafe.Pointer(callId)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_client_state(client clientHandle) int32 {
	return int32(C.mcp_client_state(*(**C.mcp_client_t)(unsafe.Pointer(&client))))
}

func mcp_client_state_name(state int32) cText {
	return cText(uintptr(unsafe.Pointer(C.mcp_client_state_name(C.mcp_client_state_t(state)))))
}

func mcp_client_info(client clientHandle, infoJson *cText, errorJson *cText) int32 {
	return int32(C.mcp_client_info(*(**C.mcp_client_t)(unsafe.Pointer(&client)), (**C.char)(unsafe.Pointer(infoJson)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_client_close(client clientHandle, timeoutMs int32) int32 {
	return int32(C.mcp_client_close(*(**C.mcp_client_t)(unsafe.Pointer(&client)), C.int32_t(timeoutMs)))
}

func mcp_client_free(client clientHandle) int32 {
	return int32(C.mcp_client_free(*(**C.mcp_client_t)(unsafe.Pointer(&client))))
}

func mcp_config_load(path *byte, serverName *byte, configJson *cText, errorJson *cText) int32 {
	return int32(C.mcp_config_load((*C.char)(unsafe.Pointer(path)), (*C.char)(unsafe.Pointer(serverName)), (**C.char)(unsafe.Pointer(configJson)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_config_open(path *byte, queue queueHandle, optionsJson *byte, opened uintptr, user uintptr, errorJson *cText) int32 {
	return int32(C.go_mcp_config_open((*C.char)(unsafe.Pointer(path)), *(**C.mcp_queue_t)(unsafe.Pointer(&queue)), (*C.char)(unsafe.Pointer(optionsJson)), C.uintptr_t(opened), C.uintptr_t(user), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_call_start(client clientHandle, method *byte, paramsJson *byte, optionsJson *byte, tag uint64, callId *uint64, errorJson *cText) int32 {
	return int32(C.mcp_call_start(*(**C.mcp_client_t)(unsafe.Pointer(&client)), (*C.char)(unsafe.Pointer(method)), (*C.char)(unsafe.Pointer(paramsJson)), (*C.char)(unsafe.Pointer(optionsJson)), C.uint64_t(tag), (*C.uint64_t)(unsafe.Pointer(callId)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_call_cancel(client clientHandle, callId uint64, reason *byte) int32 {
	return int32(C.mcp_call_cancel(*(**C.mcp_client_t)(unsafe.Pointer(&client)), C.uint64_t(callId), (*C.char)(unsafe.Pointer(reason))))
}

func mcp_client_notify(client clientHandle, method *byte, paramsJson *byte, errorJson *cText) int32 {
	return int32(C.mcp_client_notify(*(**C.mcp_client_t)(unsafe.Pointer(&client)), (*C.char)(unsafe.Pointer(method)), (*C.char)(unsafe.Pointer(paramsJson)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_request_respond(request messageHandle, resultJson *byte, errorJson *cText) int32 {
	return int32(C.mcp_request_respond(*(**C.mcp_message_t)(unsafe.Pointer(&request)), (*C.char)(unsafe.Pointer(resultJson)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_request_respond_error(request messageHandle, code int32, text *byte, dataJson *byte, errorJson *cText) int32 {
	return int32(C.mcp_request_respond_error(*(**C.mcp_message_t)(unsafe.Pointer(&request)), C.int32_t(code), (*C.char)(unsafe.Pointer(text)), (*C.char)(unsafe.Pointer(dataJson)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_client_poll(client clientHandle, timeoutMs int32, message *messageHandle) int32 {
	return int32(C.mcp_client_poll(*(**C.mcp_client_t)(unsafe.Pointer(&client)), C.int32_t(timeoutMs), (**C.mcp_message_t)(unsafe.Pointer(message))))
}

func mcp_client_wake(client clientHandle) int32 {
	return int32(C.mcp_client_wake(*(**C.mcp_client_t)(unsafe.Pointer(&client))))
}

func mcp_client_fd(client clientHandle) int32 {
	return int32(C.mcp_client_fd(*(**C.mcp_client_t)(unsafe.Pointer(&client))))
}

func mcp_message_kind(message messageHandle) int32 {
	return int32(C.mcp_message_kind(*(**C.mcp_message_t)(unsafe.Pointer(&message))))
}

func mcp_message_status(message messageHandle) int32 {
	return int32(C.mcp_message_status(*(**C.mcp_message_t)(unsafe.Pointer(&message))))
}

func mcp_message_client(message messageHandle) clientHandle {
	return clientHandle(uintptr(unsafe.Pointer(C.mcp_message_client(*(**C.mcp_message_t)(unsafe.Pointer(&message))))))
}

func mcp_message_call_id(message messageHandle) uint64 {
	return uint64(C.mcp_message_call_id(*(**C.mcp_message_t)(unsafe.Pointer(&message))))
}

func mcp_message_tag(message messageHandle) uint64 {
	return uint64(C.mcp_message_tag(*(**C.mcp_message_t)(unsafe.Pointer(&message))))
}

func mcp_message_method(message messageHandle) cText {
	return cText(uintptr(unsafe.Pointer(C.mcp_message_method(*(**C.mcp_message_t)(unsafe.Pointer(&message))))))
}

func mcp_message_topic(message messageHandle) int32 {
	return int32(C.mcp_message_topic(*(**C.mcp_message_t)(unsafe.Pointer(&message))))
}

func mcp_message_json(message messageHandle, length *uintptr) cText {
	return cText(uintptr(unsafe.Pointer(C.mcp_message_json(*(**C.mcp_message_t)(unsafe.Pointer(&message)), (*C.size_t)(unsafe.Pointer(length))))))
}

func mcp_message_free(message messageHandle) int32 {
	return int32(C.mcp_message_free(*(**C.mcp_message_t)(unsafe.Pointer(&message))))
}

func mcp_queue_new(configJson *byte, out *queueHandle, errorJson *cText) int32 {
	return int32(C.mcp_queue_new((*C.char)(unsafe.Pointer(configJson)), (**C.mcp_queue_t)(unsafe.Pointer(out)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_queue_poll(queue queueHandle, timeoutMs int32, message *messageHandle) int32 {
	return int32(C.mcp_queue_poll(*(**C.mcp_queue_t)(unsafe.Pointer(&queue)), C.int32_t(timeoutMs), (**C.mcp_message_t)(unsafe.Pointer(message))))
}

func mcp_queue_wake(queue queueHandle) int32 {
	return int32(C.mcp_queue_wake(*(**C.mcp_queue_t)(unsafe.Pointer(&queue))))
}

func mcp_queue_fd(queue queueHandle) int32 {
	return int32(C.mcp_queue_fd(*(**C.mcp_queue_t)(unsafe.Pointer(&queue))))
}

func mcp_queue_free(queue queueHandle) int32 {
	return int32(C.mcp_queue_free(*(**C.mcp_queue_t)(unsafe.Pointer(&queue))))
}

func mcp_client_call_tool_start(client clientHandle, name *byte, argumentsJson *byte, optionsJson *byte, tag uint64, callId *uint64, errorJson *cText) int32 {
	return int32(C.mcp_client_call_tool_start(*(**C.mcp_client_t)(unsafe.Pointer(&client)), (*C.char)(unsafe.Pointer(name)), (*C.char)(unsafe.Pointer(argumentsJson)), (*C.char)(unsafe.Pointer(optionsJson)), C.uint64_t(tag), (*C.uint64_t)(unsafe.Pointer(callId)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_client_read_resource_start(client clientHandle, uri *byte, optionsJson *byte, tag uint64, callId *uint64, errorJson *cText) int32 {
	return int32(C.mcp_client_read_resource_start(*(**C.mcp_client_t)(unsafe.Pointer(&client)), (*C.char)(unsafe.Pointer(uri)), (*C.char)(unsafe.Pointer(optionsJson)), C.uint64_t(tag), (*C.uint64_t)(unsafe.Pointer(callId)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_client_get_prompt_start(client clientHandle, name *byte, argumentsJson *byte, optionsJson *byte, tag uint64, callId *uint64, errorJson *cText) int32 {
	return int32(C.mcp_client_get_prompt_start(*(**C.mcp_client_t)(unsafe.Pointer(&client)), (*C.char)(unsafe.Pointer(name)), (*C.char)(unsafe.Pointer(argumentsJson)), (*C.char)(unsafe.Pointer(optionsJson)), C.uint64_t(tag), (*C.uint64_t)(unsafe.Pointer(callId)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_client_set_roots(client clientHandle, rootsJson *byte, errorJson *cText) int32 {
	return int32(C.mcp_client_set_roots(*(**C.mcp_client_t)(unsafe.Pointer(&client)), (*C.char)(unsafe.Pointer(rootsJson)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_client_clear_cache(client clientHandle) int32 {
	return int32(C.mcp_client_clear_cache(*(**C.mcp_client_t)(unsafe.Pointer(&client))))
}

func mcp_request_respond_elicitation(request messageHandle, action *byte, contentJson *byte, errorJson *cText) int32 {
	return int32(C.mcp_request_respond_elicitation(*(**C.mcp_message_t)(unsafe.Pointer(&request)), (*C.char)(unsafe.Pointer(action)), (*C.char)(unsafe.Pointer(contentJson)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_client_load_skill_start(client clientHandle, entryJson *byte, optionsJson *byte, tag uint64, callId *uint64, errorJson *cText) int32 {
	return int32(C.mcp_client_load_skill_start(*(**C.mcp_client_t)(unsafe.Pointer(&client)), (*C.char)(unsafe.Pointer(entryJson)), (*C.char)(unsafe.Pointer(optionsJson)), C.uint64_t(tag), (*C.uint64_t)(unsafe.Pointer(callId)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_client_read_skill_file_start(client clientHandle, entryJson *byte, path *byte, optionsJson *byte, tag uint64, callId *uint64, errorJson *cText) int32 {
	return int32(C.mcp_client_read_skill_file_start(*(**C.mcp_client_t)(unsafe.Pointer(&client)), (*C.char)(unsafe.Pointer(entryJson)), (*C.char)(unsafe.Pointer(path)), (*C.char)(unsafe.Pointer(optionsJson)), C.uint64_t(tag), (*C.uint64_t)(unsafe.Pointer(callId)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_app_new(settingsJson *byte, app *appHandle, errorJson *cText) int32 {
	return int32(C.mcp_app_new((*C.char)(unsafe.Pointer(settingsJson)), (**C.mcp_app_t)(unsafe.Pointer(app)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_app_receive(app appHandle, messageJson *byte, errorJson *cText) int32 {
	return int32(C.mcp_app_receive(*(**C.mcp_app_t)(unsafe.Pointer(&app)), (*C.char)(unsafe.Pointer(messageJson)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_app_tell(app appHandle, toldJson *byte, errorJson *cText) int32 {
	return int32(C.mcp_app_tell(*(**C.mcp_app_t)(unsafe.Pointer(&app)), (*C.char)(unsafe.Pointer(toldJson)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_app_poll(app appHandle, actionJson *cText) int32 {
	return int32(C.mcp_app_poll(*(**C.mcp_app_t)(unsafe.Pointer(&app)), (**C.char)(unsafe.Pointer(actionJson))))
}

func mcp_app_policy(uiJson *byte, policyJson *cText, errorJson *cText) int32 {
	return int32(C.mcp_app_policy((*C.char)(unsafe.Pointer(uiJson)), (**C.char)(unsafe.Pointer(policyJson)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_app_free(app appHandle) int32 {
	return int32(C.mcp_app_free(*(**C.mcp_app_t)(unsafe.Pointer(&app))))
}

func mcp_client_complete_login(client clientHandle, callbackUrl *byte, errorJson *cText) int32 {
	return int32(C.mcp_client_complete_login(*(**C.mcp_client_t)(unsafe.Pointer(&client)), (*C.char)(unsafe.Pointer(callbackUrl)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_client_supply_credential(client clientHandle, credential *byte, lastsMs int32, errorJson *cText) int32 {
	return int32(C.mcp_client_supply_credential(*(**C.mcp_client_t)(unsafe.Pointer(&client)), (*C.char)(unsafe.Pointer(credential)), C.int32_t(lastsMs), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_client_abort_login(client clientHandle, reason *byte, errorJson *cText) int32 {
	return int32(C.mcp_client_abort_login(*(**C.mcp_client_t)(unsafe.Pointer(&client)), (*C.char)(unsafe.Pointer(reason)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_client_answer_auth(client clientHandle, message messageHandle, answer *byte, failure *byte, errorJson *cText) int32 {
	return int32(C.mcp_client_answer_auth(*(**C.mcp_client_t)(unsafe.Pointer(&client)), *(**C.mcp_message_t)(unsafe.Pointer(&message)), (*C.char)(unsafe.Pointer(answer)), (*C.char)(unsafe.Pointer(failure)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_client_logout(client clientHandle, timeoutMs int32, errorJson *cText) int32 {
	return int32(C.mcp_client_logout(*(**C.mcp_client_t)(unsafe.Pointer(&client)), C.int32_t(timeoutMs), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_uri_template_expand(uriTemplate *byte, variablesJson *byte, uri *cText, errorJson *cText) int32 {
	return int32(C.mcp_uri_template_expand((*C.char)(unsafe.Pointer(uriTemplate)), (*C.char)(unsafe.Pointer(variablesJson)), (**C.char)(unsafe.Pointer(uri)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_server_new(configJson *byte, queue queueHandle, out *serverHandle, errorJson *cText) int32 {
	return int32(C.mcp_server_new((*C.char)(unsafe.Pointer(configJson)), *(**C.mcp_queue_t)(unsafe.Pointer(&queue)), (**C.mcp_server_t)(unsafe.Pointer(out)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_server_serve(server serverHandle, endpointJson *byte, boundJson *cText, errorJson *cText) int32 {
	return int32(C.mcp_server_serve(*(**C.mcp_server_t)(unsafe.Pointer(&server)), (*C.char)(unsafe.Pointer(endpointJson)), (**C.char)(unsafe.Pointer(boundJson)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_server_wake(server serverHandle) int32 {
	return int32(C.mcp_server_wake(*(**C.mcp_server_t)(unsafe.Pointer(&server))))
}

func mcp_server_poll(server serverHandle, timeoutMs int32, out *messageHandle) int32 {
	return int32(C.mcp_server_poll(*(**C.mcp_server_t)(unsafe.Pointer(&server)), C.int32_t(timeoutMs), (**C.mcp_message_t)(unsafe.Pointer(out))))
}

func mcp_server_fd(server serverHandle) int32 {
	return int32(C.mcp_server_fd(*(**C.mcp_server_t)(unsafe.Pointer(&server))))
}

func mcp_server_resource_updated(server serverHandle, uri *byte, errorJson *cText) int32 {
	return int32(C.mcp_server_resource_updated(*(**C.mcp_server_t)(unsafe.Pointer(&server)), (*C.char)(unsafe.Pointer(uri)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_server_log(server serverHandle, level *byte, logger *byte, dataJson *byte, errorJson *cText) int32 {
	return int32(C.mcp_server_log(*(**C.mcp_server_t)(unsafe.Pointer(&server)), (*C.char)(unsafe.Pointer(level)), (*C.char)(unsafe.Pointer(logger)), (*C.char)(unsafe.Pointer(dataJson)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_server_info(server serverHandle, infoJson *cText, errorJson *cText) int32 {
	return int32(C.mcp_server_info(*(**C.mcp_server_t)(unsafe.Pointer(&server)), (**C.char)(unsafe.Pointer(infoJson)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_server_close(server serverHandle, timeoutMs int32) int32 {
	return int32(C.mcp_server_close(*(**C.mcp_server_t)(unsafe.Pointer(&server)), C.int32_t(timeoutMs)))
}

func mcp_server_free(server serverHandle) int32 {
	return int32(C.mcp_server_free(*(**C.mcp_server_t)(unsafe.Pointer(&server))))
}

func mcp_server_notify(server serverHandle, session uint64, method *byte, paramsJson *byte, errorJson *cText) int32 {
	return int32(C.mcp_server_notify(*(**C.mcp_server_t)(unsafe.Pointer(&server)), C.uint64_t(session), (*C.char)(unsafe.Pointer(method)), (*C.char)(unsafe.Pointer(paramsJson)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_server_call_start(server serverHandle, session uint64, method *byte, paramsJson *byte, optionsJson *byte, tag uint64, callId *uint64, errorJson *cText) int32 {
	return int32(C.mcp_server_call_start(*(**C.mcp_server_t)(unsafe.Pointer(&server)), C.uint64_t(session), (*C.char)(unsafe.Pointer(method)), (*C.char)(unsafe.Pointer(paramsJson)), (*C.char)(unsafe.Pointer(optionsJson)), C.uint64_t(tag), (*C.uint64_t)(unsafe.Pointer(callId)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_server_add_tool(server serverHandle, definitionJson *byte, handler uintptr, user uintptr, destroy uintptr, errorJson *cText) int32 {
	return int32(C.go_mcp_server_add_tool(*(**C.mcp_server_t)(unsafe.Pointer(&server)), (*C.char)(unsafe.Pointer(definitionJson)), C.uintptr_t(handler), C.uintptr_t(user), C.uintptr_t(destroy), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_server_add_resource(server serverHandle, definitionJson *byte, handler uintptr, user uintptr, destroy uintptr, errorJson *cText) int32 {
	return int32(C.go_mcp_server_add_resource(*(**C.mcp_server_t)(unsafe.Pointer(&server)), (*C.char)(unsafe.Pointer(definitionJson)), C.uintptr_t(handler), C.uintptr_t(user), C.uintptr_t(destroy), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_server_add_text(server serverHandle, definitionJson *byte, text *byte, errorJson *cText) int32 {
	return int32(C.mcp_server_add_text(*(**C.mcp_server_t)(unsafe.Pointer(&server)), (*C.char)(unsafe.Pointer(definitionJson)), (*C.char)(unsafe.Pointer(text)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_server_add_blob(server serverHandle, definitionJson *byte, data *byte, length uintptr, errorJson *cText) int32 {
	return int32(C.mcp_server_add_blob(*(**C.mcp_server_t)(unsafe.Pointer(&server)), (*C.char)(unsafe.Pointer(definitionJson)), (*C.char)(unsafe.Pointer(data)), C.size_t(length), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_server_add_resource_template(server serverHandle, definitionJson *byte, handler uintptr, user uintptr, destroy uintptr, errorJson *cText) int32 {
	return int32(C.go_mcp_server_add_resource_template(*(**C.mcp_server_t)(unsafe.Pointer(&server)), (*C.char)(unsafe.Pointer(definitionJson)), C.uintptr_t(handler), C.uintptr_t(user), C.uintptr_t(destroy), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_server_add_folder(server serverHandle, templateJson *byte, folder *byte, errorJson *cText) int32 {
	return int32(C.mcp_server_add_folder(*(**C.mcp_server_t)(unsafe.Pointer(&server)), (*C.char)(unsafe.Pointer(templateJson)), (*C.char)(unsafe.Pointer(folder)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_server_add_prompt(server serverHandle, definitionJson *byte, handler uintptr, user uintptr, destroy uintptr, errorJson *cText) int32 {
	return int32(C.go_mcp_server_add_prompt(*(**C.mcp_server_t)(unsafe.Pointer(&server)), (*C.char)(unsafe.Pointer(definitionJson)), C.uintptr_t(handler), C.uintptr_t(user), C.uintptr_t(destroy), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_server_add_completion(server serverHandle, reference *byte, argument *byte, valuesJson *byte, handler uintptr, user uintptr, destroy uintptr, errorJson *cText) int32 {
	return int32(C.go_mcp_server_add_completion(*(**C.mcp_server_t)(unsafe.Pointer(&server)), (*C.char)(unsafe.Pointer(reference)), (*C.char)(unsafe.Pointer(argument)), (*C.char)(unsafe.Pointer(valuesJson)), C.uintptr_t(handler), C.uintptr_t(user), C.uintptr_t(destroy), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_server_add_method(server serverHandle, method *byte, capability *byte, settingsJson *byte, handler uintptr, user uintptr, destroy uintptr, errorJson *cText) int32 {
	return int32(C.go_mcp_server_add_method(*(**C.mcp_server_t)(unsafe.Pointer(&server)), (*C.char)(unsafe.Pointer(method)), (*C.char)(unsafe.Pointer(capability)), (*C.char)(unsafe.Pointer(settingsJson)), C.uintptr_t(handler), C.uintptr_t(user), C.uintptr_t(destroy), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_server_remove(server serverHandle, kind *byte, name *byte, errorJson *cText) int32 {
	return int32(C.mcp_server_remove(*(**C.mcp_server_t)(unsafe.Pointer(&server)), (*C.char)(unsafe.Pointer(kind)), (*C.char)(unsafe.Pointer(name)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_server_add_skills(server serverHandle, folder *byte, optionsJson *byte, errorJson *cText) int32 {
	return int32(C.mcp_server_add_skills(*(**C.mcp_server_t)(unsafe.Pointer(&server)), (*C.char)(unsafe.Pointer(folder)), (*C.char)(unsafe.Pointer(optionsJson)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_request_respond_text(request messageHandle, text *byte, isError bool, errorJson *cText) int32 {
	return int32(C.mcp_request_respond_text(*(**C.mcp_message_t)(unsafe.Pointer(&request)), (*C.char)(unsafe.Pointer(text)), C.bool(isError), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_request_progress(request messageHandle, progress float64, total float64, message *byte) int32 {
	return int32(C.mcp_request_progress(*(**C.mcp_message_t)(unsafe.Pointer(&request)), C.double(progress), C.double(total), (*C.char)(unsafe.Pointer(message))))
}

func mcp_request_log(request messageHandle, level *byte, logger *byte, dataJson *byte) int32 {
	return int32(C.mcp_request_log(*(**C.mcp_message_t)(unsafe.Pointer(&request)), (*C.char)(unsafe.Pointer(level)), (*C.char)(unsafe.Pointer(logger)), (*C.char)(unsafe.Pointer(dataJson))))
}

func mcp_request_cancelled(request messageHandle) bool {
	return bool(C.mcp_request_cancelled(*(**C.mcp_message_t)(unsafe.Pointer(&request))))
}

func mcp_request_ask(request messageHandle, key *byte, method *byte, paramsJson *byte, answerJson *cText, errorJson *cText) int32 {
	return int32(C.mcp_request_ask(*(**C.mcp_message_t)(unsafe.Pointer(&request)), (*C.char)(unsafe.Pointer(key)), (*C.char)(unsafe.Pointer(method)), (*C.char)(unsafe.Pointer(paramsJson)), (**C.char)(unsafe.Pointer(answerJson)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_request_state(request messageHandle, state *cText, errorJson *cText) int32 {
	return int32(C.mcp_request_state(*(**C.mcp_message_t)(unsafe.Pointer(&request)), (**C.char)(unsafe.Pointer(state)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_request_set_state(request messageHandle, state *byte, errorJson *cText) int32 {
	return int32(C.mcp_request_set_state(*(**C.mcp_message_t)(unsafe.Pointer(&request)), (*C.char)(unsafe.Pointer(state)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_request_start_task(request messageHandle, optionsJson *byte, errorJson *cText) int32 {
	return int32(C.mcp_request_start_task(*(**C.mcp_message_t)(unsafe.Pointer(&request)), (*C.char)(unsafe.Pointer(optionsJson)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_request_close_stream(request messageHandle, retryMs int32, errorJson *cText) int32 {
	return int32(C.mcp_request_close_stream(*(**C.mcp_message_t)(unsafe.Pointer(&request)), C.int32_t(retryMs), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_request_context(request messageHandle, contextJson *cText, errorJson *cText) int32 {
	return int32(C.mcp_request_context(*(**C.mcp_message_t)(unsafe.Pointer(&request)), (**C.char)(unsafe.Pointer(contextJson)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_server_http_begin(server serverHandle, method *byte, target *byte, headers *cText, peer *byte, ready uintptr, user uintptr, destroy uintptr, out *exchangeHandle, errorJson *cText) int32 {
	return int32(C.go_mcp_server_http_begin(*(**C.mcp_server_t)(unsafe.Pointer(&server)), (*C.char)(unsafe.Pointer(method)), (*C.char)(unsafe.Pointer(target)), (**C.char)(unsafe.Pointer(headers)), (*C.char)(unsafe.Pointer(peer)), C.uintptr_t(ready), C.uintptr_t(user), C.uintptr_t(destroy), (**C.mcp_exchange_t)(unsafe.Pointer(out)), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_exchange_permit(exchange exchangeHandle, timeoutMs int32, bytes *uintptr) int32 {
	return int32(C.mcp_exchange_permit(*(**C.mcp_exchange_t)(unsafe.Pointer(&exchange)), C.int32_t(timeoutMs), (*C.size_t)(unsafe.Pointer(bytes))))
}

func mcp_exchange_write(exchange exchangeHandle, part *byte, length uintptr, isLast bool) int32 {
	return int32(C.mcp_exchange_write(*(**C.mcp_exchange_t)(unsafe.Pointer(&exchange)), (*C.char)(unsafe.Pointer(part)), C.size_t(length), C.bool(isLast)))
}

func mcp_exchange_head(exchange exchangeHandle, timeoutMs int32, status *int32, length *int64) int32 {
	return int32(C.mcp_exchange_head(*(**C.mcp_exchange_t)(unsafe.Pointer(&exchange)), C.int32_t(timeoutMs), (*C.int32_t)(unsafe.Pointer(status)), (*C.int64_t)(unsafe.Pointer(length))))
}

func mcp_exchange_header(exchange exchangeHandle, index uintptr, value *cText) cText {
	return cText(uintptr(unsafe.Pointer(C.mcp_exchange_header(*(**C.mcp_exchange_t)(unsafe.Pointer(&exchange)), C.size_t(index), (**C.char)(unsafe.Pointer(value))))))
}

func mcp_exchange_read(exchange exchangeHandle, timeoutMs int32, into *byte, size uintptr, length *uintptr) int32 {
	return int32(C.mcp_exchange_read(*(**C.mcp_exchange_t)(unsafe.Pointer(&exchange)), C.int32_t(timeoutMs), (*C.char)(unsafe.Pointer(into)), C.size_t(size), (*C.size_t)(unsafe.Pointer(length))))
}

func mcp_exchange_free(exchange exchangeHandle) int32 {
	return int32(C.mcp_exchange_free(*(**C.mcp_exchange_t)(unsafe.Pointer(&exchange))))
}

func mcp_telemetry_set(optionsJson *byte, span uintptr, user uintptr, destroy uintptr, errorJson *cText) int32 {
	return int32(C.go_mcp_telemetry_set((*C.char)(unsafe.Pointer(optionsJson)), C.uintptr_t(span), C.uintptr_t(user), C.uintptr_t(destroy), (**C.char)(unsafe.Pointer(errorJson))))
}

func mcp_client_new_in_process(configJson *byte, queue queueHandle, server serverHandle, out *clientHandle, errorJson *cText) int32 {
	return int32(C.mcp_client_new_in_process((*C.char)(unsafe.Pointer(configJson)), *(**C.mcp_queue_t)(unsafe.Pointer(&queue)), *(**C.mcp_server_t)(unsafe.Pointer(&server)), (**C.mcp_client_t)(unsafe.Pointer(out)), (**C.char)(unsafe.Pointer(errorJson))))
}
