//! The Model Context Protocol without input and output: what a client and a server say and decide, as state machines.
//!
//! Bytes, decisions of the application and the time go in; frames, requests and events come out. Nothing here opens a socket or a file,
//! starts a thread or reads the clock, so that a test can play every peer in virtual time. The package `mcp` drives it.
//!
//! A module imports only from layers below its own, and `cargo xtask test` checks that.
//!
//! | layer | module | is | must not know |
//! |---|---|---|---|
//! | 0–1 | the package `mcp-base` | sorted maps, JSON as text | MCP |
//! | 2 | `schema`, `uri_template` | JSON Schema; RFC 6570 | MCP |
//! | 2 | `shares` | who holds how much of what has a bound, and who gives way | what it is |
//! | 2 | `skill` | the front matter, names and digests of skills | MCP |
//! | 2 | `protocol` | what MCP says, as data and pure functions | I/O, time |
//! | 3 | `engine` | the state machines of a client and of a server, sans-I/O | sockets, threads, the clock |
//! | 3 | `apps` | MCP Apps, the side of the host, sans-I/O | web views, the engine |
//! | 3 | `auth` | authorization of HTTP connections, sans-I/O | sockets, threads, the clock, the engine |
//! | 4 | `testing` | what tests of every package play with | – |

#![deny(unsafe_code)]
// The process of the host is not ours to end.
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::todo,
        clippy::unimplemented,
        clippy::dbg_macro
    )
)]

/// An enum whose numbers are those of the ABI and never change: each row has the number, and the name that messages and C have for it.
#[macro_export]
macro_rules! named_numbers {
    ($(#[$meta:meta])* pub enum $type:ident { $($(#[$doc:meta])* $variant:ident = $number:literal $name:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[repr(i32)]
        pub enum $type { $($(#[$doc])* $variant = $number,)+ }

        impl $type {
            /// All of them.
            pub const ALL: [$type; [$($number),+].len()] = [$($type::$variant),+];

            /// The name.
            pub fn as_str(self) -> &'static str {
                match self { $($type::$variant => $name,)+ }
            }

            /// The name of a number, as C reads it.
            pub fn c_name(number: i32) -> Option<&'static std::ffi::CStr> {
                let name = match number {
                    $($number => concat!($name, "\0"),)+
                    _ => return None,
                };
                std::ffi::CStr::from_bytes_with_nul(name.as_bytes()).ok()
            }
        }
    };
}

pub mod apps;
#[cfg(feature = "auth")]
pub mod auth;
pub mod engine;
pub mod protocol;
#[cfg(feature = "schema")]
pub mod schema;
pub mod shares;
#[cfg(feature = "skills")]
pub mod skill;
#[cfg(any(test, feature = "testing"))]
#[allow(missing_docs, clippy::new_without_default, reason = "what tests read stands in its name")]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a panic fails a test")]
pub mod testing;
pub mod uri_template;

pub use mcp_base::{json, sorted};
