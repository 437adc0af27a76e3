//! What a configuration, or the options of a call, say about features.

use super::fields::Fields;
use super::fields::wrong;
use super::limits::{GIBIBYTE, size};
use crate::client::cache::{CacheSettings, CacheUse, keeps};
use crate::client::features::{FeatureOptions, FeatureSettings, SkillLimits};
use crate::engine::{Error, ListLimits, ToolModes};
use crate::protocol::method::METHODS;
use crate::runtime::seed;
use serde_json::Value;
use std::collections::HashMap;

/// Reads the bounds of lists, which stand among the other limits.
pub(super) fn read_lists(limits: &mut Fields<'_>) -> Result<ListLimits, Error> {
    let default = ListLimits::default();
    Ok(ListLimits {
        pages: limits.integer("list_pages", 1, 1_000_000)?.map_or(default.pages, size),
        items: limits.integer("list_items", 1, 100_000_000)?.map_or(default.items, size),
        bytes: limits.integer("list_bytes", 1024, 64 * GIBIBYTE)?.map_or(default.bytes, size),
    })
}

/// Reads how large a skill may be, which stands there too.
pub(super) fn read_skills(limits: &mut Fields<'_>) -> Result<SkillLimits, Error> {
    let default = SkillLimits::default();
    Ok(SkillLimits {
        files: limits.integer("skill_files", 1, 1_000_000)?.map_or(default.files, size),
        bytes: limits.integer("skill_bytes", 1024, GIBIBYTE)?.map_or(default.bytes, size),
    })
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
