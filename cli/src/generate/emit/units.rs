//! What C needs beside declarations: lists, maps and nullable types as structs with functions, in an order that compiles.

use super::super::model::{Declaration, Shape, Tool, Type};
use super::super::naming;
use super::types::Dialect;
use serde_json::{Value, json};

/// The declarations with those that they hold before them, as far as that is possible.
pub fn order(declarations: &[Declaration]) -> Vec<usize> {
    fn visit(declarations: &[Declaration], number: usize, seen: &mut Vec<bool>, order: &mut Vec<usize>) {
        if std::mem::replace(&mut seen[number], true) {
            return;
        }
        let mut needs = Vec::new();
        let mut shape = declarations[number].shape.clone();
        super::super::read::each_type(&mut shape, &mut |kind| named(kind, &mut needs));
        for need in needs {
            visit(declarations, need, seen, order);
        }
        order.push(number);
    }
    let mut seen = vec![false; declarations.len()];
    let mut order = Vec::new();
    // What one declaration holds by value comes before what it holds behind a pointer: `visit` meets a cycle at a pointer.
    for number in by_value(declarations) {
        visit_by_value(declarations, number, &mut vec![false; declarations.len()], &mut order);
    }
    for number in 0..declarations.len() {
        visit(declarations, number, &mut seen, &mut order);
    }
    let mut kept = Vec::new();
    for number in order {
        if !kept.contains(&number) {
            kept.push(number);
        }
    }
    kept
}

fn named(kind: &Type, found: &mut Vec<usize>) {
    match kind {
        Type::Named(number) => found.push(*number),
        Type::Array(item) | Type::Map(item) | Type::Nullable(item) => named(item, found),
        _ => {}
    }
}

/// Enumerations first: C cannot declare them before it defines them. Then everything.
fn by_value(declarations: &[Declaration]) -> Vec<usize> {
    let is_enumeration = |number: &usize| matches!(declarations[*number].shape, Shape::Enumeration(_));
    let (first, rest): (Vec<usize>, Vec<usize>) = (0..declarations.len()).partition(is_enumeration);
    [first, rest].concat()
}

fn visit_by_value(declarations: &[Declaration], number: usize, seen: &mut Vec<bool>, order: &mut Vec<usize>) {
    if order.contains(&number) || std::mem::replace(&mut seen[number], true) {
        return;
    }
    let needs: Vec<usize> = match &declarations[number].shape {
        Shape::Object(object) => object
            .fields
            .iter()
            .filter_map(|field| match &field.kind {
                Type::Named(inner) if field.required || !declarations[*inner].is_recursive => Some(*inner),
                Type::Nullable(inner) => match **inner {
                    Type::Named(inner) if !declarations[inner].is_recursive => Some(inner),
                    _ => None,
                },
                _ => None,
            })
            .collect(),
        Shape::Union(union) => union
            .variants
            .iter()
            .filter_map(|variant| match &variant.kind {
                Type::Named(inner) if !declarations[*inner].is_recursive => Some(*inner),
                _ => None,
            })
            .collect(),
        Shape::Enumeration(_) => Vec::new(),
    };
    for need in needs {
        visit_by_value(declarations, need, seen, order);
    }
    order.push(number);
}

/// Whether an optional value of the type is behind a pointer in C.
pub fn is_heap(kind: &Type, declarations: &[Declaration]) -> bool {
    match kind {
        Type::Named(number) => !matches!(declarations[*number].shape, Shape::Enumeration(_)),
        Type::String | Type::Json => false,
        _ => false,
    }
}

/// The part of a name that stands for a type.
fn label(kind: &Type, tool: &Tool) -> String {
    match kind {
        Type::Json | Type::Null => "json".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Int => "int".to_owned(),
        Type::Number => "number".to_owned(),
        Type::String => "string".to_owned(),
        Type::Literals(_) => label(&kind.widened(), tool),
        Type::Array(item) => format!("{}_list", label(item, tool)),
        Type::Map(item) => format!("{}_map", label(item, tool)),
        Type::Nullable(item) => format!("{}_or_null", label(item, tool)),
        Type::Named(number) => super::types::snake_of(&tool.declarations[*number].name),
    }
}

/// What the functions of a type begin with. Two underscores are in no name that comes from a server.
pub fn functions_of(dialect: &Dialect, kind: &Type, tool: &Tool) -> String {
    match kind {
        Type::Array(_) | Type::Map(_) | Type::Nullable(_) => {
            format!("{}_{}__{}", dialect.module, naming::snake(&tool.words), label(kind, tool))
        }
        Type::Named(number) => dialect.prefix(&tool.declarations[*number]),
        other => format!("mcp_generated_{}", label(other, tool)),
    }
}

pub fn type_of(dialect: &Dialect, kind: &Type, tool: &Tool) -> String {
    match kind {
        Type::Json | Type::Null | Type::String => "const char *".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Int => "int64_t".to_owned(),
        Type::Number => "double".to_owned(),
        Type::Literals(_) => type_of(dialect, &kind.widened(), tool),
        other => format!("{}_t", functions_of(dialect, other, tool)),
    }
}

/// The lists, maps and nullable types of a tool, those inside first; each `{name, shape, item}`.
pub fn units(dialect: &Dialect, tool: &Tool) -> Vec<Value> {
    let mut found: Vec<Type> = Vec::new();
    for declaration in &tool.declarations {
        let mut shape = declaration.shape.clone();
        super::super::read::each_type(&mut shape, &mut |kind| composite(kind, &mut found));
    }
    for root in [Some(&tool.arguments), tool.result.as_ref()].into_iter().flatten() {
        composite(root, &mut found);
    }
    found
        .iter()
        .map(|kind| {
            let (shape, item) = match kind {
                Type::Array(item) => ("list", item),
                Type::Map(item) => ("map", item),
                Type::Nullable(item) => ("nullable", item),
                _ => ("", &Box::new(Type::Json)),
            };
            json!({
                "name": functions_of(dialect, kind, tool),
                "shape": shape,
                "item": type_of(dialect, item, tool),
                "functions": functions_of(dialect, item, tool),
                "is_heap": is_heap(item, &tool.declarations),
            })
        })
        .collect()
}

fn composite(kind: &Type, found: &mut Vec<Type>) {
    if let Type::Array(item) | Type::Map(item) | Type::Nullable(item) = kind {
        composite(item, found);
        if !found.contains(kind) {
            found.push(kind.clone());
        }
    }
}
