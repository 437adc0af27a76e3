//! What a configuration, or the options of a call, say about features.

use super::fields::Fields;
use super::limits::{GIBIBYTE, size};
use crate::client::features::FeatureOptions;
use crate::engine::{Error, ListLimits};

/// Reads the bounds of lists, which stand among the other limits.
pub(super) fn read_lists(limits: &mut Fields<'_>) -> Result<ListLimits, Error> {
    let default = ListLimits::default();
    Ok(ListLimits {
        pages: limits.integer("list_pages", 1, 1_000_000)?.map_or(default.pages, size),
        items: limits.integer("list_items", 1, 100_000_000)?.map_or(default.items, size),
        bytes: limits.integer("list_bytes", 1024, 64 * GIBIBYTE)?.map_or(default.bytes, size),
    })
}

/// Reads what only the calls of features take.
pub(super) fn read_options(fields: &mut Fields<'_>) -> Result<FeatureOptions, Error> {
    Ok(FeatureOptions {
        cursor: fields.string("cursor")?,
        one_page: fields.boolean("one_page")?.unwrap_or(false),
    })
}
