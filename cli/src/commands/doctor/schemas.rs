//! What is wrong with a JSON Schema of a tool, as far as it has one meaning: what clients stumble over, and what APIs of models refuse.

use super::Report;
use serde_json::{Map, Value};

const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];
/// Keywords whose value is a number.
const NUMBERS: [&str; 11] = [
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "maxContains",
    "minContains",
];
/// Keywords with a schema, with a list of them, and with an object of them.
const ONE: [&str; 9] = [
    "items",
    "additionalProperties",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "unevaluatedProperties",
];
const SEVERAL: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];
const NAMED: [&str; 5] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
/// How deep is looked.
const DEPTH: usize = 64;

/// Looks at a schema that is the `member` of a tool.
pub fn check(report: &mut Report, about: &str, member: &str, text: &str) {
    let Ok(root) = serde_json::from_str::<Value>(text) else { return };
    if let Some(key) = ["anyOf", "oneOf", "allOf"].into_iter().find(|key| root.get(key).is_some())
        && member == "inputSchema"
    {
        report.advice(
            about,
            format!("'{key}' at the root of the inputSchema"),
            "describe the arguments as properties of one object: APIs of models refuse combinations at the root",
        );
    }
    for name in root.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys) {
        let fits = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        if member == "inputSchema" && (name.is_empty() || name.len() > 64 || !name.chars().all(fits)) {
            report.advice(
                about,
                format!("a property called '{name}'"),
                "rename it: APIs of models take at most 64 letters, digits, '_', '.' and '-'",
            );
        }
    }
    let mut look = Look { report, about, member, root: &root };
    look.at(&root, &mut String::new(), 0);
}

struct Look<'a> {
    report: &'a mut Report,
    about: &'a str,
    member: &'a str,
    root: &'a Value,
}

impl Look<'_> {
    fn fault(&mut self, place: &str, what: &str, fix: &str) {
        let place = if place.is_empty() { "the root" } else { place };
        self.report.fault(self.about, format!("{} at {place}: {what}", self.member), fix);
    }

    fn at(&mut self, schema: &Value, place: &mut String, depth: usize) {
        let Value::Object(object) = schema else { return };
        if depth > DEPTH {
            return;
        }
        self.keywords(object, place);
        let before = place.len();
        let mut below = |look: &mut Self, schema: &Value, words: [&str; 2]| {
            for word in words.iter().filter(|word| !word.is_empty()) {
                place.push('/');
                place.push_str(word);
            }
            look.at(schema, place, depth + 1);
            place.truncate(before);
        };
        for key in ONE {
            if let Some(schema) = object.get(key) {
                below(self, schema, [key, ""]);
            }
        }
        for key in SEVERAL {
            for schema in object.get(key).and_then(Value::as_array).into_iter().flatten() {
                below(self, schema, [key, ""]);
            }
        }
        for key in NAMED {
            for (name, schema) in object.get(key).and_then(Value::as_object).into_iter().flatten() {
                if !(key == "properties" && name == "required" && schema.is_array()) {
                    below(self, schema, [key, name]);
                }
            }
        }
    }

    fn keywords(&mut self, object: &Map<String, Value>, place: &str) {
        let types = match object.get("type") {
            Some(Value::Array(list)) => list.iter().collect(),
            Some(one) => vec![one],
            None => Vec::new(),
        };
        for wrong in types.into_iter().filter(|it| !it.as_str().is_some_and(|it| TYPES.contains(&it))) {
            self.fault(
                place,
                &format!("the type {wrong} does not exist"),
                "write one of the seven types of JSON Schema",
            );
        }
        if let Some(target) = object.get("$ref").and_then(Value::as_str)
            && let Some(pointer) =
                target.strip_prefix('#').filter(|rest| rest.is_empty() || rest.starts_with('/'))
            && self.root.pointer(&pointer.replace("%25", "%")).is_none()
        {
            self.fault(
                place,
                &format!("'{target}' leads nowhere"),
                "define what $ref names, or write it out",
            );
        }
        match object.get("required") {
            None | Some(Value::Array(_)) => {}
            Some(_) => self.fault(
                place,
                "'required' is not a list",
                "list the names of required properties at the object that has them",
            ),
        }
        match object.get("properties") {
            None => {}
            Some(Value::Object(properties)) if properties.get("required").is_some_and(Value::is_array) => {
                self.fault(
                    place,
                    "'required' stands among the properties",
                    "move it one level up, beside 'properties'",
                );
            }
            Some(Value::Object(_)) => {}
            Some(_) => self.fault(place, "'properties' is not an object", "write {} where there are none"),
        }
        for key in NUMBERS {
            if object.get(key).is_some_and(|value| !value.is_number()) {
                self.fault(place, &format!("'{key}' is not a number"), "write the number without quotes");
            }
        }
        if let Some(pattern) = object.get("pattern") {
            let is_one = pattern.as_str().is_some_and(is_pattern);
            if !is_one {
                self.fault(
                    place,
                    &format!("the pattern {pattern} is not a regular expression"),
                    "close what it opens",
                );
            }
        }
    }
}

