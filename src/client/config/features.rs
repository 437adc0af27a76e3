//! What a configuration, or the options of a call, say about features.

use crate::client::cache::{CacheSettings, CacheUse};
use crate::config::define::settings;
use crate::config::kinds::{Choice, Flag, Millis, Optional, Text};
use crate::engine::ToolModes;
use crate::runtime::seed;
use std::time::Duration;

/// How large a skill may be. Hosts have to take 512 files and 16 MiB (extension `skills`, "Limits").
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SkillLimits {
    /// Files of one skill.
    pub(crate) files: usize,
    /// Bytes of all its files.
    pub(crate) bytes: usize,
}

impl Default for SkillLimits {
    fn default() -> Self {
        SkillLimits { files: 512, bytes: 16 * 1024 * 1024 }
    }
}

/// How features behave.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FeatureSettings {
    /// Whether a tool's `structuredContent` is checked against its `outputSchema`.
    pub(crate) validate_results: bool,
    /// Whether a tool's arguments are checked against its `inputSchema` before they are sent.
    pub(crate) validate_arguments: bool,
    /// How results are kept; `None` for not at all.
    pub(crate) cache: Option<CacheSettings>,
    /// How large a skill may be.
    pub(crate) skills: SkillLimits,
}

impl Default for FeatureSettings {
    fn default() -> Self {
        FeatureSettings {
            validate_results: true,
            validate_arguments: false,
            cache: None,
            skills: SkillLimits::default(),
        }
    }
}

const CACHE_USE: &[(&str, CacheUse)] =
    &[("use", CacheUse::Use), ("refresh", CacheUse::Refresh), ("bypass", CacheUse::Bypass)];

settings! {
    /// What a program may say of one call of a feature, beside what it may say of every call.
    #[derive(Clone, Debug, PartialEq)]
    FeatureOptions {
        /// lists: read the page at this cursor and no other
        cursor: Option<String> = Optional(Text), None;
        /// take a kept result that is fresh; ask the server and keep what it says; leave what is kept alone
        cache: CacheUse = Choice(CACHE_USE), CacheUse::Use;
        /// lists: read the first page only; `nextCursor` in the result is the cursor of the next
        one_page: bool = Flag, false;
        /// `mcp_client_load_skill`, `mcp_client_read_skill_file`: also files of a dynamic skill, which have no sizes and digests to check
        allow_dynamic: bool = Flag, false;
        /// `mcp_client_call_tool`: as a task, or not as one (docs/guide/tasks.md)
        task: Option<bool> = Optional(Flag), None, "as the tool says";
        /// `mcp_client_call_tool`, 2025-11-25: how long the server is asked to keep the task
        task_ttl_ms: Option<Duration> = Optional(Millis), None, "`tasks.ttl_ms`";
    }
}

/// The modes of tools, with a secret of this client's own.
pub(super) fn tool_modes(waiting: usize) -> ToolModes {
    ToolModes { waiting, secret: [seed(), seed()] }
}
