// Code generated from include/mcp.h by `cargo xtask bindings`. DO NOT EDIT.

//go:build !cgo && linux && (amd64 || arm64)

package mcp

import (
	"unsafe"

	"github.com/ebitengine/purego"
)

// headerABI is the version of the interface that this package was compiled with.
const headerABI uint32 = 1

// addresses are those of the functions below, in their order.
var addresses [99]uintptr

var symbols = [len(addresses)]string{
	"mcp_version",
	"mcp_abi_version",
	"mcp_status_name",
	"mcp_kind_name",
	"mcp_string_free",
	"mcp_log_set_logger",
	"mcp_client_new",
	"mcp_client_connect_start",
	"mcp_client_state",
	"mcp_client_state_name",
	"mcp_client_info",
	"mcp_client_close",
	"mcp_client_free",
	"mcp_config_load",
	"mcp_config_open",
	"mcp_call_start",
	"mcp_call_cancel",
	"mcp_client_notify",
	"mcp_request_respond",
	"mcp_request_respond_error",
	"mcp_client_poll",
	"mcp_client_wake",
	"mcp_client_fd",
	"mcp_message_kind",
	"mcp_message_status",
	"mcp_message_client",
	"mcp_message_call_id",
	"mcp_message_tag",
	"mcp_message_method",
	"mcp_message_topic",
	"mcp_message_json",
	"mcp_message_free",
	"mcp_queue_new",
	"mcp_queue_poll",
	"mcp_queue_wake",
	"mcp_queue_fd",
	"mcp_queue_free",
	"mcp_client_call_tool_start",
	"mcp_client_read_resource_start",
	"mcp_client_get_prompt_start",
	"mcp_client_set_roots",
	"mcp_client_clear_cache",
	"mcp_request_respond_elicitation",
	"mcp_client_load_skill_start",
	"mcp_client_read_skill_file_start",
	"mcp_app_new",
	"mcp_app_receive",
	"mcp_app_tell",
	"mcp_app_poll",
	"mcp_app_policy",
	"mcp_app_free",
	"mcp_client_complete_login",
	"mcp_client_supply_credential",
	"mcp_client_abort_login",
	"mcp_client_answer_auth",
	"mcp_client_logout",
	"mcp_uri_template_expand",
	"mcp_server_new",
	"mcp_server_serve",
	"mcp_server_wake",
	"mcp_server_poll",
	"mcp_server_fd",
	"mcp_server_resource_updated",
	"mcp_server_log",
	"mcp_server_info",
	"mcp_server_close",
	"mcp_server_free",
	"mcp_server_notify",
	"mcp_server_call_start",
	"mcp_server_add_tool",
	"mcp_server_add_resource",
	"mcp_server_add_text",
	"mcp_server_add_blob",
	"mcp_server_add_resource_template",
	"mcp_server_add_folder",
	"mcp_server_add_prompt",
	"mcp_server_add_completion",
	"mcp_server_add_method",
	"mcp_server_remove",
	"mcp_server_add_skills",
	"mcp_request_respond_text",
	"mcp_request_progress",
	"mcp_request_log",
	"mcp_request_cancelled",
	"mcp_request_ask",
	"mcp_request_state",
	"mcp_request_set_state",
	"mcp_request_start_task",
	"mcp_request_close_stream",
	"mcp_request_context",
	"mcp_server_http_begin",
	"mcp_exchange_permit",
	"mcp_exchange_write",
	"mcp_exchange_head",
	"mcp_exchange_header",
	"mcp_exchange_read",
	"mcp_exchange_free",
	"mcp_telemetry_set",
	"mcp_client_new_in_process",
}

func mcp_version() cText {
	r1, _, _ := purego.SyscallN(addresses[0])
	return cText(r1)
}

func mcp_abi_version() uint32 {
	r1, _, _ := purego.SyscallN(addresses[1])
	return uint32(r1)
}

func mcp_status_name(status int32) cText {
	r1, _, _ := purego.SyscallN(addresses[2], uintptr(status))
	return cText(r1)
}

