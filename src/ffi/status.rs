//! The numbers of the ABI. They never change; a gap stays a gap.

use crate::client::Kind;
use crate::engine::{State, Status};
use crate::protocol::Topic;

/// The version of this ABI. Compare it with mcp_abi_version() to see whether header and library belong together.
pub const MCP_ABI_VERSION: u32 = 1;

/// How something ended: 0 is success, positive is "nothing went wrong, but", negative is an error.
pub type mcp_status_t = i32;

/// Success.
pub const MCP_OK: mcp_status_t = 0;
/// Nothing there: no message within the time, no such value.
pub const MCP_EMPTY: mcp_status_t = 1;
/// The wait ended because mcp_queue_wake() asked for it.
pub const MCP_WOKEN: mcp_status_t = 2;
/// An argument is wrong; nothing was done.
pub const MCP_INVALID_ARGUMENT: mcp_status_t = -1;
/// No answer within the time allowed.
pub const MCP_TIMEOUT: mcp_status_t = -2;
/// Cancelled: a call by the application, a request by the server.
pub const MCP_CANCELLED: mcp_status_t = -3;
/// Not connected (waiting for the next attempt), and told not to wait. From mcp_config_load(): the server is disabled.
pub const MCP_UNAVAILABLE: mcp_status_t = -4;
/// The connection was lost under the call, or could not be made.
pub const MCP_TRANSPORT: mcp_status_t = -5;
/// The server broke the rules of the protocol.
pub const MCP_PROTOCOL: mcp_status_t = -6;
/// The server answered with a JSON-RPC error: its code, message and data are in the error object.
pub const MCP_SERVER: mcp_status_t = -7;
/// The server or this build lacks a capability, revision or transport.
pub const MCP_UNSUPPORTED: mcp_status_t = -8;
/// Too much is under way already; try again later.
pub const MCP_BACKPRESSURE: mcp_status_t = -9;
/// Larger than a configured bound.
pub const MCP_TOO_LARGE: mcp_status_t = -10;
/// Authorization is missing or was refused.
pub const MCP_AUTH: mcp_status_t = -11;
/// The client is closed.
pub const MCP_CLOSED: mcp_status_t = -12;
/// The process forked since the handle was made; only the parent may use it. The child may make handles of its own.
pub const MCP_FORKED: mcp_status_t = -13;
/// A fault of the library's own.
pub const MCP_INTERNAL: mcp_status_t = -14;
/// The system gave no memory for what the server sent; it was thrown away, and the client goes on.
pub const MCP_NO_MEMORY: mcp_status_t = -15;

/// What a message is.
pub type mcp_kind_t = i32;

/// The one outcome of a call.
pub const MCP_KIND_REPLY: mcp_kind_t = 1;
/// A notification of the server.
pub const MCP_KIND_NOTIFICATION: mcp_kind_t = 2;
/// A request of the server: answer it with mcp_respond() or mcp_respond_error().
pub const MCP_KIND_REQUEST: mcp_kind_t = 3;
/// Progress of a call made with the option "progress".
pub const MCP_KIND_PROGRESS: mcp_kind_t = 4;
/// The connection's state changed.
pub const MCP_KIND_STATE: mcp_kind_t = 5;
/// Authorization wants something of the application: a person, a credential, a place to keep logins, a signature. "kind" in
/// its JSON says what (docs/authorization.md).
pub const MCP_KIND_AUTH: mcp_kind_t = 6;
/// A line of the server's standard error (config "stderr":"message").
pub const MCP_KIND_LOG: mcp_kind_t = 7;
/// Messages were lost because the queue was full; the JSON says how many.
pub const MCP_KIND_LOST: mcp_kind_t = 8;

/// What a notification or request of the server is about.
pub type mcp_topic_t = i32;

/// No message of the server's.
pub const MCP_TOPIC_NONE: mcp_topic_t = 0;
/// A method that this library does not know.
pub const MCP_TOPIC_UNKNOWN: mcp_topic_t = 1;
/// The list of tools changed.
pub const MCP_TOPIC_TOOLS_CHANGED: mcp_topic_t = 2;
/// The list of resources or of resource templates changed.
pub const MCP_TOPIC_RESOURCES_CHANGED: mcp_topic_t = 3;
/// The list of prompts changed.
pub const MCP_TOPIC_PROMPTS_CHANGED: mcp_topic_t = 4;
/// A resource that was subscribed to changed.
pub const MCP_TOPIC_RESOURCE_UPDATED: mcp_topic_t = 5;
/// A log message of the server.
pub const MCP_TOPIC_LOG: mcp_topic_t = 6;
/// Progress of a call.
pub const MCP_TOPIC_PROGRESS: mcp_topic_t = 7;
/// The server withdrew a request of its own.
pub const MCP_TOPIC_CANCELLED: mcp_topic_t = 8;
/// A task's state.
pub const MCP_TOPIC_TASK: mcp_topic_t = 9;
/// The person is done with an elicitation by URL (2025-11-25).
pub const MCP_TOPIC_ELICITATION_COMPLETE: mcp_topic_t = 10;
/// The server took up a subscription.
pub const MCP_TOPIC_SUBSCRIBED: mcp_topic_t = 11;
/// A request for a model's answer (sampling/createMessage).
pub const MCP_TOPIC_SAMPLING: mcp_topic_t = 20;
/// A request to ask the person (elicitation/create).
pub const MCP_TOPIC_ELICITATION: mcp_topic_t = 21;
/// A request for the roots (roots/list).
pub const MCP_TOPIC_ROOTS: mcp_topic_t = 22;

