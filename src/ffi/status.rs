//! The numbers of the ABI. They never change, and an unused number stays unused.

use crate::client::Kind;
#[cfg(any(feature = "client", test))]
use crate::engine::State;
use crate::engine::Status;
use crate::protocol::Topic;
use std::ffi::CStr;

/// The version of the ABI that this header describes. mcp_abi_version() returns the version of the
/// loaded library.
pub const MCP_ABI_VERSION: u32 = 1;

/// The first number of the version of the library that this header came with; see
/// MCP_VERSION_AT_LEAST().
pub const MCP_VERSION_MAJOR: u32 = 0;
/// The second number of that version.
pub const MCP_VERSION_MINOR: u32 = 1;
/// The third number of that version.
pub const MCP_VERSION_PATCH: u32 = 0;

/// mcp_features(): servers over HTTP ("url").
pub const MCP_FEATURE_HTTP: u32 = 1;
/// mcp_features(): logins ("auth").
pub const MCP_FEATURE_AUTH: u32 = 2;
/// mcp_features(): arguments and results of tools are checked against their schemas.
pub const MCP_FEATURE_SCHEMA: u32 = 4;
/// mcp_features(): skills.
pub const MCP_FEATURE_SKILLS: u32 = 8;
/// mcp_features(): the other side of the protocol, servers.
pub const MCP_FEATURE_SERVER: u32 = 16;
/// mcp_features(): clients, the functions mcp_client_* and mcp_call*.
pub const MCP_FEATURE_CLIENT: u32 = 32;

/// The result of a function: 0 is success, a positive number is not a failure, a negative number is
/// an error.
pub type mcp_status_t = i32;

/// Success.
pub const MCP_OK: mcp_status_t = 0;
/// There is nothing to return: no message arrived in time, or the value does not exist.
pub const MCP_EMPTY: mcp_status_t = 1;
/// mcp_queue_wake(), mcp_client_wake() or mcp_server_wake() ended the wait.
pub const MCP_WOKEN: mcp_status_t = 2;
/// From a store: what is there is not what was expected. Nothing was written.
pub const MCP_CONFLICT: mcp_status_t = 3;
/// An argument is invalid. Nothing was done.
pub const MCP_ERROR_INVALID_ARGUMENT: mcp_status_t = -1;
/// No answer arrived within the time limit.
pub const MCP_ERROR_TIMEOUT: mcp_status_t = -2;
/// The application cancelled the call, or the server cancelled its request.
pub const MCP_ERROR_CANCELLED: mcp_status_t = -3;
/// The client is not connected (it waits for the next attempt), and the call was told not to wait.
/// From mcp_config_load(): the server is disabled.
pub const MCP_ERROR_UNAVAILABLE: mcp_status_t = -4;
/// The connection was lost during the call or could not be opened.
pub const MCP_ERROR_TRANSPORT: mcp_status_t = -5;
/// The server violated the protocol.
pub const MCP_ERROR_PROTOCOL: mcp_status_t = -6;
/// The server answered with a JSON-RPC error. The error object has its "code", "message" and
/// "data".
pub const MCP_ERROR_SERVER: mcp_status_t = -7;
/// The server or this build of the library lacks a capability, a revision or a transport.
pub const MCP_ERROR_UNSUPPORTED: mcp_status_t = -8;
/// Too many operations are pending. Try again later.
pub const MCP_ERROR_BACKPRESSURE: mcp_status_t = -9;
/// A size exceeds a configured limit.
pub const MCP_ERROR_TOO_LARGE: mcp_status_t = -10;
/// Authorization is missing or was refused.
pub const MCP_ERROR_AUTH: mcp_status_t = -11;
/// The client is closed.
pub const MCP_ERROR_CLOSED: mcp_status_t = -12;
/// The handle was created before fork(). Only the parent may use it; the child may create its own
/// handles.
pub const MCP_ERROR_FORKED: mcp_status_t = -13;
/// The library has a fault.
pub const MCP_ERROR_INTERNAL: mcp_status_t = -14;
/// The system refused the memory that a message of the server needed: the library discarded the
/// message, and the client continues. From a document or a builder: it refused the memory for the
/// text.
pub const MCP_ERROR_NO_MEMORY: mcp_status_t = -15;

