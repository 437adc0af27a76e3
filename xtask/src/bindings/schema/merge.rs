//! One type of all revisions that have it.

use std::collections::{BTreeMap, BTreeSet};

use super::super::model::{Definition, Member, Model, Shape, Type};
use super::REVISIONS;

/// One type of all revisions that have it, oldest first.
pub fn merged(versions: Vec<(usize, Definition)>) -> Result<Definition, String> {
    let places: Vec<usize> = versions.iter().map(|(place, _)| *place).collect();
    let mut versions = versions.into_iter().rev().map(|(_, definition)| definition);
    let mut newest = versions.next().ok_or("a type without a version")?;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut words_differ = false;
    count(&newest, &mut counts);
    for older in versions {
        count(&older, &mut counts);
        match (&mut newest.shape, older.shape) {
            (Shape::Object(members), Shape::Object(others)) => merge_members(members, others),
            (Shape::Untagged(names), Shape::Untagged(others)) => {
                for other in others {
                    if !names.contains(&other) {
                        names.push(other);
                    }
                }
            }
            (Shape::Words(words, _), Shape::Words(others, _)) => words_differ |= add_words(words, others),
            (Shape::Alias(kind), Shape::Alias(other)) if *kind == other => {}
            (one, other) => return Err(format!("{}: {one:?} and {other:?}", newest.name)),
        }
    }
    match &mut newest.shape {
        Shape::Object(members) => {
            for member in members {
                member.is_required &= counts.get(&member.name) == Some(&places.len());
            }
        }
        Shape::Words(_, is_open) => *is_open = words_differ || places.len() < REVISIONS.len(),
        _ => {}
    }
    let about = revisions(&places);
    newest.doc = if newest.doc.is_empty() { about } else { format!("{}\n{about}", newest.doc) };
    Ok(newest)
}

fn count(definition: &Definition, counts: &mut BTreeMap<String, usize>) {
    if let Shape::Object(members) = &definition.shape {
        for member in members {
            *counts.entry(member.name.clone()).or_default() += 1;
        }
    }
}

fn merge_members(members: &mut Vec<Member>, others: Vec<Member>) {
    for other in others {
        let Some(known) = members.iter_mut().find(|it| it.name == other.name) else {
            members.push(other);
            continue;
        };
        known.is_required &= other.is_required;
        if known.doc.is_empty() {
            known.doc = other.doc;
        }
        match (&mut known.kind, other.kind) {
            (Type::Words(words, is_open), Type::Words(others, _)) => *is_open |= add_words(words, others),
            (kind @ Type::Object, named @ Type::Named(_)) => *kind = named,
            (kind @ Type::Whole, Type::Number) => *kind = Type::Number,
            _ => {}
        }
    }
    members.sort_by(|one, other| one.name.cmp(&other.name));
}

/// Adds what is missing, and says whether something was.
fn add_words(words: &mut Vec<String>, others: Vec<String>) -> bool {
    let before: BTreeSet<&String> = words.iter().collect();
    let differ = before != others.iter().collect();
    let missing: Vec<String> = others.into_iter().filter(|it| !words.contains(it)).collect();
    words.extend(missing);
    differ
}

fn revisions(places: &[usize]) -> String {
    let (Some(first), Some(last)) = (places.first(), places.last()) else { return String::new() };
    match (*first, *last) {
        (0, last) if last + 1 == REVISIONS.len() => "Revisions: all.".to_owned(),
        (first, last) if first == last => format!("Revision: {}.", REVISIONS[first]),
        (first, last) if last + 1 == REVISIONS.len() => format!("Revisions: from {} on.", REVISIONS[first]),
        (first, last) => format!("Revisions: {} to {}.", REVISIONS[first], REVISIONS[last]),
    }
}

/// A union whose variants one member tells apart says so. Unions among the variants are replaced by what they consist of.
pub fn tagged(model: &Model, definition: &Definition) -> Definition {
    let mut definition = definition.clone();
    let Shape::Untagged(names) = &definition.shape else { return definition };
    let mut flat: Vec<String> = Vec::new();
    for name in names {
        match model.find(name).map(|it| &it.shape) {
            Some(Shape::Untagged(inner)) => flat.extend(inner.iter().cloned()),
            _ => flat.push(name.clone()),
        }
    }
    let mut seen = BTreeSet::new();
    flat.retain(|name| seen.insert(name.clone()));
    for tag in ["type", "method"] {
        let values: Option<Vec<(String, String)>> = flat
            .iter()
            .map(|name| {
                let members = model.members(name);
                let member = members.iter().find(|it| it.name == tag && it.is_required)?;
                let Type::Constant(value) = &member.kind else { return None };
                Some((value.clone(), name.clone()))
            })
            .collect();
        let Some(variants) = values else { continue };
        let distinct: BTreeSet<&String> = variants.iter().map(|(value, _)| value).collect();
        if distinct.len() == variants.len() {
            definition.shape = Shape::Tagged { tag: tag.to_owned(), variants };
            return definition;
        }
    }
    definition.shape = Shape::Untagged(flat);
    definition
}
