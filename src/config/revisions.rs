//! Which revisions a configuration permits.

use super::fields::wrong;
use crate::engine::Error;
use crate::protocol::{Era, Revision};
use serde_json::Value;

/// Reads which revisions are permitted.
pub(crate) fn revisions(key: &str, value: &Value) -> Result<Vec<Revision>, Error> {
    let of = |era: Era| Revision::ALL.into_iter().filter(|revision| revision.era() == era).collect();
    let parse = |text: &str| {
        Revision::parse(text).ok_or_else(|| {
            let known: Vec<&str> = Revision::ALL.iter().map(|revision| revision.as_str()).collect();
            let what = format!(
                "'{text}' is not \"auto\", \"legacy\", \"modern\" or one of the revisions {}",
                known.join(", ")
            );
            wrong(key, what)
        })
    };
    match value {
        Value::String(text) => match text.as_str() {
            "auto" => Ok(Revision::ALL.to_vec()),
            "legacy" => Ok(of(Era::Legacy)),
            "modern" => Ok(of(Era::Modern)),
            one => Ok(vec![parse(one)?]),
        },
        Value::Array(list) if !list.is_empty() => list
            .iter()
            .map(|one| match one {
                Value::String(text) => parse(text),
                other => Err(wrong(key, format!("{other} is not a revision"))),
            })
            .collect(),
        other => Err(wrong(key, format!("{other} is neither a string nor a list of revisions"))),
    }
}
