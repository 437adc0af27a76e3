//! Every bound that a configuration may set.

use super::features::SkillLimits;
use crate::config::define::settings;
use crate::config::fields::{GIBIBYTE, MEBIBYTE};
use crate::config::kinds::{Choice, Size};
use crate::engine::{ListLimits, Settings, TaskSettings};
use crate::runtime::queue::{Overflow, QueueLimits};
use std::time::Duration;

settings! {
    /// The bounds of a client.
    Bounds {
        /// the headers of an answer, and those of all interim answers before it
        header_bytes: usize = Size(8192, 16 * MEBIBYTE), 128 * 1024;
        /// the largest message of the server. A larger one is thrown away as it comes, and its call ends as
        /// `MCP_ERROR_TOO_LARGE`
        frame_bytes: usize = Size(1024, 2 * GIBIBYTE), 16 << 20;
        /// how much of one message is thrown away beyond `limits.frame_bytes`, over pipes and sockets. A
        /// message, or a line, without an end within both ends the connection, and the server is started again
        discard_bytes: usize = Size(0, 64 * GIBIBYTE), 512 << 20;
        /// when this much waits for the server to read it, calls are `MCP_ERROR_BACKPRESSURE`, a blocking one after
        /// three more looks, about 10 ms apart
        outgoing_bytes: usize = Size(1024, 2 * GIBIBYTE), 64 << 20;
        /// calls without an outcome; one more is `MCP_ERROR_BACKPRESSURE`
        in_flight: usize = Size(1, 1_000_000), Settings::default().in_flight;
        /// requests of the server that the program has not answered; one more is refused
        server_requests: usize = Size(1, 100_000), Settings::default().server_requests;
        /// how deep JSON may nest, received and given
        json_depth: usize = Size(4, 1000), Settings::default().json_depth;
        /// calls of stateful tools that wait for their turn (`tool_modes`); one more is `MCP_ERROR_BACKPRESSURE`
        stateful_calls: usize = Size(1, 1_000_000), 1000;
        /// pages of a list that are collected into one result; one more is `MCP_ERROR_TOO_LARGE`
        list_pages: usize = Size(1, 1_000_000), ListLimits::default().pages;
        /// entries of such a list, also of one that comes in one page. A page that the program reads by itself
        /// (`one_page`, `cursor`) is bounded by `limits.frame_bytes` only
        list_items: usize = Size(1, 100_000_000), ListLimits::default().items;
        /// their bytes
        list_bytes: usize = Size(1024, 64 * GIBIBYTE), ListLimits::default().bytes;
        /// files of a skill; one with more is `MCP_ERROR_TOO_LARGE` and nothing of it is read
        skill_files: usize = Size(1, 1_000_000), SkillLimits::default().files;
        /// their bytes, as the skill's entry says; of a dynamic skill the bytes of each file
        skill_bytes: usize = Size(1024, GIBIBYTE), SkillLimits::default().bytes;
        /// calls that are tasks at a time; one more is `MCP_ERROR_BACKPRESSURE`
        tasks: usize = Size(1, 100_000), TaskSettings::default().limit;
        /// the longest stderr line kept; the rest of a longer one is dropped
        stderr_line_bytes: usize = Size(16, MEBIBYTE), 4096;
        /// the last stderr lines kept; an error shows up to 10 of them
        stderr_lines: usize = Size(0, 100_000), 50;
    }
}

/// What becomes of messages that a full queue has no room for.
const OVERFLOW: &[(&str, Overflow)] = &[
    ("drop_oldest", Overflow::DropOldest),
    ("drop_newest", Overflow::DropNewest),
    ("block", Overflow::Block),
];

settings! {
    /// The bounds of a queue.
    QueueBounds {
        /// messages that may wait in the client's own queue
        queue_messages: usize = Size(1, 100_000_000), QueueLimits::default().messages;
        /// their bytes
        queue_bytes: usize = Size(1024, 64 * GIBIBYTE), QueueLimits::default().bytes;
        /// what happens with messages that need no answer (notifications, progress, states, log lines) when the
        /// queue is full: the oldest is dropped, the new one is dropped, or the library does not read from the
        /// server until there is room. With `"block"` a thread that waits for a call still reads, and messages
        /// without room are then dropped, oldest first
        overflow: Overflow = Choice(OVERFLOW), Overflow::DropOldest;
    }
}

/// What else the configuration says that matters here.
#[cfg_attr(not(feature = "http"), expect(dead_code, reason = "only HTTP looks at it"))]
pub(super) struct Around<'a> {
    pub(super) limits: &'a Bounds,
    /// How long a connection may take to be made.
    pub(super) connect: Duration,
    /// Attempts to take up a stream again.
    pub(super) stream_attempts: u32,
    /// Whether the library manages authorization.
    pub(super) authorizes: bool,
}

impl QueueBounds {
    /// As the queue takes them.
    pub(super) fn limits(self) -> QueueLimits {
        QueueLimits { messages: self.queue_messages, bytes: self.queue_bytes, overflow: self.overflow }
    }
}
