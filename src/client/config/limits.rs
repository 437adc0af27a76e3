//! Every bound that a configuration may set.

use super::features::SkillLimits;
use super::fields::{Fields, GIBIBYTE, MEBIBYTE, size};
use crate::engine::{Error, ListLimits, Settings, TaskSettings};
use crate::runtime::queue::{Overflow, QueueLimits};
use crate::transport::stderr::StderrLimits;
use std::time::Duration;

/// Every bound.
pub(super) struct Limits {
    #[cfg_attr(not(feature = "http"), expect(dead_code, reason = "only HTTP has headers"))]
    pub(super) header_bytes: usize,
    pub(super) frame_bytes: usize,
    pub(super) discard_bytes: usize,
    pub(super) outgoing_bytes: usize,
    pub(super) json_depth: usize,
    pub(super) in_flight: usize,
    pub(super) server_requests: usize,
    pub(super) stderr: StderrLimits,
    pub(super) queue: QueueLimits,
    pub(super) lists: ListLimits,
    /// Calls that are tasks at a time.
    pub(super) tasks: usize,
    /// Calls of stateful tools that wait for their turn.
    pub(super) stateful_calls: usize,
    pub(super) skills: SkillLimits,
}

/// Without the key `limits.stateful_calls`.
const STATEFUL_CALLS: usize = 1000;
/// What else the configuration says that matters here.
#[cfg_attr(not(feature = "http"), expect(dead_code, reason = "only HTTP looks at it"))]
pub(super) struct Around<'a> {
    pub(super) limits: &'a Limits,
    /// How long a connection may take to be made.
    pub(super) connect: Duration,
    /// Attempts to take up a stream again.
    pub(super) stream_attempts: u32,
    /// Whether the library manages authorization.
    pub(super) authorizes: bool,
}

/// Reads the bounds of a client.
pub(super) fn read_limits(fields: &mut Fields<'_>) -> Result<Limits, Error> {
    let object = fields.object("limits")?.unwrap_or_default();
    let mut inner = Fields::new("limits.", &object);
    let default = Settings::default();
    let limits = Limits {
        header_bytes: size(inner.integer("header_bytes", 8192, 16 * MEBIBYTE)?.unwrap_or(128 * 1024)),
        frame_bytes: size(inner.integer("frame_bytes", 1024, 2 * GIBIBYTE)?.unwrap_or(16 * MEBIBYTE)),
        discard_bytes: size(inner.integer("discard_bytes", 0, 64 * GIBIBYTE)?.unwrap_or(512 * MEBIBYTE)),
        outgoing_bytes: size(inner.integer("outgoing_bytes", 1024, 2 * GIBIBYTE)?.unwrap_or(64 * MEBIBYTE)),
        json_depth: inner.integer("json_depth", 4, 1000)?.map_or(default.json_depth, size),
        in_flight: inner.integer("in_flight", 1, 1_000_000)?.map_or(default.in_flight, size),
        server_requests: inner.integer("server_requests", 1, 100_000)?.map_or(default.server_requests, size),
        stderr: StderrLimits {
            line_bytes: size(inner.integer("stderr_line_bytes", 16, MEBIBYTE)?.unwrap_or(4096)),
            lines: size(inner.integer("stderr_lines", 0, 100_000)?.unwrap_or(50)),
        },
        queue: read_queue_limits(&mut inner)?,
        lists: read_lists(&mut inner)?,
        tasks: inner.integer("tasks", 1, 100_000)?.map_or(TaskSettings::default().limit, size),
        stateful_calls: inner.integer("stateful_calls", 1, 1_000_000)?.map_or(STATEFUL_CALLS, size),
        skills: read_skills(&mut inner)?,
    };
    inner.finish()?;
    Ok(limits)
}

/// Reads the bounds of lists, which stand among the other limits.
fn read_lists(limits: &mut Fields<'_>) -> Result<ListLimits, Error> {
    let default = ListLimits::default();
    Ok(ListLimits {
        pages: limits.integer("list_pages", 1, 1_000_000)?.map_or(default.pages, size),
        items: limits.integer("list_items", 1, 100_000_000)?.map_or(default.items, size),
        bytes: limits.integer("list_bytes", 1024, 64 * GIBIBYTE)?.map_or(default.bytes, size),
    })
}

/// Reads how large a skill may be, which stands there too.
fn read_skills(limits: &mut Fields<'_>) -> Result<SkillLimits, Error> {
    let default = SkillLimits::default();
    Ok(SkillLimits {
        files: limits.integer("skill_files", 1, 1_000_000)?.map_or(default.files, size),
        bytes: limits.integer("skill_bytes", 1024, GIBIBYTE)?.map_or(default.bytes, size),
    })
}

/// Reads the bounds of a queue.
pub(super) fn read_queue_limits(fields: &mut Fields<'_>) -> Result<QueueLimits, Error> {
    let default = QueueLimits::default();
    Ok(QueueLimits {
        messages: fields.integer("queue_messages", 1, 100_000_000)?.map_or(default.messages, size),
        bytes: fields.integer("queue_bytes", 1024, 64 * GIBIBYTE)?.map_or(default.bytes, size),
        overflow: match fields.choice("overflow", &["drop_oldest", "drop_newest", "block"])? {
            Some("drop_newest") => Overflow::DropNewest,
            Some("block") => Overflow::Block,
            _ => Overflow::DropOldest,
        },
    })
}
