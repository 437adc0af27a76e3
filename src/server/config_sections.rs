//! Objects in a server's configuration: what may be kept, what is checked, what is announced, how states are sealed.

use super::config_values::{notices, sealing_keys};
use crate::config::define::settings;
use crate::config::kinds::{Choice, Flag, Millis, Optional, Parsed, Size, Text};
use crate::engine::seal::KEY;
use crate::engine::server::Timeouts;
use std::collections::BTreeMap;
use std::time::Duration;

/// Whether this build has schemas.
pub(super) const CAN_CHECK: bool = cfg!(feature = "schema");

/// Scopes of kept results.
const SCOPE: &[(&str, bool)] = &[("private", false), ("public", true)];

settings! {
    /// How long clients may keep results (2026-07-28).
    Keeping {
        /// how long, in milliseconds; 0 for not at all
        ttl_ms: usize = Size(0, 365 * 24 * 60 * 60 * 1000), 0;
        /// who may keep them: one user's cache, or a cache that several users share
        scope: bool = Choice(SCOPE), false;
    }
}

settings! {
    /// What is checked of what clients and handlers send.
    Checks {
        /// definitions of tools, resources and prompts, when they are added. If off, a schema that cannot be used checks nothing
        definitions: bool = Flag, true;
        /// arguments against the tool's `inputSchema`, before the handler runs
        arguments: bool = Flag, CAN_CHECK;
        /// results against the tool's `outputSchema`, before they are sent
        results: bool = Flag, CAN_CHECK;
        /// what handlers give: content blocks of tools and prompts, contents of resources
        content: bool = Flag, true;
    }
}

settings! {
    /// What is announced.
    Announcing {
        /// tools, although there are none yet
        tools: bool = Flag, false;
        /// resources, although there are none yet
        resources: bool = Flag, false;
        /// prompts, although there are none yet
        prompts: bool = Flag, false;
        /// log messages are sent to clients that want them
        logging: bool = Flag, false;
        /// streams of `subscriptions/listen` (2026-07-28). Without them clients of that revision are told of no change
        listen: bool = Flag, true;
        /// notifications of extensions that `mcp_server_notify` also sends to streams of `subscriptions/listen`, by member of the filter:
        /// `{"com.example/renderChanged":"notifications/com.example/render_changed"}`; at most 64
        notifications: BTreeMap<Box<str>, Box<str>> = Parsed(&["object"], "object of strings", notices), BTreeMap::new(), "`{}`";
        /// results of 2026-07-28 name the server in their `_meta`
        name_in_results: bool = Flag, true;
    }
}

settings! {
    /// How request states are sealed (2026-07-28).
    Sealing {
        /// the keys, newest first, each the base64 of 32 random bytes, shared by servers that answer for one another. Without keys the
        /// server makes its own
        keys: Vec<[u8; KEY]> = Parsed(&["array"], "list of strings", sealing_keys), Vec::new(), "`[]`";
        /// how long a seal is good
        ttl_ms: Duration = Millis, Timeouts::default().request_state;
        /// the name of the server in the seal, such as its URL: a server with another one refuses it
        audience: Option<String> = Optional(Text), None;
    }
}