/// The kind of a message.
pub type mcp_kind_t = i32;

/// The outcome of a call.
pub const MCP_KIND_REPLY: mcp_kind_t = 1;
/// A notification of the server.
pub const MCP_KIND_NOTIFICATION: mcp_kind_t = 2;
/// A request of the server. Answer it with mcp_request_respond() or mcp_request_respond_error().
pub const MCP_KIND_REQUEST: mcp_kind_t = 3;
/// Progress of a call that was made with the option "progress".
pub const MCP_KIND_PROGRESS: mcp_kind_t = 4;
/// The state of the connection changed; of a server on a shared queue: all that it served has ended.
pub const MCP_KIND_STATE: mcp_kind_t = 5;
/// A login needs something from the application: a person, a credential, stored logins or a
/// signature. "kind" in the JSON says which (docs/guide/authorization.md).
pub const MCP_KIND_AUTH: mcp_kind_t = 6;
/// A line of the server's standard error (config "stderr":"message").
pub const MCP_KIND_STDERR: mcp_kind_t = 7;
/// Messages were dropped because the queue was full. The JSON has their number.
pub const MCP_KIND_LOST: mcp_kind_t = 8;

/// The subject of a notification or a request of the server.
pub type mcp_topic_t = i32;

/// The message is not from the server.
pub const MCP_TOPIC_NONE: mcp_topic_t = 0;
/// A method that this library does not know.
pub const MCP_TOPIC_UNKNOWN: mcp_topic_t = 1;
/// The list of tools changed.
pub const MCP_TOPIC_TOOLS_CHANGED: mcp_topic_t = 2;
/// The list of resources or of resource templates changed.
pub const MCP_TOPIC_RESOURCES_CHANGED: mcp_topic_t = 3;
/// The list of prompts changed.
pub const MCP_TOPIC_PROMPTS_CHANGED: mcp_topic_t = 4;
/// A subscribed resource changed.
pub const MCP_TOPIC_RESOURCE_UPDATED: mcp_topic_t = 5;
/// A log message of the server.
pub const MCP_TOPIC_LOG: mcp_topic_t = 6;
/// Progress of a call.
pub const MCP_TOPIC_PROGRESS: mcp_topic_t = 7;
/// The server cancelled one of its own requests.
pub const MCP_TOPIC_CANCELLED: mcp_topic_t = 8;
/// The state of a task.
pub const MCP_TOPIC_TASK: mcp_topic_t = 9;
/// The person has completed an elicitation by URL (2025-11-25).
pub const MCP_TOPIC_ELICITATION_COMPLETE: mcp_topic_t = 10;
/// The server accepted a subscription.
pub const MCP_TOPIC_SUBSCRIBED: mcp_topic_t = 11;
/// A request for the answer of a model (sampling/createMessage).
pub const MCP_TOPIC_SAMPLING: mcp_topic_t = 20;
/// A request for input of the person (elicitation/create).
pub const MCP_TOPIC_ELICITATION: mcp_topic_t = 21;
/// A request for the roots (roots/list).
pub const MCP_TOPIC_ROOTS: mcp_topic_t = 22;

/// A code for mcp_request_respond_error(): what the request asks for does not exist. A client of
/// 2026-07-28 gets -32602 for it.
pub const MCP_CODE_NOT_FOUND: i32 = -32002;

/// The type of a JSON value.
pub type mcp_json_type_t = i32;

/// There is no value.
pub const MCP_JSON_ABSENT: mcp_json_type_t = 0;
/// null.
pub const MCP_JSON_NULL: mcp_json_type_t = 1;
/// true or false.
pub const MCP_JSON_BOOLEAN: mcp_json_type_t = 2;
/// A number.
pub const MCP_JSON_NUMBER: mcp_json_type_t = 3;
/// A string.
pub const MCP_JSON_STRING: mcp_json_type_t = 4;
/// An array.
pub const MCP_JSON_ARRAY: mcp_json_type_t = 5;
/// An object.
pub const MCP_JSON_OBJECT: mcp_json_type_t = 6;

