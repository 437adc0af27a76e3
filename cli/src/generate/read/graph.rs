//! Declarations that hold each other: order, cycles, and how the variants of unions are told apart.

use super::super::model::{Class, Declaration, Object, Shape, Type, Union};
use std::collections::{BTreeSet, HashMap};

/// Every type that stands in a declaration.
pub fn each_type(shape: &mut Shape, act: &mut impl FnMut(&mut Type)) {
    match shape {
        Shape::Object(object) => {
            object.fields.iter_mut().for_each(|field| act(&mut field.kind));
            object.additional.iter_mut().for_each(act);
        }
        Shape::Union(union) => union.variants.iter_mut().for_each(|variant| act(&mut variant.kind)),
        Shape::Enumeration(_) => {}
    }
}

/// The declarations that a type needs, in the order in which they are met.
pub fn gather(kind: &Type, order: &mut Vec<usize>) {
    match kind {
        Type::Named(number) if !order.contains(number) => order.push(*number),
        Type::Array(item) | Type::Map(item) | Type::Nullable(item) => gather(item, order),
        _ => {}
    }
}

pub fn renumbered(kind: &mut Type, places: &HashMap<usize, usize>) {
    match kind {
        Type::Named(number) => *number = places.get(number).copied().unwrap_or_default(),
        Type::Array(item) | Type::Map(item) | Type::Nullable(item) => renumbered(item, places),
        _ => {}
    }
}

/// Replaces what stands in more collections than that; says how often.
pub fn shallow(kind: &mut Type, left: u32) -> u32 {
    match kind {
        Type::Array(item) | Type::Map(item) | Type::Nullable(item) if left > 0 => shallow(item, left - 1),
        Type::Array(_) | Type::Map(_) | Type::Nullable(_) => {
            *kind = Type::Json;
            1
        }
        _ => 0,
    }
}

/// A required member by which an object contains itself.
pub fn endless(declarations: &[Declaration]) -> Option<(usize, usize)> {
    fn visit(
        declarations: &[Declaration],
        number: usize,
        open: &mut Vec<usize>,
        done: &mut Vec<bool>,
    ) -> Option<(usize, usize)> {
        if done[number] {
            return None;
        }
        open.push(number);
        if let Shape::Object(object) = &declarations[number].shape {
            for (at, field) in object.fields.iter().enumerate() {
                if let (Type::Named(inner), true) = (&field.kind, field.required) {
                    if open.contains(inner) {
                        return Some((number, at));
                    }
                    if let Some(found) = visit(declarations, *inner, open, done) {
                        return Some(found);
                    }
                }
            }
        }
        open.pop();
        done[number] = true;
        None
    }
    let mut done = vec![false; declarations.len()];
    (0..declarations.len()).find_map(|number| visit(declarations, number, &mut Vec::new(), &mut done))
}

/// Whether a value of a declaration may contain another one of it.
pub fn reaches(declarations: &[Declaration], start: usize) -> bool {
    let mut seen = vec![false; declarations.len()];
    let mut open = vec![start];
    while let Some(number) = open.pop() {
        let mut next = Vec::new();
        each_type(&mut declarations[number].shape.clone(), &mut |kind| gather(kind, &mut next));
        for other in next {
            if other == start {
                return true;
            }
            if !std::mem::replace(&mut seen[other], true) {
                open.push(other);
            }
        }
    }
    false
}

/// Finds out how the variants of each union are told apart.
pub fn decide(declarations: &mut [Declaration]) {
    for number in 0..declarations.len() {
        let Shape::Union(mut union) = declarations[number].shape.clone() else { continue };
        let classes: Vec<Option<Class>> =
            union.variants.iter().map(|it| it.kind.class(declarations)).collect();
        let is_single = |class: Class| classes.iter().filter(|it| **it == Some(class)).count() <= 1;
        let all_known = classes.iter().all(Option::is_some);
        let simple = [Class::Null, Class::Bool, Class::Number, Class::String, Class::Array];
        if all_known && simple.into_iter().all(is_single) {
            if is_single(Class::Object) {
                union.is_decidable = true;
            } else if let Some((tag, texts)) = tag_of(&union, &classes, declarations) {
                for (variant, texts) in union.variants.iter_mut().zip(texts) {
                    variant.tags = texts;
                }
                union.tag = Some(tag);
                union.is_decidable = true;
            }
        }
        declarations[number].shape = Shape::Union(union);
    }
}

/// A required member that all objects of a union have, with different texts in each.
pub fn tag_of(
    union: &Union,
    classes: &[Option<Class>],
    declarations: &[Declaration],
) -> Option<(String, Vec<Vec<String>>)> {
    let objects: Vec<Option<&Object>> = union
        .variants
        .iter()
        .zip(classes)
        .filter(|(_, class)| **class == Some(Class::Object))
        .map(|(variant, _)| match &variant.kind {
            Type::Named(number) => match &declarations[*number].shape {
                Shape::Object(object) => Some(object),
                _ => None,
            },
            _ => None,
        })
        .collect();
    let first = (*objects.first()?)?;
    let texts_of = |object: &Object, wire: &str| -> Option<Vec<String>> {
        let field = object.fields.iter().find(|it| it.wire == wire && it.required)?;
        let Type::Named(number) = field.kind else { return None };
        let Shape::Enumeration(texts) = &declarations[number].shape else { return None };
        Some(texts.iter().map(|it| it.wire.clone()).collect())
    };
    'fields: for field in &first.fields {
        let mut seen = BTreeSet::new();
        let mut all = Vec::new();
        for object in &objects {
            let Some(texts) = (*object).and_then(|it| texts_of(it, &field.wire)) else { continue 'fields };
            if texts.iter().any(|text| !seen.insert(text.clone())) {
                continue 'fields;
            }
            all.push(texts);
        }
        let mut all = all.into_iter();
        let texts = classes
            .iter()
            .map(
                |class| {
                    if *class == Some(Class::Object) { all.next().unwrap_or_default() } else { Vec::new() }
                },
            )
            .collect();
        return Some((field.wire.clone(), texts));
    }
    None
}
