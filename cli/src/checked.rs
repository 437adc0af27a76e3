//! The arguments of a tool against its schema, before anything is sent: all faults in one message, each with what was most likely meant.

use crate::commands::nearest;
use crate::output::one_line;
use crate::values::{parts, property, referred};
use mcp::client::json_text::{elements, member, members, string};
use mcp::client::schema::{SchemaVerdict, judge};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The most faults that are told, and parts of a schema that are looked at.
const MOST: usize = 10;
const STEPS: u32 = 1000;

/// What is wrong with arguments, and what is only odd.
#[derive(Debug, Default)]
pub struct Findings {
    /// Why they are not sent.
    pub faults: Vec<String>,
    /// What is told, and sent all the same.
    pub notes: Vec<String>,
}

/// Names that a schema has for arguments.
#[derive(Debug, Default)]
struct Names {
    known: BTreeSet<String>,
    required: BTreeSet<String>,
    /// Whether it says which other names there may be.
    is_open: bool,
}

/// Compares the arguments of a tool with its `inputSchema`; `left_out` are names whose values did not fit their types.
pub fn findings(tool: &str, schema: &str, arguments: &Map<String, Value>, left_out: &[String]) -> Findings {
    let mut found = Findings::default();
    let mut names = Names::default();
    collect(schema, schema, true, &mut names, &mut { STEPS });
    let is_given = |name: &str| arguments.contains_key(name) || left_out.iter().any(|other| other == name);
    let missing: Vec<&String> = names.required.iter().filter(|name| !is_given(name)).collect();
    let tree: Option<Value> = serde_json::from_str(schema).ok();
    let verdict = tree.as_ref().map(|tree| judge(tree, &Value::Object(arguments.clone())));
    if let Some(SchemaVerdict::Unknown(why)) = &verdict {
        found
            .notes
            .push(format!("the arguments are not checked: the schema of '{tool}' cannot be used: {why}"));
    }
    let mut refused = Vec::new();
    let unknown = arguments.keys().filter(|name| !names.known.contains(*name)).take(MOST);
    for name in unknown {
        let is_refused = verdict.as_ref().is_some_and(|verdict| is_of_name(verdict, name))
            || tree.as_ref().is_some_and(|tree| refuses(tree, name, &arguments[name]));
        if names.known.is_empty() && !is_refused {
            continue;
        }
        // One that is given already was not meant.
        let free = names.known.iter().filter(|known| !is_given(known)).map(String::as_str);
        let near = nearest(name, free);
        let advice = match near {
            Some(near) => format!("; did you mean '{}'?", one_line(near)),
            None if names.known.is_empty() => "; it takes no arguments".to_owned(),
            None => {
                let all: Vec<String> = names.known.iter().take(MOST).map(|name| one_line(name)).collect();
                format!("; it has {}", all.join(", "))
            }
        };
        let line = format!("the tool '{tool}' has no argument '{}'{advice}", one_line(name));
        if is_refused || (!names.is_open && (near.is_some() || !missing.is_empty())) {
            found.faults.push(line);
            refused.push(name);
        } else if !names.is_open || near.is_some() {
            found.notes.push(line);
        }
    }
    if !missing.is_empty() {
        let missing = missing.into_iter().map(|name| one_line(name));
        say_missing(&format!("the tool '{tool}'"), missing, &mut found.faults);
    }
    if let (Some(tree), Some(SchemaVerdict::Differs { .. })) = (tree, verdict) {
        // Names were looked at; what is left are the values.
        let mut arguments = arguments.clone();
        arguments.retain(|name, _| !refused.contains(&name));
        mismatches(schema, &without_required(tree), arguments, left_out, &mut found);
    }
    found
}

/// Adds which arguments are missing. The first fault of all says what they are missing for.
pub fn say_missing(of: &str, names: impl Iterator<Item = String>, faults: &mut Vec<String>) {
    let names = names.collect::<Vec<_>>().join(", ");
    if !names.is_empty() {
        let of = if faults.is_empty() { format!("arguments of {of} are ") } else { String::new() };
        faults.push(format!("{of}missing: {names}"));
    }
}

/// Whether a verdict is that an argument may not have this name: about a value inside of it, or about another one, it says nothing.
fn is_of_name(verdict: &SchemaVerdict, name: &str) -> bool {
    let SchemaVerdict::Differs { at, keyword, .. } = verdict else { return false };
    let about = at.strip_prefix('/').filter(|at| !at.contains('/')).map(unescaped);
    about.is_some_and(|about| about == name)
        && matches!(
            *keyword,
            "additionalProperties" | "unevaluatedProperties" | "false" | "not" | "propertyNames"
        )
}

/// Whether a schema has no room for an argument of this name, whatever else is given.
fn refuses(tree: &Value, name: &str, value: &Value) -> bool {
    let alone = Map::from_iter([(name.to_owned(), value.clone())]);
    is_of_name(&judge(&without_required(tree.clone()), &Value::Object(alone)), name)
}

/// The schema without what is told by itself.
fn without_required(mut tree: Value) -> Value {
    if let Some(root) = tree.as_object_mut() {
        root.remove("required");
    }
    tree
}