/// What a JSON value is.
pub type mcp_json_type_t = i32;

/// Nothing is there.
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
pub type mcp_state_t = i32;

/// Made, nothing started yet.
pub const MCP_STATE_IDLE: mcp_state_t = 0;
/// The server is being started.
pub const MCP_STATE_STARTING: mcp_state_t = 1;
/// The handshake is under way.
pub const MCP_STATE_INITIALIZING: mcp_state_t = 2;
/// Calls go straight to the server.
pub const MCP_STATE_READY: mcp_state_t = 3;
/// The connection was lost; the next attempt has its time.
pub const MCP_STATE_BACKOFF: mcp_state_t = 4;
/// Being closed.
pub const MCP_STATE_CLOSING: mcp_state_t = 5;
/// Closed for good.
pub const MCP_STATE_CLOSED: mcp_state_t = 6;

/// Log level: something failed.
pub const MCP_LOG_ERROR: i32 = 1;
/// Log level: something is odd.
pub const MCP_LOG_WARN: i32 = 2;
/// Log level: changes of state.
pub const MCP_LOG_INFO: i32 = 3;
/// Log level: each request.
pub const MCP_LOG_DEBUG: i32 = 4;
/// Log level: each frame.
pub const MCP_LOG_TRACE: i32 = 5;

/// A name from Rust as a C string constant.
macro_rules! c_names {
    ($from:ty, $($variant:ident => $name:literal,)+) => {
        |number: i32| -> Option<&'static std::ffi::CStr> {
            $(if number == <$from>::$variant as i32 {
                return Some($name);
            })+
            None
        }
    };
}

pub(super) fn status_name(status: i32) -> &'static std::ffi::CStr {
    let name = c_names!(Status,
        Ok => c"ok", Empty => c"empty", Woken => c"woken", InvalidArgument => c"invalid_argument",
        Timeout => c"timeout", Cancelled => c"cancelled", Unavailable => c"unavailable", Transport => c"transport",
        Protocol => c"protocol", Server => c"server", Unsupported => c"unsupported",
        Backpressure => c"backpressure", TooLarge => c"too_large", Auth => c"auth", Closed => c"closed",
        Forked => c"forked", Internal => c"internal",
        NoMemory => c"no_memory",
    );
    name(status).unwrap_or(c"unknown")
}

pub(super) fn kind_name(kind: i32) -> &'static std::ffi::CStr {
    let name = c_names!(Kind,
        Reply => c"reply", Notification => c"notification", Request => c"request", Progress => c"progress",
        State => c"state", Auth => c"auth", Log => c"log", Lost => c"lost",
    );
    name(kind).unwrap_or(c"unknown")
}

pub(super) fn topic_name(topic: i32) -> &'static std::ffi::CStr {
    let name = c_names!(Topic,
        None => c"none", Unknown => c"unknown", ToolsChanged => c"tools_changed",
        ResourcesChanged => c"resources_changed", PromptsChanged => c"prompts_changed",
        ResourceUpdated => c"resource_updated", Log => c"log", Progress => c"progress", Cancelled => c"cancelled",
        Task => c"task", ElicitationComplete => c"elicitation_complete", Subscribed => c"subscribed",
        Sampling => c"sampling", Elicitation => c"elicitation", Roots => c"roots",
    );
    name(topic).unwrap_or(c"unknown")
}

pub(super) fn state_name(state: i32) -> &'static std::ffi::CStr {
    let name = c_names!(State,
        Idle => c"idle", Starting => c"starting", Initializing => c"initializing", Ready => c"ready",
        Backoff => c"backoff", Closing => c"closing", Closed => c"closed",
    );
    name(state).unwrap_or(c"unknown")
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
    fn the_headers_numbers_are_the_engines() {
        assert_eq!(MCP_INTERNAL, Status::Internal as i32);
        assert_eq!(MCP_NO_MEMORY, Status::NoMemory as i32);
        assert_eq!(MCP_TOO_LARGE, Status::TooLarge as i32);
        assert_eq!(MCP_KIND_LOST, Kind::Lost as i32);
        assert_eq!(MCP_STATE_CLOSED, State::Closed as i32);
        assert_eq!(MCP_TOPIC_SUBSCRIBED, Topic::Subscribed as i32);
        assert_eq!(MCP_TOPIC_ROOTS, Topic::Roots as i32);
    }
}
