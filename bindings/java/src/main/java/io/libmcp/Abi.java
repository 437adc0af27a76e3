// Written from include/mcp.h by `cargo xtask bindings`; do not edit.

package io.libmcp;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The functions of the C API. Each is looked up when it is called for the first time. */
final class Abi {
    static final int VERSION = 1;

    static final int KIND_REPLY = 1;
    static final int KIND_NOTIFICATION = 2;
    static final int KIND_REQUEST = 3;
    static final int KIND_PROGRESS = 4;
    static final int KIND_STATE = 5;
    static final int KIND_AUTH = 6;
    static final int KIND_STDERR = 7;
    static final int KIND_LOST = 8;

    static final int JSON_ABSENT = 0;
    static final int JSON_NULL = 1;
    static final int JSON_BOOLEAN = 2;
    static final int JSON_NUMBER = 3;
    static final int JSON_STRING = 4;
    static final int JSON_ARRAY = 5;
    static final int JSON_OBJECT = 6;

    /** {@code mcp_value_t}: four numbers, which only the library understands. */
    static final StructLayout VALUE = MemoryLayout.structLayout(
            ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);

    private Abi() {
    }

    private static RuntimeException failed(Throwable failure) {
        // The functions of the library throw nothing: this is a link that failed, or a fault of the virtual machine.
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof RuntimeException known ? known : new IllegalStateException(failure);
    }

    private static final class handle_mcp_version {
        static final MethodHandle HANDLE = Library.function("mcp_version",
                FunctionDescriptor.of(ValueLayout.ADDRESS));
    }