/// Whether a text can be a regular expression in any dialect: what it opens is closed, and something stands before each repetition.
fn is_pattern(text: &str) -> bool {
    let (mut groups, mut in_class, mut may_repeat) = (0_usize, false, false);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => {
                if rest.next().is_none() {
                    return false;
                }
                may_repeat = true;
            }
            ']' if in_class => (in_class, may_repeat) = (false, true),
            _ if in_class => {}
            '[' => {
                in_class = true;
                // A bracket that comes first stands for itself in most dialects.
                rest.next_if_eq(&'^');
                rest.next_if_eq(&']');
            }
            '(' => {
                groups += 1;
                may_repeat = rest.next_if_eq(&'?').is_some();
            }
            ')' => match groups.checked_sub(1) {
                Some(left) => (groups, may_repeat) = (left, true),
                None => return false,
            },
            '*' | '+' | '?' if !may_repeat => return false,
            '|' => may_repeat = false,
            _ => may_repeat = true,
        }
    }
    groups == 0 && !in_class
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(member: &str, schema: &str) -> Vec<String> {
        let mut report = Report::default();
        check(&mut report, "tool x", member, schema);
        report.findings.into_iter().map(|finding| finding.what).collect()
    }

    #[test]
    fn each_planted_fault_is_found_and_nothing_else() {
        for (schema, says) in [
            (r#"{"type":"object","properties":{"a":{"type":"decimal"}}}"#, "decimal"),
            (r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/no"}}}"##, "leads nowhere"),
            (
                r#"{"type":"object","properties":{"a":{"type":"string"},"required":["a"]}}"#,
                "among the properties",
            ),
            (r#"{"type":"object","properties":{"a":{"type":"string","required":true}}}"#, "not a list"),
            (r#"{"type":"object","properties":[]}"#, "not an object"),
            (r#"{"type":"object","properties":{"a":{"type":"integer","minimum":"1"}}}"#, "not a number"),
            (
                r#"{"type":"object","properties":{"a":{"type":"string","pattern":"(a"}}}"#,
                "regular expression",
            ),
            (r#"{"type":"object","properties":{"uids[]":{"type":"string"}}}"#, "uids[]"),
            (r#"{"type":"object","anyOf":[{"required":["a"]}]}"#, "anyOf"),
            (
                r#"{"type":"object","properties":{"a":{"type":"array","items":{"type":["string","nil"]}}}}"#,
                "nil",
            ),
        ] {
            let found = found("inputSchema", schema);
            assert!(found.len() == 1 && found[0].contains(says), "{schema}: {found:?}");
        }
        let good = r##"{"type":"object","properties":{"required":{"type":"boolean"},"a":{"$ref":"#/$defs/x"},
            "b":{"type":["string","null"],"pattern":"^(?:[^]a]|\\d+?){2,}(?=x)$","minLength":1}},"required":["a"],"$defs":{"x":true}}"##;
        assert_eq!(found("inputSchema", good), Vec::<String>::new());
        assert_eq!(found("outputSchema", r#"{"anyOf":[{"type":"object"}]}"#), Vec::<String>::new());
    }
}