func mcp_kind_name(kind int32) cText {
	r1, _, _ := purego.SyscallN(addresses[3], uintptr(kind))
	return cText(r1)
}

func mcp_string_free(text cText) {
	purego.SyscallN(addresses[4], uintptr(text))
}

func mcp_log_set_logger(log uintptr, level int32, user uintptr, destroy uintptr) int32 {
	r1, _, _ := purego.SyscallN(addresses[5], log, uintptr(level), user, destroy)
	return int32(r1)
}

func mcp_client_new(configJson *byte, queue queueHandle, out *clientHandle, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[6], uintptr(unsafe.Pointer(configJson)), uintptr(queue), uintptr(unsafe.Pointer(out)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_client_connect_start(client clientHandle, timeoutMs int32, tag uint64, callId *uint64, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[7], uintptr(client), uintptr(timeoutMs), uintptr(tag), uintptr(unsafe.Pointer(callId)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_client_state(client clientHandle) int32 {
	r1, _, _ := purego.SyscallN(addresses[8], uintptr(client))
	return int32(r1)
}

func mcp_client_state_name(state int32) cText {
	r1, _, _ := purego.SyscallN(addresses[9], uintptr(state))
	return cText(r1)
}

func mcp_client_info(client clientHandle, infoJson *cText, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[10], uintptr(client), uintptr(unsafe.Pointer(infoJson)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_client_close(client clientHandle, timeoutMs int32) int32 {
	r1, _, _ := purego.SyscallN(addresses[11], uintptr(client), uintptr(timeoutMs))
	return int32(r1)
}

func mcp_client_free(client clientHandle) int32 {
	r1, _, _ := purego.SyscallN(addresses[12], uintptr(client))
	return int32(r1)
}

func mcp_config_load(path *byte, serverName *byte, configJson *cText, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[13], uintptr(unsafe.Pointer(path)), uintptr(unsafe.Pointer(serverName)), uintptr(unsafe.Pointer(configJson)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_config_open(path *byte, queue queueHandle, optionsJson *byte, opened uintptr, user uintptr, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[14], uintptr(unsafe.Pointer(path)), uintptr(queue), uintptr(unsafe.Pointer(optionsJson)), opened, user, uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_call_start(client clientHandle, method *byte, paramsJson *byte, optionsJson *byte, tag uint64, callId *uint64, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[15], uintptr(client), uintptr(unsafe.Pointer(method)), uintptr(unsafe.Pointer(paramsJson)), uintptr(unsafe.Pointer(optionsJson)), uintptr(tag), uintptr(unsafe.Pointer(callId)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_call_cancel(client clientHandle, callId uint64, reason *byte) int32 {
	r1, _, _ := purego.SyscallN(addresses[16], uintptr(client), uintptr(callId), uintptr(unsafe.Pointer(reason)))
	return int32(r1)
}

func mcp_client_notify(client clientHandle, method *byte, paramsJson *byte, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[17], uintptr(client), uintptr(unsafe.Pointer(method)), uintptr(unsafe.Pointer(paramsJson)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_request_respond(request messageHandle, resultJson *byte, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[18], uintptr(request), uintptr(unsafe.Pointer(resultJson)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_request_respond_error(request messageHandle, code int32, text *byte, dataJson *byte, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[19], uintptr(request), uintptr(code), uintptr(unsafe.Pointer(text)), uintptr(unsafe.Pointer(dataJson)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_client_poll(client clientHandle, timeoutMs int32, message *messageHandle) int32 {
	r1, _, _ := purego.SyscallN(addresses[20], uintptr(client), uintptr(timeoutMs), uintptr(unsafe.Pointer(message)))
	return int32(r1)
}

func mcp_client_wake(client clientHandle) int32 {
	r1, _, _ := purego.SyscallN(addresses[21], uintptr(client))
	return int32(r1)
}

func mcp_client_fd(client clientHandle) int32 {
	r1, _, _ := purego.SyscallN(addresses[22], uintptr(client))
	return int32(r1)
}

func mcp_message_kind(message messageHandle) int32 {
	r1, _, _ := purego.SyscallN(addresses[23], uintptr(message))
	return int32(r1)
}

func mcp_message_status(message messageHandle) int32 {
	r1, _, _ := purego.SyscallN(addresses[24], uintptr(message))
	return int32(r1)
}

func mcp_message_client(message messageHandle) clientHandle {
	r1, _, _ := purego.SyscallN(addresses[25], uintptr(message))
	return clientHandle(r1)
}

func mcp_message_call_id(message messageHandle) uint64 {
	r1, _, _ := purego.SyscallN(addresses[26], uintptr(message))
	return uint64(r1)
}

func mcp_message_tag(message messageHandle) uint64 {
	r1, _, _ := purego.SyscallN(addresses[27], uintptr(message))
	return uint64(r1)
}

func mcp_message_method(message messageHandle) cText {
	r1, _, _ := purego.SyscallN(addresses[28], uintptr(message))
	return cText(r1)
}

func mcp_message_topic(message messageHandle) int32 {
	r1, _, _ := purego.SyscallN(addresses[29], uintptr(message))
	return int32(r1)
}

func mcp_message_json(message messageHandle, length *uintptr) cText {
	r1, _, _ := purego.SyscallN(addresses[30], uintptr(message), uintptr(unsafe.Pointer(length)))
	return cText(r1)
}

func mcp_message_free(message messageHandle) int32 {
	r1, _, _ := purego.SyscallN(addresses[31], uintptr(message))
	return int32(r1)
}

func mcp_queue_new(configJson *byte, out *queueHandle, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[32], uintptr(unsafe.Pointer(configJson)), uintptr(unsafe.Pointer(out)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_queue_poll(queue queueHandle, timeoutMs int32, message *messageHandle) int32 {
	r1, _, _ := purego.SyscallN(addresses[33], uintptr(queue), uintptr(timeoutMs), uintptr(unsafe.Pointer(message)))
	return int32(r1)
}

func mcp_queue_wake(queue queueHandle) int32 {
	r1, _, _ := purego.SyscallN(addresses[34], uintptr(queue))
	return int32(r1)
}

func mcp_queue_fd(queue queueHandle) int32 {
	r1, _, _ := purego.SyscallN(addresses[35], uintptr(queue))
	return int32(r1)
}

func mcp_queue_free(queue queueHandle) int32 {
	r1, _, _ := purego.SyscallN(addresses[36], uintptr(queue))
	return int32(r1)
}

func mcp_client_call_tool_start(client clientHandle, name *byte, argumentsJson *byte, optionsJson *byte, tag uint64, callId *uint64, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[37], uintptr(client), uintptr(unsafe.Pointer(name)), uintptr(unsafe.Pointer(argumentsJson)), uintptr(unsafe.Pointer(optionsJson)), uintptr(tag), uintptr(unsafe.Pointer(callId)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_client_read_resource_start(client clientHandle, uri *byte, optionsJson *byte, tag uint64, callId *uint64, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[38], uintptr(client), uintptr(unsafe.Pointer(uri)), uintptr(unsafe.Pointer(optionsJson)), uintptr(tag), uintptr(unsafe.Pointer(callId)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_client_get_prompt_start(client clientHandle, name *byte, argumentsJson *byte, optionsJson *byte, tag uint64, callId *uint64, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[39], uintptr(client), uintptr(unsafe.Pointer(name)), uintptr(unsafe.Pointer(argumentsJson)), uintptr(unsafe.Pointer(optionsJson)), uintptr(tag), uintptr(unsafe.Pointer(callId)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_client_set_roots(client clientHandle, rootsJson *byte, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[40], uintptr(client), uintptr(unsafe.Pointer(rootsJson)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_client_clear_cache(client clientHandle) int32 {
	r1, _, _ := purego.SyscallN(addresses[41], uintptr(client))
	return int32(r1)
}

func mcp_request_respond_elicitation(request messageHandle, action *byte, contentJson *byte, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[42], uintptr(request), uintptr(unsafe.Pointer(action)), uintptr(unsafe.Pointer(contentJson)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_client_load_skill_start(client clientHandle, entryJson *byte, optionsJson *byte, tag uint64, callId *uint64, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[43], uintptr(client), uintptr(unsafe.Pointer(entryJson)), uintptr(unsafe.Pointer(optionsJson)), uintptr(tag), uintptr(unsafe.Pointer(callId)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_client_read_skill_file_start(client clientHandle, entryJson *byte, path *byte, optionsJson *byte, tag uint64, callId *uint64, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[44], uintptr(client), uintptr(unsafe.Pointer(entryJson)), uintptr(unsafe.Pointer(path)), uintptr(unsafe.Pointer(optionsJson)), uintptr(tag), uintptr(unsafe.Pointer(callId)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_app_new(settingsJson *byte, app *appHandle, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[45], uintptr(unsafe.Pointer(settingsJson)), uintptr(unsafe.Pointer(app)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_app_receive(app appHandle, messageJson *byte, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[46], uintptr(app), uintptr(unsafe.Pointer(messageJson)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_app_tell(app appHandle, toldJson *byte, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[47], uintptr(app), uintptr(unsafe.Pointer(toldJson)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_app_poll(app appHandle, actionJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[48], uintptr(app), uintptr(unsafe.Pointer(actionJson)))
	return int32(r1)
}

func mcp_app_policy(uiJson *byte, policyJson *cText, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[49], uintptr(unsafe.Pointer(uiJson)), uintptr(unsafe.Pointer(policyJson)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_app_free(app appHandle) int32 {
	r1, _, _ := purego.SyscallN(addresses[50], uintptr(app))
	return int32(r1)
}

func mcp_client_complete_login(client clientHandle, callbackUrl *byte, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[51], uintptr(client), uintptr(unsafe.Pointer(callbackUrl)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_client_supply_credential(client clientHandle, credential *byte, lastsMs int32, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[52], uintptr(client), uintptr(unsafe.Pointer(credential)), uintptr(lastsMs), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_client_abort_login(client clientHandle, reason *byte, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[53], uintptr(client), uintptr(unsafe.Pointer(reason)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_client_answer_auth(client clientHandle, message messageHandle, answer *byte, failure *byte, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[54], uintptr(client), uintptr(message), uintptr(unsafe.Pointer(answer)), uintptr(unsafe.Pointer(failure)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_client_logout(client clientHandle, timeoutMs int32, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[55], uintptr(client), uintptr(timeoutMs), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_uri_template_expand(uriTemplate *byte, variablesJson *byte, uri *cText, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[56], uintptr(unsafe.Pointer(uriTemplate)), uintptr(unsafe.Pointer(variablesJson)), uintptr(unsafe.Pointer(uri)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_server_new(configJson *byte, queue queueHandle, out *serverHandle, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[57], uintptr(unsafe.Pointer(configJson)), uintptr(queue), uintptr(unsafe.Pointer(out)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_server_serve(server serverHandle, endpointJson *byte, boundJson *cText, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[58], uintptr(server), uintptr(unsafe.Pointer(endpointJson)), uintptr(unsafe.Pointer(boundJson)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_server_wake(server serverHandle) int32 {
	r1, _, _ := purego.SyscallN(addresses[59], uintptr(server))
	return int32(r1)
}

func mcp_server_poll(server serverHandle, timeoutMs int32, out *messageHandle) int32 {
	r1, _, _ := purego.SyscallN(addresses[60], uintptr(server), uintptr(timeoutMs), uintptr(unsafe.Pointer(out)))
	return int32(r1)
}

func mcp_server_fd(server serverHandle) int32 {
	r1, _, _ := purego.SyscallN(addresses[61], uintptr(server))
	return int32(r1)
}

func mcp_server_resource_updated(server serverHandle, uri *byte, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[62], uintptr(server), uintptr(unsafe.Pointer(uri)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_server_log(server serverHandle, level *byte, logger *byte, dataJson *byte, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[63], uintptr(server), uintptr(unsafe.Pointer(level)), uintptr(unsafe.Pointer(logger)), uintptr(unsafe.Pointer(dataJson)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_server_info(server serverHandle, infoJson *cText, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[64], uintptr(server), uintptr(unsafe.Pointer(infoJson)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_server_close(server serverHandle, timeoutMs int32) int32 {
	r1, _, _ := purego.SyscallN(addresses[65], uintptr(server), uintptr(timeoutMs))
	return int32(r1)
}

func mcp_server_free(server serverHandle) int32 {
	r1, _, _ := purego.SyscallN(addresses[66], uintptr(server))
	return int32(r1)
}

func mcp_server_notify(server serverHandle, session uint64, method *byte, paramsJson *byte, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[67], uintptr(server), uintptr(session), uintptr(unsafe.Pointer(method)), uintptr(unsafe.Pointer(paramsJson)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_server_call_start(server serverHandle, session uint64, method *byte, paramsJson *byte, optionsJson *byte, tag uint64, callId *uint64, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[68], uintptr(server), uintptr(session), uintptr(unsafe.Pointer(method)), uintptr(unsafe.Pointer(paramsJson)), uintptr(unsafe.Pointer(optionsJson)), uintptr(tag), uintptr(unsafe.Pointer(callId)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_server_add_tool(server serverHandle, definitionJson *byte, handler uintptr, user uintptr, destroy uintptr, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[69], uintptr(server), uintptr(unsafe.Pointer(definitionJson)), handler, user, destroy, uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_server_add_resource(server serverHandle, definitionJson *byte, handler uintptr, user uintptr, destroy uintptr, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[70], uintptr(server), uintptr(unsafe.Pointer(definitionJson)), handler, user, destroy, uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_server_add_text(server serverHandle, definitionJson *byte, text *byte, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[71], uintptr(server), uintptr(unsafe.Pointer(definitionJson)), uintptr(unsafe.Pointer(text)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_server_add_blob(server serverHandle, definitionJson *byte, data *byte, length uintptr, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[72], uintptr(server), uintptr(unsafe.Pointer(definitionJson)), uintptr(unsafe.Pointer(data)), length, uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_server_add_resource_template(server serverHandle, definitionJson *byte, handler uintptr, user uintptr, destroy uintptr, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[73], uintptr(server), uintptr(unsafe.Pointer(definitionJson)), handler, user, destroy, uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_server_add_folder(server serverHandle, templateJson *byte, folder *byte, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[74], uintptr(server), uintptr(unsafe.Pointer(templateJson)), uintptr(unsafe.Pointer(folder)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_server_add_prompt(server serverHandle, definitionJson *byte, handler uintptr, user uintptr, destroy uintptr, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[75], uintptr(server), uintptr(unsafe.Pointer(definitionJson)), handler, user, destroy, uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_server_add_completion(server serverHandle, reference *byte, argument *byte, valuesJson *byte, handler uintptr, user uintptr, destroy uintptr, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[76], uintptr(server), uintptr(unsafe.Pointer(reference)), uintptr(unsafe.Pointer(argument)), uintptr(unsafe.Pointer(valuesJson)), handler, user, destroy, uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_server_add_method(server serverHandle, method *byte, capability *byte, settingsJson *byte, handler uintptr, user uintptr, destroy uintptr, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[77], uintptr(server), uintptr(unsafe.Pointer(method)), uintptr(unsafe.Pointer(capability)), uintptr(unsafe.Pointer(settingsJson)), handler, user, destroy, uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_server_remove(server serverHandle, kind *byte, name *byte, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[78], uintptr(server), uintptr(unsafe.Pointer(kind)), uintptr(unsafe.Pointer(name)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_server_add_skills(server serverHandle, folder *byte, optionsJson *byte, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[79], uintptr(server), uintptr(unsafe.Pointer(folder)), uintptr(unsafe.Pointer(optionsJson)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_request_respond_text(request messageHandle, text *byte, isError bool, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[80], uintptr(request), uintptr(unsafe.Pointer(text)), number(isError), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_request_progress(request messageHandle, progress float64, total float64, message *byte) int32 {
	return callWithDoubles(addresses[81], request, progress, total, message)
}

func mcp_request_log(request messageHandle, level *byte, logger *byte, dataJson *byte) int32 {
	r1, _, _ := purego.SyscallN(addresses[82], uintptr(request), uintptr(unsafe.Pointer(level)), uintptr(unsafe.Pointer(logger)), uintptr(unsafe.Pointer(dataJson)))
	return int32(r1)
}

func mcp_request_cancelled(request messageHandle) bool {
	r1, _, _ := purego.SyscallN(addresses[83], uintptr(request))
	return byte(r1) != 0
}

func mcp_request_ask(request messageHandle, key *byte, method *byte, paramsJson *byte, answerJson *cText, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[84], uintptr(request), uintptr(unsafe.Pointer(key)), uintptr(unsafe.Pointer(method)), uintptr(unsafe.Pointer(paramsJson)), uintptr(unsafe.Pointer(answerJson)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_request_state(request messageHandle, state *cText, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[85], uintptr(request), uintptr(unsafe.Pointer(state)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_request_set_state(request messageHandle, state *byte, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[86], uintptr(request), uintptr(unsafe.Pointer(state)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_request_start_task(request messageHandle, optionsJson *byte, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[87], uintptr(request), uintptr(unsafe.Pointer(optionsJson)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_request_close_stream(request messageHandle, retryMs int32, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[88], uintptr(request), uintptr(retryMs), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_request_context(request messageHandle, contextJson *cText, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[89], uintptr(request), uintptr(unsafe.Pointer(contextJson)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_server_http_begin(server serverHandle, method *byte, target *byte, headers *cText, peer *byte, ready uintptr, user uintptr, destroy uintptr, out *exchangeHandle, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[90], uintptr(server), uintptr(unsafe.Pointer(method)), uintptr(unsafe.Pointer(target)), uintptr(unsafe.Pointer(headers)), uintptr(unsafe.Pointer(peer)), ready, user, destroy, uintptr(unsafe.Pointer(out)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_exchange_permit(exchange exchangeHandle, timeoutMs int32, bytes *uintptr) int32 {
	r1, _, _ := purego.SyscallN(addresses[91], uintptr(exchange), uintptr(timeoutMs), uintptr(unsafe.Pointer(bytes)))
	return int32(r1)
}

func mcp_exchange_write(exchange exchangeHandle, part *byte, length uintptr, isLast bool) int32 {
	r1, _, _ := purego.SyscallN(addresses[92], uintptr(exchange), uintptr(unsafe.Pointer(part)), length, number(isLast))
	return int32(r1)
}

func mcp_exchange_head(exchange exchangeHandle, timeoutMs int32, status *int32, length *int64) int32 {
	r1, _, _ := purego.SyscallN(addresses[93], uintptr(exchange), uintptr(timeoutMs), uintptr(unsafe.Pointer(status)), uintptr(unsafe.Pointer(length)))
	return int32(r1)
}

func mcp_exchange_header(exchange exchangeHandle, index uintptr, value *cText) cText {
	r1, _, _ := purego.SyscallN(addresses[94], uintptr(exchange), index, uintptr(unsafe.Pointer(value)))
	return cText(r1)
}

func mcp_exchange_read(exchange exchangeHandle, timeoutMs int32, into *byte, size uintptr, length *uintptr) int32 {
	r1, _, _ := purego.SyscallN(addresses[95], uintptr(exchange), uintptr(timeoutMs), uintptr(unsafe.Pointer(into)), size, uintptr(unsafe.Pointer(length)))
	return int32(r1)
}

func mcp_exchange_free(exchange exchangeHandle) int32 {
	r1, _, _ := purego.SyscallN(addresses[96], uintptr(exchange))
	return int32(r1)
}

func mcp_telemetry_set(optionsJson *byte, span uintptr, user uintptr, destroy uintptr, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[97], uintptr(unsafe.Pointer(optionsJson)), span, user, destroy, uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}

func mcp_client_new_in_process(configJson *byte, queue queueHandle, server serverHandle, out *clientHandle, errorJson *cText) int32 {
	r1, _, _ := purego.SyscallN(addresses[98], uintptr(unsafe.Pointer(configJson)), uintptr(queue), uintptr(server), uintptr(unsafe.Pointer(out)), uintptr(unsafe.Pointer(errorJson)))
	return int32(r1)
}