    static MemorySegment mcp_version() {
        try {
            return (MemorySegment) handle_mcp_version.HANDLE.invokeExact();
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_abi_version {
        static final MethodHandle HANDLE = Library.function("mcp_abi_version",
                FunctionDescriptor.of(ValueLayout.JAVA_INT));
    }

    static int mcp_abi_version() {
        try {
            return (int) handle_mcp_abi_version.HANDLE.invokeExact();
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_features {
        static final MethodHandle HANDLE = Library.function("mcp_features",
                FunctionDescriptor.of(ValueLayout.JAVA_INT));
    }

    static int mcp_features() {
        try {
            return (int) handle_mcp_features.HANDLE.invokeExact();
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_status_name {
        static final MethodHandle HANDLE = Library.function("mcp_status_name",
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    }

    static MemorySegment mcp_status_name(int status) {
        try {
            return (MemorySegment) handle_mcp_status_name.HANDLE.invokeExact(status);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_kind_name {
        static final MethodHandle HANDLE = Library.function("mcp_kind_name",
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    }

    static MemorySegment mcp_kind_name(int kind) {
        try {
            return (MemorySegment) handle_mcp_kind_name.HANDLE.invokeExact(kind);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_topic_name {
        static final MethodHandle HANDLE = Library.function("mcp_topic_name",
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    }

    static MemorySegment mcp_topic_name(int topic) {
        try {
            return (MemorySegment) handle_mcp_topic_name.HANDLE.invokeExact(topic);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_string_free {
        static final MethodHandle HANDLE = Library.function("mcp_string_free",
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));
    }

    static void mcp_string_free(MemorySegment text) {
        try {
            handle_mcp_string_free.HANDLE.invokeExact(text);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_log_set_logger {
        static final MethodHandle HANDLE = Library.function("mcp_log_set_logger",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_log_set_logger(MemorySegment log, int level, MemorySegment user, MemorySegment destroy) {
        try {
            return (int) handle_mcp_log_set_logger.HANDLE.invokeExact(log, level, user, destroy);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_new {
        static final MethodHandle HANDLE = Library.function("mcp_client_new",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_new(MemorySegment configJson, MemorySegment queue, MemorySegment out, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_client_new.HANDLE.invokeExact(configJson, queue, out, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_queue {
        static final MethodHandle HANDLE = Library.function("mcp_client_queue",
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static MemorySegment mcp_client_queue(MemorySegment client) {
        try {
            return (MemorySegment) handle_mcp_client_queue.HANDLE.invokeExact(client);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_set_user {
        static final MethodHandle HANDLE = Library.function("mcp_client_set_user",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_set_user(MemorySegment client, MemorySegment user) {
        try {
            return (int) handle_mcp_client_set_user.HANDLE.invokeExact(client, user);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_user {
        static final MethodHandle HANDLE = Library.function("mcp_client_user",
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static MemorySegment mcp_client_user(MemorySegment client) {
        try {
            return (MemorySegment) handle_mcp_client_user.HANDLE.invokeExact(client);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_connect {
        static final MethodHandle HANDLE = Library.function("mcp_client_connect",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_client_connect(MemorySegment client, int timeoutMs, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_client_connect.HANDLE.invokeExact(client, timeoutMs, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_connect_start {
        static final MethodHandle HANDLE = Library.function("mcp_client_connect_start",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_connect_start(MemorySegment client, int timeoutMs, long tag, MemorySegment callId, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_client_connect_start.HANDLE.invokeExact(client, timeoutMs, tag, callId, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_state {
        static final MethodHandle HANDLE = Library.function("mcp_client_state",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_client_state(MemorySegment client) {
        try {
            return (int) handle_mcp_client_state.HANDLE.invokeExact(client);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_state_name {
        static final MethodHandle HANDLE = Library.function("mcp_client_state_name",
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    }

    static MemorySegment mcp_client_state_name(int state) {
        try {
            return (MemorySegment) handle_mcp_client_state_name.HANDLE.invokeExact(state);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_info {
        static final MethodHandle HANDLE = Library.function("mcp_client_info",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_info(MemorySegment client, MemorySegment infoJson, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_client_info.HANDLE.invokeExact(client, infoJson, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_close {
        static final MethodHandle HANDLE = Library.function("mcp_client_close",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    }

    static int mcp_client_close(MemorySegment client, int timeoutMs) {
        try {
            return (int) handle_mcp_client_close.HANDLE.invokeExact(client, timeoutMs);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_free {
        static final MethodHandle HANDLE = Library.function("mcp_client_free",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_client_free(MemorySegment client) {
        try {
            return (int) handle_mcp_client_free.HANDLE.invokeExact(client);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_config_servers {
        static final MethodHandle HANDLE = Library.function("mcp_config_servers",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_config_servers(MemorySegment path, MemorySegment serversJson, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_config_servers.HANDLE.invokeExact(path, serversJson, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_config_load {
        static final MethodHandle HANDLE = Library.function("mcp_config_load",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_config_load(MemorySegment path, MemorySegment serverName, MemorySegment configJson, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_config_load.HANDLE.invokeExact(path, serverName, configJson, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_config_open {
        static final MethodHandle HANDLE = Library.function("mcp_config_open",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_config_open(MemorySegment path, MemorySegment queue, MemorySegment optionsJson, MemorySegment opened, MemorySegment user, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_config_open.HANDLE.invokeExact(path, queue, optionsJson, opened, user, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_call {
        static final MethodHandle HANDLE = Library.function("mcp_call",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_call(MemorySegment client, MemorySegment method, MemorySegment paramsJson, MemorySegment optionsJson, MemorySegment reply) {
        try {
            return (int) handle_mcp_call.HANDLE.invokeExact(client, method, paramsJson, optionsJson, reply);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_call_start {
        static final MethodHandle HANDLE = Library.function("mcp_call_start",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_call_start(MemorySegment client, MemorySegment method, MemorySegment paramsJson, MemorySegment optionsJson, long tag, MemorySegment callId, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_call_start.HANDLE.invokeExact(client, method, paramsJson, optionsJson, tag, callId, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_call_wait {
        static final MethodHandle HANDLE = Library.function("mcp_call_wait",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_call_wait(MemorySegment client, long callId, int timeoutMs, MemorySegment reply) {
        try {
            return (int) handle_mcp_call_wait.HANDLE.invokeExact(client, callId, timeoutMs, reply);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_call_cancel {
        static final MethodHandle HANDLE = Library.function("mcp_call_cancel",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
    }

    static int mcp_call_cancel(MemorySegment client, long callId, MemorySegment reason) {
        try {
            return (int) handle_mcp_call_cancel.HANDLE.invokeExact(client, callId, reason);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_notify {
        static final MethodHandle HANDLE = Library.function("mcp_client_notify",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_notify(MemorySegment client, MemorySegment method, MemorySegment paramsJson, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_client_notify.HANDLE.invokeExact(client, method, paramsJson, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_request_respond {
        static final MethodHandle HANDLE = Library.function("mcp_request_respond",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_request_respond(MemorySegment request, MemorySegment resultJson, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_request_respond.HANDLE.invokeExact(request, resultJson, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_request_respond_error {
        static final MethodHandle HANDLE = Library.function("mcp_request_respond_error",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_request_respond_error(MemorySegment request, int code, MemorySegment text, MemorySegment dataJson, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_request_respond_error.HANDLE.invokeExact(request, code, text, dataJson, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_poll {
        static final MethodHandle HANDLE = Library.function("mcp_client_poll",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_client_poll(MemorySegment client, int timeoutMs, MemorySegment message) {
        try {
            return (int) handle_mcp_client_poll.HANDLE.invokeExact(client, timeoutMs, message);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_wake {
        static final MethodHandle HANDLE = Library.function("mcp_client_wake",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_client_wake(MemorySegment client) {
        try {
            return (int) handle_mcp_client_wake.HANDLE.invokeExact(client);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_interrupt {
        static final MethodHandle HANDLE = Library.function("mcp_client_interrupt",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_client_interrupt(MemorySegment client) {
        try {
            return (int) handle_mcp_client_interrupt.HANDLE.invokeExact(client);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_poll_notification {
        static final MethodHandle HANDLE = Library.function("mcp_poll_notification",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_poll_notification(MemorySegment client, int timeoutMs, MemorySegment message) {
        try {
            return (int) handle_mcp_poll_notification.HANDLE.invokeExact(client, timeoutMs, message);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_fd {
        static final MethodHandle HANDLE = Library.function("mcp_client_fd",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_client_fd(MemorySegment client) {
        try {
            return (int) handle_mcp_client_fd.HANDLE.invokeExact(client);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_message_kind {
        static final MethodHandle HANDLE = Library.function("mcp_message_kind",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_message_kind(MemorySegment message) {
        try {
            return (int) handle_mcp_message_kind.HANDLE.invokeExact(message);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_message_status {
        static final MethodHandle HANDLE = Library.function("mcp_message_status",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_message_status(MemorySegment message) {
        try {
            return (int) handle_mcp_message_status.HANDLE.invokeExact(message);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_message_client {
        static final MethodHandle HANDLE = Library.function("mcp_message_client",
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static MemorySegment mcp_message_client(MemorySegment message) {
        try {
            return (MemorySegment) handle_mcp_message_client.HANDLE.invokeExact(message);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_message_server {
        static final MethodHandle HANDLE = Library.function("mcp_message_server",
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static MemorySegment mcp_message_server(MemorySegment message) {
        try {
            return (MemorySegment) handle_mcp_message_server.HANDLE.invokeExact(message);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_message_call_id {
        static final MethodHandle HANDLE = Library.function("mcp_message_call_id",
                FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
    }

    static long mcp_message_call_id(MemorySegment message) {
        try {
            return (long) handle_mcp_message_call_id.HANDLE.invokeExact(message);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_message_tag {
        static final MethodHandle HANDLE = Library.function("mcp_message_tag",
                FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
    }

    static long mcp_message_tag(MemorySegment message) {
        try {
            return (long) handle_mcp_message_tag.HANDLE.invokeExact(message);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_message_method {
        static final MethodHandle HANDLE = Library.function("mcp_message_method",
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static MemorySegment mcp_message_method(MemorySegment message) {
        try {
            return (MemorySegment) handle_mcp_message_method.HANDLE.invokeExact(message);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_message_topic {
        static final MethodHandle HANDLE = Library.function("mcp_message_topic",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_message_topic(MemorySegment message) {
        try {
            return (int) handle_mcp_message_topic.HANDLE.invokeExact(message);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_message_json {
        static final MethodHandle HANDLE = Library.function("mcp_message_json",
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static MemorySegment mcp_message_json(MemorySegment message, MemorySegment length) {
        try {
            return (MemorySegment) handle_mcp_message_json.HANDLE.invokeExact(message, length);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_message_text {
        static final MethodHandle HANDLE = Library.function("mcp_message_text",
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static MemorySegment mcp_message_text(MemorySegment message, MemorySegment length) {
        try {
            return (MemorySegment) handle_mcp_message_text.HANDLE.invokeExact(message, length);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_message_is_tool_error {
        static final MethodHandle HANDLE = Library.function("mcp_message_is_tool_error",
                FunctionDescriptor.of(ValueLayout.JAVA_BOOLEAN, ValueLayout.ADDRESS));
    }

    static boolean mcp_message_is_tool_error(MemorySegment message) {
        try {
            return (boolean) handle_mcp_message_is_tool_error.HANDLE.invokeExact(message);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_message_error {
        static final MethodHandle HANDLE = Library.function("mcp_message_error",
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static MemorySegment mcp_message_error(MemorySegment message, MemorySegment length) {
        try {
            return (MemorySegment) handle_mcp_message_error.HANDLE.invokeExact(message, length);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_message_free {
        static final MethodHandle HANDLE = Library.function("mcp_message_free",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_message_free(MemorySegment message) {
        try {
            return (int) handle_mcp_message_free.HANDLE.invokeExact(message);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_queue_new {
        static final MethodHandle HANDLE = Library.function("mcp_queue_new",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_queue_new(MemorySegment configJson, MemorySegment out, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_queue_new.HANDLE.invokeExact(configJson, out, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_queue_poll {
        static final MethodHandle HANDLE = Library.function("mcp_queue_poll",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_queue_poll(MemorySegment queue, int timeoutMs, MemorySegment message) {
        try {
            return (int) handle_mcp_queue_poll.HANDLE.invokeExact(queue, timeoutMs, message);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_queue_wake {
        static final MethodHandle HANDLE = Library.function("mcp_queue_wake",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_queue_wake(MemorySegment queue) {
        try {
            return (int) handle_mcp_queue_wake.HANDLE.invokeExact(queue);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_queue_fd {
        static final MethodHandle HANDLE = Library.function("mcp_queue_fd",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_queue_fd(MemorySegment queue) {
        try {
            return (int) handle_mcp_queue_fd.HANDLE.invokeExact(queue);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_queue_on_ready {
        static final MethodHandle HANDLE = Library.function("mcp_queue_on_ready",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_queue_on_ready(MemorySegment queue, MemorySegment ready, MemorySegment user, MemorySegment destroy) {
        try {
            return (int) handle_mcp_queue_on_ready.HANDLE.invokeExact(queue, ready, user, destroy);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_queue_free {
        static final MethodHandle HANDLE = Library.function("mcp_queue_free",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_queue_free(MemorySegment queue) {
        try {
            return (int) handle_mcp_queue_free.HANDLE.invokeExact(queue);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_list_tools {
        static final MethodHandle HANDLE = Library.function("mcp_client_list_tools",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_list_tools(MemorySegment client, MemorySegment optionsJson, MemorySegment reply) {
        try {
            return (int) handle_mcp_client_list_tools.HANDLE.invokeExact(client, optionsJson, reply);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_call_tool {
        static final MethodHandle HANDLE = Library.function("mcp_client_call_tool",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_call_tool(MemorySegment client, MemorySegment name, MemorySegment argumentsJson, MemorySegment optionsJson, MemorySegment reply) {
        try {
            return (int) handle_mcp_client_call_tool.HANDLE.invokeExact(client, name, argumentsJson, optionsJson, reply);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_call_tool_start {
        static final MethodHandle HANDLE = Library.function("mcp_client_call_tool_start",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_call_tool_start(MemorySegment client, MemorySegment name, MemorySegment argumentsJson, MemorySegment optionsJson, long tag, MemorySegment callId, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_client_call_tool_start.HANDLE.invokeExact(client, name, argumentsJson, optionsJson, tag, callId, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_read_resource {
        static final MethodHandle HANDLE = Library.function("mcp_client_read_resource",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_read_resource(MemorySegment client, MemorySegment uri, MemorySegment optionsJson, MemorySegment reply) {
        try {
            return (int) handle_mcp_client_read_resource.HANDLE.invokeExact(client, uri, optionsJson, reply);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_read_resource_start {
        static final MethodHandle HANDLE = Library.function("mcp_client_read_resource_start",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_read_resource_start(MemorySegment client, MemorySegment uri, MemorySegment optionsJson, long tag, MemorySegment callId, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_client_read_resource_start.HANDLE.invokeExact(client, uri, optionsJson, tag, callId, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_subscribe_resource {
        static final MethodHandle HANDLE = Library.function("mcp_client_subscribe_resource",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_subscribe_resource(MemorySegment client, MemorySegment uri, MemorySegment optionsJson, MemorySegment reply) {
        try {
            return (int) handle_mcp_client_subscribe_resource.HANDLE.invokeExact(client, uri, optionsJson, reply);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_unsubscribe_resource {
        static final MethodHandle HANDLE = Library.function("mcp_client_unsubscribe_resource",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_unsubscribe_resource(MemorySegment client, MemorySegment uri, MemorySegment optionsJson, MemorySegment reply) {
        try {
            return (int) handle_mcp_client_unsubscribe_resource.HANDLE.invokeExact(client, uri, optionsJson, reply);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_get_prompt {
        static final MethodHandle HANDLE = Library.function("mcp_client_get_prompt",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_get_prompt(MemorySegment client, MemorySegment name, MemorySegment argumentsJson, MemorySegment optionsJson, MemorySegment reply) {
        try {
            return (int) handle_mcp_client_get_prompt.HANDLE.invokeExact(client, name, argumentsJson, optionsJson, reply);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_get_prompt_start {
        static final MethodHandle HANDLE = Library.function("mcp_client_get_prompt_start",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_get_prompt_start(MemorySegment client, MemorySegment name, MemorySegment argumentsJson, MemorySegment optionsJson, long tag, MemorySegment callId, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_client_get_prompt_start.HANDLE.invokeExact(client, name, argumentsJson, optionsJson, tag, callId, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_complete {
        static final MethodHandle HANDLE = Library.function("mcp_client_complete",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_complete(MemorySegment client, MemorySegment refJson, MemorySegment argument, MemorySegment value, MemorySegment settledJson, MemorySegment optionsJson, MemorySegment reply) {
        try {
            return (int) handle_mcp_client_complete.HANDLE.invokeExact(client, refJson, argument, value, settledJson, optionsJson, reply);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_set_server_log_level {
        static final MethodHandle HANDLE = Library.function("mcp_client_set_server_log_level",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_set_server_log_level(MemorySegment client, MemorySegment level, MemorySegment optionsJson, MemorySegment reply) {
        try {
            return (int) handle_mcp_client_set_server_log_level.HANDLE.invokeExact(client, level, optionsJson, reply);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_set_roots {
        static final MethodHandle HANDLE = Library.function("mcp_client_set_roots",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_set_roots(MemorySegment client, MemorySegment rootsJson, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_client_set_roots.HANDLE.invokeExact(client, rootsJson, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_clear_cache {
        static final MethodHandle HANDLE = Library.function("mcp_client_clear_cache",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_client_clear_cache(MemorySegment client) {
        try {
            return (int) handle_mcp_client_clear_cache.HANDLE.invokeExact(client);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_request_respond_elicitation {
        static final MethodHandle HANDLE = Library.function("mcp_request_respond_elicitation",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_request_respond_elicitation(MemorySegment request, MemorySegment action, MemorySegment contentJson, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_request_respond_elicitation.HANDLE.invokeExact(request, action, contentJson, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_get_task {
        static final MethodHandle HANDLE = Library.function("mcp_client_get_task",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_get_task(MemorySegment client, MemorySegment taskId, MemorySegment optionsJson, MemorySegment reply) {
        try {
            return (int) handle_mcp_client_get_task.HANDLE.invokeExact(client, taskId, optionsJson, reply);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_get_task_result {
        static final MethodHandle HANDLE = Library.function("mcp_client_get_task_result",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_get_task_result(MemorySegment client, MemorySegment taskId, MemorySegment optionsJson, MemorySegment reply) {
        try {
            return (int) handle_mcp_client_get_task_result.HANDLE.invokeExact(client, taskId, optionsJson, reply);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_cancel_task {
        static final MethodHandle HANDLE = Library.function("mcp_client_cancel_task",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_cancel_task(MemorySegment client, MemorySegment taskId, MemorySegment optionsJson, MemorySegment reply) {
        try {
            return (int) handle_mcp_client_cancel_task.HANDLE.invokeExact(client, taskId, optionsJson, reply);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_load_skill {
        static final MethodHandle HANDLE = Library.function("mcp_client_load_skill",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_load_skill(MemorySegment client, MemorySegment entryJson, MemorySegment optionsJson, MemorySegment reply) {
        try {
            return (int) handle_mcp_client_load_skill.HANDLE.invokeExact(client, entryJson, optionsJson, reply);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_load_skill_start {
        static final MethodHandle HANDLE = Library.function("mcp_client_load_skill_start",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_load_skill_start(MemorySegment client, MemorySegment entryJson, MemorySegment optionsJson, long tag, MemorySegment callId, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_client_load_skill_start.HANDLE.invokeExact(client, entryJson, optionsJson, tag, callId, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_read_skill_file {
        static final MethodHandle HANDLE = Library.function("mcp_client_read_skill_file",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_read_skill_file(MemorySegment client, MemorySegment entryJson, MemorySegment path, MemorySegment optionsJson, MemorySegment reply) {
        try {
            return (int) handle_mcp_client_read_skill_file.HANDLE.invokeExact(client, entryJson, path, optionsJson, reply);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_read_skill_file_start {
        static final MethodHandle HANDLE = Library.function("mcp_client_read_skill_file_start",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_read_skill_file_start(MemorySegment client, MemorySegment entryJson, MemorySegment path, MemorySegment optionsJson, long tag, MemorySegment callId, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_client_read_skill_file_start.HANDLE.invokeExact(client, entryJson, path, optionsJson, tag, callId, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_app_new {
        static final MethodHandle HANDLE = Library.function("mcp_app_new",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_app_new(MemorySegment settingsJson, MemorySegment app, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_app_new.HANDLE.invokeExact(settingsJson, app, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_app_receive {
        static final MethodHandle HANDLE = Library.function("mcp_app_receive",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_app_receive(MemorySegment app, MemorySegment messageJson, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_app_receive.HANDLE.invokeExact(app, messageJson, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_app_tell {
        static final MethodHandle HANDLE = Library.function("mcp_app_tell",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_app_tell(MemorySegment app, MemorySegment toldJson, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_app_tell.HANDLE.invokeExact(app, toldJson, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_app_poll {
        static final MethodHandle HANDLE = Library.function("mcp_app_poll",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_app_poll(MemorySegment app, MemorySegment actionJson) {
        try {
            return (int) handle_mcp_app_poll.HANDLE.invokeExact(app, actionJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_app_policy {
        static final MethodHandle HANDLE = Library.function("mcp_app_policy",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_app_policy(MemorySegment uiJson, MemorySegment policyJson, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_app_policy.HANDLE.invokeExact(uiJson, policyJson, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_app_free {
        static final MethodHandle HANDLE = Library.function("mcp_app_free",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_app_free(MemorySegment app) {
        try {
            return (int) handle_mcp_app_free.HANDLE.invokeExact(app);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_complete_login {
        static final MethodHandle HANDLE = Library.function("mcp_client_complete_login",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_complete_login(MemorySegment client, MemorySegment callbackUrl, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_client_complete_login.HANDLE.invokeExact(client, callbackUrl, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_supply_credential {
        static final MethodHandle HANDLE = Library.function("mcp_client_supply_credential",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_client_supply_credential(MemorySegment client, MemorySegment credential, int lastsMs, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_client_supply_credential.HANDLE.invokeExact(client, credential, lastsMs, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_abort_login {
        static final MethodHandle HANDLE = Library.function("mcp_client_abort_login",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_abort_login(MemorySegment client, MemorySegment reason, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_client_abort_login.HANDLE.invokeExact(client, reason, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_answer_auth {
        static final MethodHandle HANDLE = Library.function("mcp_client_answer_auth",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_answer_auth(MemorySegment client, MemorySegment message, MemorySegment answer, MemorySegment failure, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_client_answer_auth.HANDLE.invokeExact(client, message, answer, failure, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_logout {
        static final MethodHandle HANDLE = Library.function("mcp_client_logout",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_client_logout(MemorySegment client, int timeoutMs, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_client_logout.HANDLE.invokeExact(client, timeoutMs, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_message_value {
        static final MethodHandle HANDLE = Library.function("mcp_message_value",
                FunctionDescriptor.of(VALUE, ValueLayout.ADDRESS));
    }

    static MemorySegment mcp_message_value(SegmentAllocator room, MemorySegment message) {
        try {
            return (MemorySegment) handle_mcp_message_value.HANDLE.invokeExact(room, message);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_value_type {
        static final MethodHandle HANDLE = Library.function("mcp_value_type",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, VALUE));
    }

    static int mcp_value_type(MemorySegment value) {
        try {
            return (int) handle_mcp_value_type.HANDLE.invokeExact(value);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_value_get {
        static final MethodHandle HANDLE = Library.function("mcp_value_get",
                FunctionDescriptor.of(VALUE, VALUE, ValueLayout.ADDRESS));
    }

    static MemorySegment mcp_value_get(SegmentAllocator room, MemorySegment value, MemorySegment name) {
        try {
            return (MemorySegment) handle_mcp_value_get.HANDLE.invokeExact(room, value, name);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_value_at {
        static final MethodHandle HANDLE = Library.function("mcp_value_at",
                FunctionDescriptor.of(VALUE, VALUE, ValueLayout.JAVA_LONG));
    }

    static MemorySegment mcp_value_at(SegmentAllocator room, MemorySegment value, long index) {
        try {
            return (MemorySegment) handle_mcp_value_at.HANDLE.invokeExact(room, value, index);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_value_first {
        static final MethodHandle HANDLE = Library.function("mcp_value_first",
                FunctionDescriptor.of(VALUE, VALUE));
    }

    static MemorySegment mcp_value_first(SegmentAllocator room, MemorySegment value) {
        try {
            return (MemorySegment) handle_mcp_value_first.HANDLE.invokeExact(room, value);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_value_next {
        static final MethodHandle HANDLE = Library.function("mcp_value_next",
                FunctionDescriptor.of(VALUE, VALUE));
    }

    static MemorySegment mcp_value_next(SegmentAllocator room, MemorySegment value) {
        try {
            return (MemorySegment) handle_mcp_value_next.HANDLE.invokeExact(room, value);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_value_key {
        static final MethodHandle HANDLE = Library.function("mcp_value_key",
                FunctionDescriptor.of(VALUE, VALUE));
    }

    static MemorySegment mcp_value_key(SegmentAllocator room, MemorySegment value) {
        try {
            return (MemorySegment) handle_mcp_value_key.HANDLE.invokeExact(room, value);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_value_size {
        static final MethodHandle HANDLE = Library.function("mcp_value_size",
                FunctionDescriptor.of(ValueLayout.JAVA_LONG, VALUE));
    }

    static long mcp_value_size(MemorySegment value) {
        try {
            return (long) handle_mcp_value_size.HANDLE.invokeExact(value);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_value_int64 {
        static final MethodHandle HANDLE = Library.function("mcp_value_int64",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, VALUE, ValueLayout.ADDRESS));
    }

    static int mcp_value_int64(MemorySegment value, MemorySegment out) {
        try {
            return (int) handle_mcp_value_int64.HANDLE.invokeExact(value, out);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_value_double {
        static final MethodHandle HANDLE = Library.function("mcp_value_double",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, VALUE, ValueLayout.ADDRESS));
    }

    static int mcp_value_double(MemorySegment value, MemorySegment out) {
        try {
            return (int) handle_mcp_value_double.HANDLE.invokeExact(value, out);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_value_bool {
        static final MethodHandle HANDLE = Library.function("mcp_value_bool",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, VALUE, ValueLayout.ADDRESS));
    }

    static int mcp_value_bool(MemorySegment value, MemorySegment out) {
        try {
            return (int) handle_mcp_value_bool.HANDLE.invokeExact(value, out);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_value_string {
        static final MethodHandle HANDLE = Library.function("mcp_value_string",
                FunctionDescriptor.of(ValueLayout.ADDRESS, VALUE, ValueLayout.ADDRESS));
    }

    static MemorySegment mcp_value_string(MemorySegment value, MemorySegment length) {
        try {
            return (MemorySegment) handle_mcp_value_string.HANDLE.invokeExact(value, length);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_value_view {
        static final MethodHandle HANDLE = Library.function("mcp_value_view",
                FunctionDescriptor.of(ValueLayout.ADDRESS, VALUE, ValueLayout.ADDRESS));
    }

    static MemorySegment mcp_value_view(MemorySegment value, MemorySegment length) {
        try {
            return (MemorySegment) handle_mcp_value_view.HANDLE.invokeExact(value, length);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_value_is {
        static final MethodHandle HANDLE = Library.function("mcp_value_is",
                FunctionDescriptor.of(ValueLayout.JAVA_BOOLEAN, VALUE, ValueLayout.ADDRESS));
    }

    static boolean mcp_value_is(MemorySegment value, MemorySegment other) {
        try {
            return (boolean) handle_mcp_value_is.HANDLE.invokeExact(value, other);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_value_json {
        static final MethodHandle HANDLE = Library.function("mcp_value_json",
                FunctionDescriptor.of(ValueLayout.ADDRESS, VALUE, ValueLayout.ADDRESS));
    }

    static MemorySegment mcp_value_json(MemorySegment value, MemorySegment length) {
        try {
            return (MemorySegment) handle_mcp_value_json.HANDLE.invokeExact(value, length);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_document_new {
        static final MethodHandle HANDLE = Library.function("mcp_document_new",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_document_new(MemorySegment json, long length, MemorySegment out, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_document_new.HANDLE.invokeExact(json, length, out, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_document_value {
        static final MethodHandle HANDLE = Library.function("mcp_document_value",
                FunctionDescriptor.of(VALUE, ValueLayout.ADDRESS));
    }

    static MemorySegment mcp_document_value(SegmentAllocator room, MemorySegment document) {
        try {
            return (MemorySegment) handle_mcp_document_value.HANDLE.invokeExact(room, document);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_document_free {
        static final MethodHandle HANDLE = Library.function("mcp_document_free",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_document_free(MemorySegment document) {
        try {
            return (int) handle_mcp_document_free.HANDLE.invokeExact(document);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_builder_new {
        static final MethodHandle HANDLE = Library.function("mcp_builder_new",
                FunctionDescriptor.of(ValueLayout.ADDRESS));
    }

    static MemorySegment mcp_builder_new() {
        try {
            return (MemorySegment) handle_mcp_builder_new.HANDLE.invokeExact();
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_builder_begin_object {
        static final MethodHandle HANDLE = Library.function("mcp_builder_begin_object",
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));
    }

    static void mcp_builder_begin_object(MemorySegment builder) {
        try {
            handle_mcp_builder_begin_object.HANDLE.invokeExact(builder);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_builder_begin_array {
        static final MethodHandle HANDLE = Library.function("mcp_builder_begin_array",
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));
    }

    static void mcp_builder_begin_array(MemorySegment builder) {
        try {
            handle_mcp_builder_begin_array.HANDLE.invokeExact(builder);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_builder_end {
        static final MethodHandle HANDLE = Library.function("mcp_builder_end",
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));
    }

    static void mcp_builder_end(MemorySegment builder) {
        try {
            handle_mcp_builder_end.HANDLE.invokeExact(builder);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_builder_key {
        static final MethodHandle HANDLE = Library.function("mcp_builder_key",
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static void mcp_builder_key(MemorySegment builder, MemorySegment key) {
        try {
            handle_mcp_builder_key.HANDLE.invokeExact(builder, key);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_builder_string {
        static final MethodHandle HANDLE = Library.function("mcp_builder_string",
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static void mcp_builder_string(MemorySegment builder, MemorySegment text) {
        try {
            handle_mcp_builder_string.HANDLE.invokeExact(builder, text);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_builder_key_view {
        static final MethodHandle HANDLE = Library.function("mcp_builder_key_view",
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
    }

    static void mcp_builder_key_view(MemorySegment builder, MemorySegment text, long length) {
        try {
            handle_mcp_builder_key_view.HANDLE.invokeExact(builder, text, length);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_builder_string_view {
        static final MethodHandle HANDLE = Library.function("mcp_builder_string_view",
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
    }

    static void mcp_builder_string_view(MemorySegment builder, MemorySegment text, long length) {
        try {
            handle_mcp_builder_string_view.HANDLE.invokeExact(builder, text, length);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_builder_int64 {
        static final MethodHandle HANDLE = Library.function("mcp_builder_int64",
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
    }

    static void mcp_builder_int64(MemorySegment builder, long number) {
        try {
            handle_mcp_builder_int64.HANDLE.invokeExact(builder, number);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_builder_double {
        static final MethodHandle HANDLE = Library.function("mcp_builder_double",
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_DOUBLE));
    }

    static void mcp_builder_double(MemorySegment builder, double number) {
        try {
            handle_mcp_builder_double.HANDLE.invokeExact(builder, number);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_builder_bool {
        static final MethodHandle HANDLE = Library.function("mcp_builder_bool",
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_BOOLEAN));
    }

    static void mcp_builder_bool(MemorySegment builder, boolean value) {
        try {
            handle_mcp_builder_bool.HANDLE.invokeExact(builder, value);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_builder_null {
        static final MethodHandle HANDLE = Library.function("mcp_builder_null",
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));
    }

    static void mcp_builder_null(MemorySegment builder) {
        try {
            handle_mcp_builder_null.HANDLE.invokeExact(builder);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_builder_json {
        static final MethodHandle HANDLE = Library.function("mcp_builder_json",
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static void mcp_builder_json(MemorySegment builder, MemorySegment json) {
        try {
            handle_mcp_builder_json.HANDLE.invokeExact(builder, json);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_builder_value {
        static final MethodHandle HANDLE = Library.function("mcp_builder_value",
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, VALUE));
    }

    static void mcp_builder_value(MemorySegment builder, MemorySegment value) {
        try {
            handle_mcp_builder_value.HANDLE.invokeExact(builder, value);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_builder_finish {
        static final MethodHandle HANDLE = Library.function("mcp_builder_finish",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_builder_finish(MemorySegment builder, MemorySegment json, MemorySegment length, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_builder_finish.HANDLE.invokeExact(builder, json, length, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_builder_free {
        static final MethodHandle HANDLE = Library.function("mcp_builder_free",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_builder_free(MemorySegment builder) {
        try {
            return (int) handle_mcp_builder_free.HANDLE.invokeExact(builder);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_json_get {
        static final MethodHandle HANDLE = Library.function("mcp_json_get",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_json_get(MemorySegment json, MemorySegment pointer, MemorySegment value, MemorySegment length) {
        try {
            return (int) handle_mcp_json_get.HANDLE.invokeExact(json, pointer, value, length);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_error_text {
        static final MethodHandle HANDLE = Library.function("mcp_error_text",
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
    }

    static MemorySegment mcp_error_text(MemorySegment errorJson, MemorySegment buffer, long size) {
        try {
            return (MemorySegment) handle_mcp_error_text.HANDLE.invokeExact(errorJson, buffer, size);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_json_quote {
        static final MethodHandle HANDLE = Library.function("mcp_json_quote",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_json_quote(MemorySegment text, MemorySegment quoted) {
        try {
            return (int) handle_mcp_json_quote.HANDLE.invokeExact(text, quoted);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_uri_template_expand {
        static final MethodHandle HANDLE = Library.function("mcp_uri_template_expand",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_uri_template_expand(MemorySegment uriTemplate, MemorySegment variablesJson, MemorySegment uri, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_uri_template_expand.HANDLE.invokeExact(uriTemplate, variablesJson, uri, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_new {
        static final MethodHandle HANDLE = Library.function("mcp_server_new",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_server_new(MemorySegment configJson, MemorySegment queue, MemorySegment out, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_server_new.HANDLE.invokeExact(configJson, queue, out, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_serve {
        static final MethodHandle HANDLE = Library.function("mcp_server_serve",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_server_serve(MemorySegment server, MemorySegment endpointJson, MemorySegment boundJson, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_server_serve.HANDLE.invokeExact(server, endpointJson, boundJson, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_run {
        static final MethodHandle HANDLE = Library.function("mcp_server_run",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    }

    static int mcp_server_run(MemorySegment server, int timeoutMs) {
        try {
            return (int) handle_mcp_server_run.HANDLE.invokeExact(server, timeoutMs);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_queue {
        static final MethodHandle HANDLE = Library.function("mcp_server_queue",
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static MemorySegment mcp_server_queue(MemorySegment server) {
        try {
            return (MemorySegment) handle_mcp_server_queue.HANDLE.invokeExact(server);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_wake {
        static final MethodHandle HANDLE = Library.function("mcp_server_wake",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_server_wake(MemorySegment server) {
        try {
            return (int) handle_mcp_server_wake.HANDLE.invokeExact(server);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_poll {
        static final MethodHandle HANDLE = Library.function("mcp_server_poll",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_server_poll(MemorySegment server, int timeoutMs, MemorySegment out) {
        try {
            return (int) handle_mcp_server_poll.HANDLE.invokeExact(server, timeoutMs, out);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_fd {
        static final MethodHandle HANDLE = Library.function("mcp_server_fd",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_server_fd(MemorySegment server) {
        try {
            return (int) handle_mcp_server_fd.HANDLE.invokeExact(server);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_resource_updated {
        static final MethodHandle HANDLE = Library.function("mcp_server_resource_updated",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_server_resource_updated(MemorySegment server, MemorySegment uri, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_server_resource_updated.HANDLE.invokeExact(server, uri, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_log {
        static final MethodHandle HANDLE = Library.function("mcp_server_log",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_server_log(MemorySegment server, MemorySegment level, MemorySegment logger, MemorySegment dataJson, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_server_log.HANDLE.invokeExact(server, level, logger, dataJson, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_info {
        static final MethodHandle HANDLE = Library.function("mcp_server_info",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_server_info(MemorySegment server, MemorySegment infoJson, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_server_info.HANDLE.invokeExact(server, infoJson, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_close {
        static final MethodHandle HANDLE = Library.function("mcp_server_close",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    }

    static int mcp_server_close(MemorySegment server, int timeoutMs) {
        try {
            return (int) handle_mcp_server_close.HANDLE.invokeExact(server, timeoutMs);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_free {
        static final MethodHandle HANDLE = Library.function("mcp_server_free",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_server_free(MemorySegment server) {
        try {
            return (int) handle_mcp_server_free.HANDLE.invokeExact(server);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_attach {
        static final MethodHandle HANDLE = Library.function("mcp_server_attach",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_server_attach(MemorySegment server, MemorySegment functions, MemorySegment user, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_server_attach.HANDLE.invokeExact(server, functions, user, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_notify {
        static final MethodHandle HANDLE = Library.function("mcp_server_notify",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_server_notify(MemorySegment server, long session, MemorySegment method, MemorySegment paramsJson, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_server_notify.HANDLE.invokeExact(server, session, method, paramsJson, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_call_start {
        static final MethodHandle HANDLE = Library.function("mcp_server_call_start",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_server_call_start(MemorySegment server, long session, MemorySegment method, MemorySegment paramsJson, MemorySegment optionsJson, long tag, MemorySegment callId, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_server_call_start.HANDLE.invokeExact(server, session, method, paramsJson, optionsJson, tag, callId, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_add_tool {
        static final MethodHandle HANDLE = Library.function("mcp_server_add_tool",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_server_add_tool(MemorySegment server, MemorySegment definitionJson, MemorySegment handler, MemorySegment user, MemorySegment destroy, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_server_add_tool.HANDLE.invokeExact(server, definitionJson, handler, user, destroy, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_add_resource {
        static final MethodHandle HANDLE = Library.function("mcp_server_add_resource",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_server_add_resource(MemorySegment server, MemorySegment definitionJson, MemorySegment handler, MemorySegment user, MemorySegment destroy, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_server_add_resource.HANDLE.invokeExact(server, definitionJson, handler, user, destroy, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_add_text {
        static final MethodHandle HANDLE = Library.function("mcp_server_add_text",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_server_add_text(MemorySegment server, MemorySegment definitionJson, MemorySegment text, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_server_add_text.HANDLE.invokeExact(server, definitionJson, text, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_add_blob {
        static final MethodHandle HANDLE = Library.function("mcp_server_add_blob",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
    }

    static int mcp_server_add_blob(MemorySegment server, MemorySegment definitionJson, MemorySegment data, long length, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_server_add_blob.HANDLE.invokeExact(server, definitionJson, data, length, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_add_resource_template {
        static final MethodHandle HANDLE = Library.function("mcp_server_add_resource_template",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_server_add_resource_template(MemorySegment server, MemorySegment definitionJson, MemorySegment handler, MemorySegment user, MemorySegment destroy, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_server_add_resource_template.HANDLE.invokeExact(server, definitionJson, handler, user, destroy, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_add_folder {
        static final MethodHandle HANDLE = Library.function("mcp_server_add_folder",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_server_add_folder(MemorySegment server, MemorySegment templateJson, MemorySegment folder, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_server_add_folder.HANDLE.invokeExact(server, templateJson, folder, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_add_prompt {
        static final MethodHandle HANDLE = Library.function("mcp_server_add_prompt",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_server_add_prompt(MemorySegment server, MemorySegment definitionJson, MemorySegment handler, MemorySegment user, MemorySegment destroy, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_server_add_prompt.HANDLE.invokeExact(server, definitionJson, handler, user, destroy, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_add_completion {
        static final MethodHandle HANDLE = Library.function("mcp_server_add_completion",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_server_add_completion(MemorySegment server, MemorySegment reference, MemorySegment argument, MemorySegment valuesJson, MemorySegment handler, MemorySegment user, MemorySegment destroy, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_server_add_completion.HANDLE.invokeExact(server, reference, argument, valuesJson, handler, user, destroy, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_add_method {
        static final MethodHandle HANDLE = Library.function("mcp_server_add_method",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_server_add_method(MemorySegment server, MemorySegment method, MemorySegment capability, MemorySegment settingsJson, MemorySegment handler, MemorySegment user, MemorySegment destroy, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_server_add_method.HANDLE.invokeExact(server, method, capability, settingsJson, handler, user, destroy, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_remove {
        static final MethodHandle HANDLE = Library.function("mcp_server_remove",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_server_remove(MemorySegment server, MemorySegment kind, MemorySegment name, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_server_remove.HANDLE.invokeExact(server, kind, name, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_add_skills {
        static final MethodHandle HANDLE = Library.function("mcp_server_add_skills",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_server_add_skills(MemorySegment server, MemorySegment folder, MemorySegment optionsJson, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_server_add_skills.HANDLE.invokeExact(server, folder, optionsJson, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_request_respond_text {
        static final MethodHandle HANDLE = Library.function("mcp_request_respond_text",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_BOOLEAN, ValueLayout.ADDRESS));
    }

    static int mcp_request_respond_text(MemorySegment request, MemorySegment text, boolean isError, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_request_respond_text.HANDLE.invokeExact(request, text, isError, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_request_progress {
        static final MethodHandle HANDLE = Library.function("mcp_request_progress",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_DOUBLE, ValueLayout.JAVA_DOUBLE, ValueLayout.ADDRESS));
    }

    static int mcp_request_progress(MemorySegment request, double progress, double total, MemorySegment message) {
        try {
            return (int) handle_mcp_request_progress.HANDLE.invokeExact(request, progress, total, message);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_request_log {
        static final MethodHandle HANDLE = Library.function("mcp_request_log",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_request_log(MemorySegment request, MemorySegment level, MemorySegment logger, MemorySegment dataJson) {
        try {
            return (int) handle_mcp_request_log.HANDLE.invokeExact(request, level, logger, dataJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_request_cancelled {
        static final MethodHandle HANDLE = Library.function("mcp_request_cancelled",
                FunctionDescriptor.of(ValueLayout.JAVA_BOOLEAN, ValueLayout.ADDRESS));
    }

    static boolean mcp_request_cancelled(MemorySegment request) {
        try {
            return (boolean) handle_mcp_request_cancelled.HANDLE.invokeExact(request);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_request_ask {
        static final MethodHandle HANDLE = Library.function("mcp_request_ask",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_request_ask(MemorySegment request, MemorySegment key, MemorySegment method, MemorySegment paramsJson, MemorySegment answerJson, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_request_ask.HANDLE.invokeExact(request, key, method, paramsJson, answerJson, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_request_state {
        static final MethodHandle HANDLE = Library.function("mcp_request_state",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_request_state(MemorySegment request, MemorySegment state, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_request_state.HANDLE.invokeExact(request, state, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_request_set_state {
        static final MethodHandle HANDLE = Library.function("mcp_request_set_state",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_request_set_state(MemorySegment request, MemorySegment state, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_request_set_state.HANDLE.invokeExact(request, state, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_request_start_task {
        static final MethodHandle HANDLE = Library.function("mcp_request_start_task",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_request_start_task(MemorySegment request, MemorySegment optionsJson, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_request_start_task.HANDLE.invokeExact(request, optionsJson, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_request_close_stream {
        static final MethodHandle HANDLE = Library.function("mcp_request_close_stream",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_request_close_stream(MemorySegment request, int retryMs, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_request_close_stream.HANDLE.invokeExact(request, retryMs, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_request_client_has {
        static final MethodHandle HANDLE = Library.function("mcp_request_client_has",
                FunctionDescriptor.of(ValueLayout.JAVA_BOOLEAN, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static boolean mcp_request_client_has(MemorySegment request, MemorySegment capability) {
        try {
            return (boolean) handle_mcp_request_client_has.HANDLE.invokeExact(request, capability);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_request_context {
        static final MethodHandle HANDLE = Library.function("mcp_request_context",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_request_context(MemorySegment request, MemorySegment contextJson, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_request_context.HANDLE.invokeExact(request, contextJson, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_store_new {
        static final MethodHandle HANDLE = Library.function("mcp_store_new",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_store_new(MemorySegment functions, MemorySegment user, MemorySegment out, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_store_new.HANDLE.invokeExact(functions, user, out, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_store_free {
        static final MethodHandle HANDLE = Library.function("mcp_store_free",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_store_free(MemorySegment store) {
        try {
            return (int) handle_mcp_store_free.HANDLE.invokeExact(store);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_set_store {
        static final MethodHandle HANDLE = Library.function("mcp_server_set_store",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_server_set_store(MemorySegment server, MemorySegment store, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_server_set_store.HANDLE.invokeExact(server, store, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_store_register {
        static final MethodHandle HANDLE = Library.function("mcp_store_register",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_store_register(MemorySegment scheme, MemorySegment open, MemorySegment user, MemorySegment destroy, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_store_register.HANDLE.invokeExact(scheme, open, user, destroy, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_store_ready {
        static final MethodHandle HANDLE = Library.function("mcp_store_ready",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    }

    static int mcp_store_ready(MemorySegment store, MemorySegment generation, int flags) {
        try {
            return (int) handle_mcp_store_ready.HANDLE.invokeExact(store, generation, flags);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_store_lost {
        static final MethodHandle HANDLE = Library.function("mcp_store_lost",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_store_lost(MemorySegment store, MemorySegment why) {
        try {
            return (int) handle_mcp_store_lost.HANDLE.invokeExact(store, why);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_store_found {
        static final MethodHandle HANDLE = Library.function("mcp_store_found",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    }

    static int mcp_store_found(MemorySegment call, MemorySegment value, long length, long version) {
        try {
            return (int) handle_mcp_store_found.HANDLE.invokeExact(call, value, length, version);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_store_entry {
        static final MethodHandle HANDLE = Library.function("mcp_store_entry",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
    }

    static int mcp_store_entry(MemorySegment call, long place, MemorySegment entry, long length) {
        try {
            return (int) handle_mcp_store_entry.HANDLE.invokeExact(call, place, entry, length);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_store_done {
        static final MethodHandle HANDLE = Library.function("mcp_store_done",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    }

    static int mcp_store_done(MemorySegment call, int status, long version, long unixMs) {
        try {
            return (int) handle_mcp_store_done.HANDLE.invokeExact(call, status, version, unixMs);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_store_event {
        static final MethodHandle HANDLE = Library.function("mcp_store_event",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
    }

    static int mcp_store_event(MemorySegment watch, MemorySegment data, long length) {
        try {
            return (int) handle_mcp_store_event.HANDLE.invokeExact(watch, data, length);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_store_missed {
        static final MethodHandle HANDLE = Library.function("mcp_store_missed",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_store_missed(MemorySegment watch) {
        try {
            return (int) handle_mcp_store_missed.HANDLE.invokeExact(watch);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_http {
        static final MethodHandle HANDLE = Library.function("mcp_server_http",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_server_http(MemorySegment server, MemorySegment method, MemorySegment target, MemorySegment headers, MemorySegment body, long length, MemorySegment ready, MemorySegment user, MemorySegment destroy, MemorySegment out, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_server_http.HANDLE.invokeExact(server, method, target, headers, body, length, ready, user, destroy, out, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_server_http_begin {
        static final MethodHandle HANDLE = Library.function("mcp_server_http_begin",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_server_http_begin(MemorySegment server, MemorySegment method, MemorySegment target, MemorySegment headers, MemorySegment peer, MemorySegment ready, MemorySegment user, MemorySegment destroy, MemorySegment out, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_server_http_begin.HANDLE.invokeExact(server, method, target, headers, peer, ready, user, destroy, out, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_exchange_permit {
        static final MethodHandle HANDLE = Library.function("mcp_exchange_permit",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_exchange_permit(MemorySegment exchange, int timeoutMs, MemorySegment bytes) {
        try {
            return (int) handle_mcp_exchange_permit.HANDLE.invokeExact(exchange, timeoutMs, bytes);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_exchange_write {
        static final MethodHandle HANDLE = Library.function("mcp_exchange_write",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_BOOLEAN));
    }

    static int mcp_exchange_write(MemorySegment exchange, MemorySegment part, long length, boolean isLast) {
        try {
            return (int) handle_mcp_exchange_write.HANDLE.invokeExact(exchange, part, length, isLast);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_exchange_head {
        static final MethodHandle HANDLE = Library.function("mcp_exchange_head",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_exchange_head(MemorySegment exchange, int timeoutMs, MemorySegment status, MemorySegment length) {
        try {
            return (int) handle_mcp_exchange_head.HANDLE.invokeExact(exchange, timeoutMs, status, length);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_exchange_header {
        static final MethodHandle HANDLE = Library.function("mcp_exchange_header",
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
    }

    static MemorySegment mcp_exchange_header(MemorySegment exchange, long index, MemorySegment value) {
        try {
            return (MemorySegment) handle_mcp_exchange_header.HANDLE.invokeExact(exchange, index, value);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_exchange_read {
        static final MethodHandle HANDLE = Library.function("mcp_exchange_read",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
    }

    static int mcp_exchange_read(MemorySegment exchange, int timeoutMs, MemorySegment into, long size, MemorySegment length) {
        try {
            return (int) handle_mcp_exchange_read.HANDLE.invokeExact(exchange, timeoutMs, into, size, length);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_exchange_free {
        static final MethodHandle HANDLE = Library.function("mcp_exchange_free",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    static int mcp_exchange_free(MemorySegment exchange) {
        try {
            return (int) handle_mcp_exchange_free.HANDLE.invokeExact(exchange);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_telemetry_set {
        static final MethodHandle HANDLE = Library.function("mcp_telemetry_set",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_telemetry_set(MemorySegment optionsJson, MemorySegment span, MemorySegment user, MemorySegment destroy, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_telemetry_set.HANDLE.invokeExact(optionsJson, span, user, destroy, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_telemetry_metrics {
        static final MethodHandle HANDLE = Library.function("mcp_telemetry_metrics",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_telemetry_metrics(MemorySegment metricsJson, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_telemetry_metrics.HANDLE.invokeExact(metricsJson, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_transport_deliver {
        static final MethodHandle HANDLE = Library.function("mcp_transport_deliver",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
    }

    static int mcp_transport_deliver(MemorySegment transport, MemorySegment frame, long length) {
        try {
            return (int) handle_mcp_transport_deliver.HANDLE.invokeExact(transport, frame, length);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_transport_closed {
        static final MethodHandle HANDLE = Library.function("mcp_transport_closed",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_transport_closed(MemorySegment transport, MemorySegment reason) {
        try {
            return (int) handle_mcp_transport_closed.HANDLE.invokeExact(transport, reason);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_new_with_transport {
        static final MethodHandle HANDLE = Library.function("mcp_client_new_with_transport",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_new_with_transport(MemorySegment configJson, MemorySegment queue, MemorySegment functions, MemorySegment user, MemorySegment out, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_client_new_with_transport.HANDLE.invokeExact(configJson, queue, functions, user, out, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }

    private static final class handle_mcp_client_new_in_process {
        static final MethodHandle HANDLE = Library.function("mcp_client_new_in_process",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    static int mcp_client_new_in_process(MemorySegment configJson, MemorySegment queue, MemorySegment server, MemorySegment out, MemorySegment errorJson) {
        try {
            return (int) handle_mcp_client_new_in_process.HANDLE.invokeExact(configJson, queue, server, out, errorJson);
        } catch (Throwable thrown) {
            throw failed(thrown);
        }
    }
}
