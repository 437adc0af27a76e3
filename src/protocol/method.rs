//! Method names, and the facts about a method that the library itself must know.

/// Legacy handshake.
pub const INITIALIZE: &str = "initialize";
/// Legacy handshake, second half.
pub const INITIALIZED: &str = "notifications/initialized";
/// Modern discovery, and the probe that tells the era.
pub const DISCOVER: &str = "server/discover";
/// Legacy liveness request, either way.
pub const PING: &str = "ping";
/// Either side: the named request's result is no longer wanted.
pub const CANCELLED: &str = "notifications/cancelled";
/// The server reports progress of a request.
pub const PROGRESS: &str = "notifications/progress";
/// Server asks for a model's answer.
pub const SAMPLING: &str = "sampling/createMessage";
/// Server asks the person.
pub const ELICITATION: &str = "elicitation/create";
/// Server asks for the roots.
pub const ROOTS: &str = "roots/list";
/// Legacy: our roots changed.
pub const ROOTS_CHANGED: &str = "notifications/roots/list_changed";
/// The list of tools changed.
pub const TOOLS_CHANGED: &str = "notifications/tools/list_changed";
/// The list of resources changed.
pub const RESOURCES_CHANGED: &str = "notifications/resources/list_changed";
/// The list of prompts changed.
pub const PROMPTS_CHANGED: &str = "notifications/prompts/list_changed";
/// A resource changed.
pub const RESOURCE_UPDATED: &str = "notifications/resources/updated";
/// 2025-11-25: a page that the server wanted visited is done with.
pub const ELICITATION_COMPLETE: &str = "notifications/elicitation/complete";
/// Modern: the server took up a subscription.
pub const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";

/// The client capability that lets a server send `method` to us; `None` when no such request exists.
pub fn needed_client_capability(method: &str) -> Option<&'static str> {
    match method {
        SAMPLING => Some("sampling"),
        ELICITATION => Some("elicitation"),
        ROOTS => Some("roots"),
        _ => None,
    }
}

/// Whether sending `method` twice does no more than sending it once: reads and lists, never a tool call.
pub fn is_safe(method: &str) -> bool {
    matches!(
        method,
        DISCOVER
            | PING
            | "tools/list"
            | "resources/list"
            | "resources/templates/list"
            | "resources/read"
            | "prompts/list"
            | "prompts/get"
            | "completion/complete"
            | "tasks/get"
            | "tasks/list"
            | "logging/setLevel"
            | "resources/subscribe"
            | "resources/unsubscribe"
    )
}

/// Why an application may not send `method` as a call of its own, if it may not: the handshake belongs to the library.
pub fn reserved(method: &str) -> Option<&'static str> {
    match method {
        INITIALIZE => Some("the library performs the handshake itself when the client connects"),
        _ => None,
    }
}

/// Why an application may not send `method` as a notification of its own, if it may not.
pub fn reserved_notification(method: &str) -> Option<&'static str> {
    match method {
        INITIALIZED => Some("it is a part of the handshake, which the library performs itself"),
        CANCELLED => {
            Some("it names a request by the id on the wire, which only the library knows; cancel the call")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tool_calls_are_never_safe_to_repeat() {
        assert!(!is_safe("tools/call"));
        assert!(is_safe("tools/list"));
    }

    #[test]
    fn each_server_request_names_the_capability_it_needs() {
        assert_eq!(needed_client_capability(SAMPLING), Some("sampling"));
        assert_eq!(needed_client_capability("tools/list"), None);
    }
}
