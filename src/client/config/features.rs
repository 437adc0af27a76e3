//! What a configuration, or the options of a call, say about features.

use super::fields::{Fields, GIBIBYTE, size, wrong};
use crate::client::cache::{CacheSettings, CacheUse, keeps};
use crate::engine::{Error, ToolModes};
use crate::protocol::method::METHODS;
use crate::runtime::seed;
use serde_json::Value;
use std::collections::HashMap;
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

/// What a program may say of one call of a feature, beside what it may say of every call.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FeatureOptions {
    /// Read the page of a list at this cursor, and no other.
    pub(crate) cursor: Option<String>,
    /// Read only one page of a list.
    pub(crate) one_page: bool,
    /// How it uses the results kept.
    pub(crate) cache: CacheUse,
    /// Whether it is to be a task.
    pub(crate) task: Option<bool>,
    /// How long the server is asked to keep the task.
    pub(crate) task_ttl: Option<Duration>,
    /// Read a file of a dynamic skill, which nothing vouches for.
    pub(crate) allow_dynamic: bool,
}

/// Reads what only the calls of features take.
pub(super) fn read_options(fields: &mut Fields<'_>) -> Result<FeatureOptions, Error> {
    Ok(FeatureOptions {
        cursor: fields.string("cursor")?,
        one_page: fields.boolean("one_page")?.unwrap_or(false),
        allow_dynamic: fields.boolean("allow_dynamic")?.unwrap_or(false),
        cache: match fields.choice("cache", &["use", "refresh", "bypass"])? {
            Some("refresh") => CacheUse::Refresh,
            Some("bypass") => CacheUse::Bypass,
            _ => CacheUse::Use,
        },
        task: fields.boolean("task")?,
        task_ttl: fields.millis("task_ttl_ms")?,
    })
}

/// Reads whether what tools say of their mode counts.
pub(super) fn read_tool_modes(fields: &mut Fields<'_>, waiting: usize) -> Result<Option<ToolModes>, Error> {
    let chosen = fields.choice("tool_modes", &["off", "auto"])?;
    Ok((chosen == Some("auto")).then(|| ToolModes { waiting, secret: [seed(), seed()] }))
}

/// Reads how features behave.
pub(super) fn read_settings(fields: &mut Fields<'_>, skills: SkillLimits) -> Result<FeatureSettings, Error> {
    let results = fields.boolean("validate_results")?;
    let arguments = fields.boolean("validate_arguments")?;
    if cfg!(not(feature = "schema")) {
        for (name, wanted) in [("validate_results", results), ("validate_arguments", arguments)] {
            if wanted == Some(true) {
                return Err(wrong(
                    name,
                    "this build checks nothing against schemas (cargo feature \"schema\")",
                ));
            }
        }
    }
    Ok(FeatureSettings {
        validate_results: results.unwrap_or(true),
        validate_arguments: arguments.unwrap_or(false),
        cache: read_cache(fields)?,
        skills,
    })
}

fn read_cache(fields: &mut Fields<'_>) -> Result<Option<CacheSettings>, Error> {
    let default = CacheSettings::default();
    let object = match fields.value("cache") {
        None | Some(Value::Bool(false)) => return Ok(None),
        Some(Value::Bool(true)) => return Ok(Some(default)),
        Some(Value::Object(object)) => object.clone(),
        Some(other) => return Err(wrong("cache", format!("{other} is neither true or false nor an object"))),
    };
    let mut inner = Fields::new("cache.", &object);
    let mut legacy = HashMap::new();
    if let Some(times) = inner.object("ttl_ms")? {
        let mut each = Fields::new("cache.ttl_ms.", &times);
        for method in times.keys() {
            if !keeps(method) {
                let kept = METHODS.iter().filter(|method| method.kept_until.is_some());
                let known: Vec<&str> = kept.map(|method| method.name).collect();
                let why = format!("results of this method are not kept; those of {} are", known.join(", "));
                return Err(wrong(&format!("cache.ttl_ms.{method}"), why));
            }
            legacy.extend(each.millis(method)?.map(|ttl| (method.clone(), ttl)));
        }
    }
    let settings = CacheSettings {
        entries: inner.integer("entries", 1, 1_000_000)?.map_or(default.entries, size),
        bytes: inner.integer("bytes", 1024, 64 * GIBIBYTE)?.map_or(default.bytes, size),
        legacy,
        invalidate_on_tools: inner.strings("invalidate_on_tools")?.unwrap_or_default(),
        serve_stale_on_error: inner.boolean("serve_stale_on_error")?.unwrap_or(false),
    };
    inner.finish()?;
    Ok(Some(settings))
}