/// A step of a JSON Pointer.
fn unescaped(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

/// Faults as one text.
pub fn sentence(faults: &[String]) -> String {
    faults.join("; ").replace("?; ", "? ")
}

/// What the validator says of each argument.
fn mismatches(
    schema: &str,
    tree: &Value,
    mut arguments: Map<String, Value>,
    left_out: &[String],
    found: &mut Findings,
) {
    while found.faults.len() < MOST {
        let SchemaVerdict::Differs { at, keyword, what } = judge(tree, &Value::Object(arguments.clone()))
        else {
            break;
        };
        let mut steps = at.split('/').skip(1).map(unescaped);
        let Some(name) = steps.next().filter(|name| arguments.contains_key(name)) else {
            // Of the whole: what was found already may be the reason.
            if found.faults.is_empty() && left_out.is_empty() {
                found.faults.push(format!(
                    "the arguments together: it {} ({keyword}){}",
                    one_line(&what),
                    forms(schema)
                ));
            }
            break;
        };
        let inside = steps.fold(String::new(), |inside, step| inside + "." + &step);
        let value = arguments.get(&name).filter(|_| inside.is_empty() && keyword == "enum");
        let advice = value.map(|value| of_choices(schema, &name, value)).unwrap_or_default();
        found.faults.push(format!(
            "the argument {}: it {}{advice}",
            one_line(&format!("{name}{inside}")),
            one_line(&what)
        ));
        arguments.remove(&name);
    }
}

/// What must be given in each of the forms that arguments may have.
fn forms(schema: &str) -> String {
    let lists = ["oneOf", "anyOf"].into_iter().filter_map(|key| member(schema, key));
    let form = |part: &str| {
        let part = referred(schema, part).unwrap_or(part);
        let names: Vec<String> = elements(member(part, "required").unwrap_or("[]"))
            .filter_map(string)
            .map(|name| one_line(&name))
            .collect();
        if names.is_empty() { "others".to_owned() } else { names.join(" and ") }
    };
    let all: Vec<String> = lists.flat_map(elements).take(MOST).map(form).collect();
    if all.is_empty() { String::new() } else { format!("; give {}", all.join(", or ")) }
}

/// The value of an enumeration that one with a slip of the pen most likely means.
fn of_choices(schema: &str, name: &str, value: &Value) -> String {
    let property = property(schema, name);
    let inside = property.schemas.iter().flat_map(|place| parts(place));
    let all: Vec<&str> = property
        .schemas
        .iter()
        .copied()
        .chain(inside)
        .map(|place| referred(schema, place).unwrap_or(place))
        .filter_map(|place| member(place, "enum"))
        .flat_map(elements)
        .collect();
    let values: Vec<_> = all.iter().filter_map(|value| string(value)).collect();
    let near = value.as_str().and_then(|value| nearest(value, values.iter().map(|known| &**known)));
    near.map_or(String::new(), |near| format!("; did you mean '{}'?", one_line(near)))
}

/// Collects the names of a schema and of the schemas that it is made of. Only what must hold in any case is required.
fn collect(root: &str, schema: &str, is_certain: bool, names: &mut Names, steps: &mut u32) {
    let Some(left) = steps.checked_sub(1) else { return };
    *steps = left;
    let of = |name: &str| string(&format!("\"{name}\"")).map(std::borrow::Cow::into_owned);
    names
        .known
        .extend(members(member(schema, "properties").unwrap_or("{}")).filter_map(|(name, _)| of(name)));
    if is_certain {
        let required = elements(member(schema, "required").unwrap_or("[]")).filter_map(string);
        names.required.extend(required.map(std::borrow::Cow::into_owned));
    }
    let other = member(schema, "additionalProperties").is_some_and(|other| other != "false");
    names.is_open |= other || member(schema, "patternProperties").is_some();
    if let Some(target) = referred(root, schema) {
        collect(root, target, is_certain, names, steps);
    }
    for part in elements(member(schema, "allOf").unwrap_or("[]")) {
        collect(root, part, is_certain, names, steps);
    }
    for part in parts(schema) {
        collect(root, part, false, names, steps);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The faults and the notes of arguments.
    fn of(schema: &Value, arguments: &Value) -> (String, String) {
        let arguments = arguments.as_object().expect("an object");
        let found = findings("t", &schema.to_string(), arguments, &[]);
        (found.faults.join("; "), found.notes.join("; "))
    }

    #[test]
    fn all_faults_are_told_at_once_with_what_was_meant() {
        let schema = json!({"type": "object", "required": ["count", "flag", "ratio"], "properties": {
            "count": {"type": "integer", "maximum": 9}, "flag": {"type": "boolean"}, "ratio": {"type": "number"},
            "colour": {"enum": ["red", "green"]}, "deep": {"type": "object", "properties": {"a": {"type": "integer"}}}}});
        let (faults, _) = of(&schema, &json!({"cnt": 1, "colour": "gren", "deep": {"a": "x"}}));
        for part in [
            "has no argument 'cnt'; did you mean 'count'?",
            "missing: count, flag, ratio",
            "the argument colour: it is \"gren\", not one of the values allowed: \"red\", \"green\"; did you mean 'green'?",
            "the argument deep.a: it",
        ] {
            assert!(faults.contains(part), "{part} in {faults}");
        }
        let (faults, _) = of(&schema, &json!({"count": 1, "flag": true, "ratio": 1, "colour": "mauve"}));
        assert!(faults.ends_with("not one of the values allowed: \"red\", \"green\""), "{faults}");
        let (faults, notes) = of(&schema, &json!({"count": 10, "flag": true, "ratio": 1}));
        assert!(faults.contains("the argument count: it") && notes.is_empty(), "{faults}");
        assert_eq!(of(&schema, &json!({"count": 1, "flag": true, "ratio": 1})), Default::default());
        let (faults, _) = of(&schema, &json!({"count": 1}));
        assert_eq!(faults, "arguments of the tool 't' are missing: flag, ratio");
    }

    #[test]
    fn an_unknown_name_is_a_fault_only_where_it_must_be() {
        let mut schema = json!({"properties": {"count": {}, "name": {}}});
        assert!(of(&schema, &json!({"cout": 1})).0.contains("did you mean 'count'?"));
        let (faults, notes) = of(&schema, &json!({"entirely_else": 1}));
        assert!(faults.is_empty() && notes.contains("it has count, name"), "{faults} {notes}");
        schema["additionalProperties"] = json!(false);
        assert!(of(&schema, &json!({"entirely_else": 1})).0.contains("has no argument"));
        schema["additionalProperties"] = json!({"type": "string"});
        assert_eq!(of(&schema, &json!({"entirely_else": "x"})), Default::default());
        assert_eq!(of(&json!({"type": "object"}), &json!({"x": 1})), Default::default());
        // What a schema says of other names than those it has is told of each value.
        assert!(of(&schema, &json!({"entirely_else": 1})).0.contains("the argument entirely_else: it is 1"));
    }

    #[test]
    fn a_name_is_refused_where_the_schema_has_no_room_for_it_and_nowhere_else() {
        let inner = json!({"properties": {"a": {}}, "additionalProperties": false});
        let open = json!({"properties": {"deep": inner, "odd": {"not": {"const": 1}}}});
        let closed = json!({"properties": {}, "additionalProperties": false});
        for (schema, arguments, faults) in [
            (&closed, json!({"x": 1}), &["has no argument 'x'; it takes no arguments"][..]),
            (&closed, json!({"x": 1, "y/z": 2}), &["no argument 'x'", "no argument 'y/z'"]),
            (&json!({"additionalProperties": false}), json!({"x": 1}), &["no argument 'x'"]),
            (&json!({"additionalProperties": {"not": {}}}), json!({"x": 1}), &["no argument 'x'"]),
            (
                &json!({"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": false}),
                json!({"x": 1}),
                &["no argument 'x'"],
            ),
            (&inner, json!({"x": 1, "y": 2, "a": 3}), &["no argument 'x'", "no argument 'y'"]),
            // A fault inside an argument says nothing of the names beside it.
            (&open, json!({"deep": {"x": 1}, "other": 1}), &["the argument deep.x: it"]),
            (&open, json!({"odd": 1, "other": 1}), &["the argument odd: it"]),
            (&open, json!({"other": 1}), &[]),
        ] {
            let arguments = arguments.as_object().expect("an object");
            let found = findings("t", &schema.to_string(), arguments, &[]).faults;
            assert_eq!(found.len(), faults.len(), "{schema} {arguments:?}: {found:?}");
            for (found, fault) in found.iter().zip(faults) {
                assert!(found.contains(fault), "{schema} {arguments:?}: {found}");
            }
        }
    }

    #[test]
    fn references_and_combinations_at_the_root_are_followed() {
        let schema = json!({"$ref": "#/$defs/args", "$defs": {"args": {"allOf": [{"$ref": "#/$defs/n"}],
            "properties": {"s": {"type": "string"}}, "required": ["s"]}, "n": {"required": ["number"], "properties": {"number": {"type": "integer"}}}}});
        let (faults, _) = of(&schema, &json!({"numbr": 1}));
        assert!(
            faults.contains("did you mean 'number'?") && faults.contains("missing: number, s"),
            "{faults}"
        );
        let one_of = json!({"oneOf": [{"required": ["id"], "properties": {"id": {"type": "integer"}}, "additionalProperties": false},
            {"required": ["name"], "properties": {"name": {"type": "string"}}, "additionalProperties": false}]});
        assert_eq!(of(&one_of, &json!({"name": "x"})).0, "");
        assert!(of(&one_of, &json!({"id": 1, "name": "x"})).0.contains("the arguments together"));
        assert!(of(&one_of, &json!({})).0.ends_with("; give id, or name"), "{}", of(&one_of, &json!({})).0);
    }

    #[test]
    fn a_schema_that_cannot_be_used_checks_nothing_and_is_told() {
        let (faults, notes) = of(&json!({"$ref": "http://x/y"}), &json!({"a": 1}));
        assert!(faults.is_empty() && notes.contains("not checked"), "{faults} {notes}");
    }
}
