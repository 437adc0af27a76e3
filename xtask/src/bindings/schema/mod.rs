//! The types of the protocol: the official schema of each revision, merged into one set.
//!
//! A type has the members of every revision. One is optional if it is so in a revision that has the type, or absent there. Where revisions
//! differ about a member's type, the newest one counts.
//!
//! The files:
//!
//! * `merge`: one type of all revisions that have it
//! * `reader`: the types of one schema

mod merge;
mod reader;

use std::collections::BTreeMap;

use super::json::Json;
use super::model::{Definition, Model, Shape};
use crate::checkout::{Checkout, read};
use merge::{merged, tagged};
use reader::Reader;

pub const REVISIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

/// The types, and the codes of errors that the schemas name.
pub struct Protocol {
    pub model: Model,
    pub errors: Vec<(String, i64)>,
}

/// Reads the schemas.
///
/// # Errors
/// A schema is not there or has a form that is not known here.
pub fn read_all(checkout: &Checkout) -> Result<Protocol, String> {
    let mut versions: BTreeMap<String, Vec<(usize, Definition)>> = BTreeMap::new();
    let mut errors = BTreeMap::new();
    for (place, revision) in REVISIONS.iter().enumerate() {
        let path = checkout.root.join("tests/protocol-schemas").join(revision).join("schema.json");
        let schema = Json::parse(&read(&path)?).map_err(|why| format!("{}: {why}", path.display()))?;
        let mut reader = Reader::new(&schema)?;
        reader.read()?;
        for (name, definition) in reader.made {
            versions.entry(name).or_default().push((place, definition));
        }
        errors.extend(reader.errors);
    }
    let mut model = Model::default();
    for (_, versions) in versions {
        model.definitions.push(merged(versions)?);
    }
    contents_of_resources(&mut model);
    let tags: Vec<Definition> = model.definitions.iter().map(|it| tagged(&model, it)).collect();
    model.definitions = tags;
    check(&model)?;
    Ok(Protocol { model, errors: errors.into_iter().collect() })
}

/// Every name leads somewhere.
fn check(model: &Model) -> Result<(), String> {
    for definition in &model.definitions {
        let names: Vec<&str> = match &definition.shape {
            Shape::Object(members) => members.iter().flat_map(|it| it.kind.names()).collect(),
            Shape::Tagged { variants, .. } => variants.iter().map(|(_, name)| name.as_str()).collect(),
            Shape::Untagged(names) => names.iter().map(String::as_str).collect(),
            Shape::Alias(of) => of.names(),
            Shape::Words(..) => Vec::new(),
        };
        for name in names {
            if model.find(name).is_none() {
                return Err(format!("{}: there is no type {name}", definition.name));
            }
        }
    }
    Ok(())
}

/// The schemas describe text and blob apart, and where contents stand both may.
fn contents_of_resources(model: &mut Model) {
    for definition in &mut model.definitions {
        if definition.name == "ResourceContents" {
            let both = ["TextResourceContents", "BlobResourceContents"].map(str::to_owned);
            definition.shape = Shape::Untagged(both.to_vec());
        }
    }
}