/// The state of a connection.
pub type mcp_client_state_t = i32;

/// The client is created; nothing has been started.
pub const MCP_CLIENT_STATE_IDLE: mcp_client_state_t = 0;
/// The library starts the server.
pub const MCP_CLIENT_STATE_STARTING: mcp_client_state_t = 1;
/// The handshake is in progress.
pub const MCP_CLIENT_STATE_INITIALIZING: mcp_client_state_t = 2;
/// The connection is ready: calls go directly to the server.
pub const MCP_CLIENT_STATE_READY: mcp_client_state_t = 3;
/// The connection was lost, and the client waits before the next attempt.
pub const MCP_CLIENT_STATE_BACKOFF: mcp_client_state_t = 4;
/// The connection is being closed.
pub const MCP_CLIENT_STATE_CLOSING: mcp_client_state_t = 5;
/// The connection is closed and is not opened again.
pub const MCP_CLIENT_STATE_CLOSED: mcp_client_state_t = 6;

/// Log level: no records.
pub const MCP_LOG_NONE: i32 = 0;
/// Log level: an operation failed.
pub const MCP_LOG_ERROR: i32 = 1;
/// Log level: something unexpected happened, and the library continues.
pub const MCP_LOG_WARN: i32 = 2;
/// Log level: a state changed.
pub const MCP_LOG_INFO: i32 = 3;
/// Log level: each request.
pub const MCP_LOG_DEBUG: i32 = 4;
/// Log level: each frame.
pub const MCP_LOG_TRACE: i32 = 5;

pub(super) fn status_name(status: i32) -> &'static CStr {
    Status::c_name(status).unwrap_or(c"unknown")
}

pub(super) fn kind_name(kind: i32) -> &'static CStr {
    Kind::c_name(kind).unwrap_or(c"unknown")
}

pub(super) fn topic_name(topic: i32) -> &'static CStr {
    Topic::c_name(topic).unwrap_or(c"unknown")
}

#[cfg(any(feature = "client", test))]
pub(super) fn state_name(state: i32) -> &'static CStr {
    State::c_name(state).unwrap_or(c"unknown")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_the_name_that_messages_use() {
        for status in Status::ALL {
            assert_eq!(status_name(status as i32).to_str(), Ok(status.as_str()));
        }
        for kind in Kind::ALL {
            assert_eq!(kind_name(kind as i32).to_str(), Ok(kind.as_str()));
        }
        for state in State::ALL {
            assert_eq!(state_name(state as i32).to_str(), Ok(state.as_str()));
        }
        for topic in Topic::ALL {
            assert_eq!(topic_name(topic as i32).to_str(), Ok(topic.as_str()));
        }
        assert_eq!(status_name(12345), c"unknown");
    }

    #[test]
    fn the_header_has_the_version_of_the_crate() {
        let header = format!("{MCP_VERSION_MAJOR}.{MCP_VERSION_MINOR}.{MCP_VERSION_PATCH}");
        assert_eq!(env!("CARGO_PKG_VERSION").split('-').next(), Some(&*header));
    }

    #[test]
    fn the_headers_numbers_are_the_engines() {
        let status = |it: Status| {
            (if (it as i32) < 0 { "MCP_ERROR" } else { "MCP" }, "status", it.as_str(), it as i32)
        };
        let rows = Status::ALL.map(status).into_iter();
        let rows = rows.chain(Kind::ALL.map(|it| ("MCP_KIND", "kind", it.as_str(), it as i32)));
        let rows =
            rows.chain(State::ALL.map(|it| ("MCP_CLIENT_STATE", "client_state", it.as_str(), it as i32)));
        let rows = rows.chain(Topic::ALL.map(|it| ("MCP_TOPIC", "topic", it.as_str(), it as i32)));
        for (prefix, kind, name, number) in rows {
            let constant = format!("pub const {prefix}_{}: mcp_{kind}_t = {number};", name.to_uppercase());
            assert!(include_str!("status.rs").contains(&constant), "{constant}");
        }
    }
}
