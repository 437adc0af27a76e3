//! What most schemas of arguments ask for, asked of JSON text: which members an object may and must have, and of which types
//! they are. What is found to fit fits; of everything else nothing is known, and the check of a tree decides and explains.

use super::model::{Keyword, Schema, SchemaNode};
use crate::json::{Cursor, Kind};

const STRING: u8 = 1;
const NUMBER: u8 = 2;
const INTEGER: u8 = 4;
const BOOLEAN: u8 = 8;
const NULL: u8 = 16;
const ANY: u8 = STRING | NUMBER | INTEGER | BOOLEAN | NULL;

/// As many members as a word has bits.
const MEMBERS: usize = 64;
/// Digits that every reader takes for the same whole number.
const DIGITS: usize = 15;

/// One member of an object.
#[derive(Debug)]
struct Member {
    name: Box<str>,
    /// The types that it may have.
    types: u8,
}

/// The part of a schema that can be asked of text.
#[derive(Debug)]
pub(crate) struct FastPath {
    members: Vec<Member>,
    /// The members that must be there, as bits.
    required: u64,
    /// Whether there may be others.
    others: bool,
}

impl Schema {
    /// The same as a question to text; `None` where the schema asks for more.
    pub(crate) fn plain(&self) -> Option<FastPath> {
        let Some(SchemaNode::Rules { rules, .. }) = self.nodes.get(self.root) else { return None };
        let mut plain = FastPath { members: Vec::new(), required: 0, others: true };
        for rule in rules {
            match rule {
                Keyword::Types(types) if types.iter().any(|name| name == "object") => {}
                Keyword::Format(_) if !self.formats => {}
                Keyword::Properties { named, patterns, rest } if patterns.is_empty() => {
                    for (name, node) in named {
                        let types = self.types(*node)?;
                        plain.place(name, |member| member.types = types)?;
                    }
                    plain.others = match rest.map(|rest| self.nodes.get(rest)) {
                        None | Some(Some(SchemaNode::Bool(true))) => true,
                        Some(Some(SchemaNode::Bool(false))) => false,
                        Some(_) => return None,
                    };
                }
                Keyword::Required(names) => {
                    for name in names {
                        plain.required |= 1 << plain.place(name, |_| {})?;
                    }
                }
                _ => return None,
            }
        }
        // A member that is required and not described may be anything that others may be.
        let is_closed = !plain.others && rules.iter().any(|rule| matches!(rule, Keyword::Required(_)));
        let is_described = |member: &Member| {
            rules.iter().any(
                |rule| matches!(rule, Keyword::Properties { named, .. } if named.contains_key(&*member.name)),
            )
        };
        (!is_closed || plain.members.iter().all(is_described)).then_some(plain)
    }

    /// The types that a node wants, if it asks for nothing else.
    fn types(&self, node: usize) -> Option<u8> {
        let rules = match self.nodes.get(node)? {
            SchemaNode::Bool(true) => return Some(ANY),
            SchemaNode::Rules { rules, .. } => rules,
            SchemaNode::Bool(false) | SchemaNode::Pending => return None,
        };
        let mut types = ANY;
        for rule in rules {
            match rule {
                Keyword::Types(names) => {
                    types &= names.iter().map(|name| bit(name)).fold(0, |all, bit| all | bit);
                }
                Keyword::Format(_) if !self.formats => {}
                _ => return None,
            }
        }
        Some(types)
    }
}

fn bit(name: &str) -> u8 {
    match name {
        "string" => STRING,
        "number" => NUMBER,
        "integer" => INTEGER,
        "boolean" => BOOLEAN,
        "null" => NULL,
        _ => 0,
    }
}

impl FastPath {
    /// The place of the member called `name`, which is added if it is not there; `None` if there are too many.
    fn place(&mut self, name: &str, change: impl FnOnce(&mut Member)) -> Option<usize> {
        let at = self.members.iter().position(|member| &*member.name == name).unwrap_or(self.members.len());
        if at >= MEMBERS {
            return None;
        }
        if at == self.members.len() {
            self.members.push(Member { name: name.into(), types: ANY });
        }
        change(self.members.get_mut(at)?);
        Some(at)
    }

    /// Whether `object`, JSON text that was checked, certainly fits. `false` says nothing.
    pub(crate) fn fits(&self, object: &str) -> bool {
        self.fitting(object).is_some()
    }

    fn fitting(&self, object: &str) -> Option<()> {
        let mut cursor = Cursor::new(object.as_bytes());
        let mut found = 0u64;
        if !cursor.enter(Kind::Object) {
            return None;
        }
        while let Some(name) = cursor.member() {
            // Readers may see different things in an escape.
            let name = name.plain()?;
            let types = match cursor.kind()? {
                Kind::String => cursor.string()?.plain().map(|_| STRING)?,
                Kind::Number => {
                    is_small_integer(cursor.skip()?.of(object.as_bytes())).then_some(NUMBER | INTEGER)?
                }
                Kind::True | Kind::False => cursor.skip().map(|_| BOOLEAN)?,
                Kind::Null => cursor.skip().map(|_| NULL)?,
                Kind::Array | Kind::Object => return None,
            };
            match self.members.iter().position(|member| member.name.as_bytes() == name) {
                Some(at) if self.members.get(at)?.types & types != 0 => found |= 1 << at,
                None if self.others => {}
                _ => return None,
            }
        }
        (found & self.required == self.required).then_some(())
    }
}

/// Whether a number is an integer in which readers see the same.
fn is_small_integer(number: &[u8]) -> bool {
    let digits = number.strip_prefix(b"-").unwrap_or(number);
    let is_zero_with_sign = digits.len() < number.len() && digits.first() == Some(&b'0');
    digits.len() <= DIGITS && !is_zero_with_sign && digits.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use crate::schema::{Bounds, Schema};
    use serde_json::{Value, json};

    fn schema(schema: &Value) -> Schema {
        Schema::new(schema, Bounds::default()).expect("a schema")
    }

    const VALUES: [&str; 20] = [
        "\"x\"",
        "\"\"",
        "\"\\u0061\"",
        "\"日本\"",
        "0",
        "-0",
        "7",
        "-7",
        "1.0",
        "1e3",
        "123456789012345",
        "1234567890123456",
        "123456789012345678901234567890",
        "1e999",
        "true",
        "false",
        "null",
        "{}",
        "[]",
        "[[1,{\"a\":\"\\ud800\"}]]",
    ];

    #[test]
    fn what_fits_as_text_fits_as_a_tree() {
        let types = ["string", "number", "integer", "boolean", "null", "object", "array"];
        let mut properties: Vec<Value> = types.iter().map(|name| json!({ "type": name })).collect();
        properties.extend([
            json!({}),
            json!(true),
            json!({ "type": ["string", "null"], "description": "either", "default": "x" }),
            json!({ "type": "string", "format": "date" }),
        ]);
        let (mut fitting, mut known) = (0, 0);
        for property in &properties {
            for (required, others) in [(false, Value::Null), (true, json!(true)), (true, json!(false))] {
                let mut wanted =
                    json!({ "type": "object", "properties": { "a": property, "n": { "type": "integer" } } });
                if required {
                    wanted["required"] = json!(["a"]);
                    wanted["additionalProperties"] = others;
                }
                let schema = schema(&wanted);
                let plain = schema.plain().expect("a plain schema");
                for value in VALUES {
                    for object in [
                        format!("{{\"a\":{value}}}"),
                        format!("{{ \"a\" : {value} , \"n\" : 1 }}"),
                        format!("{{\"b\":{value}}}"),
                        format!("{{\"a\":{value},\"b\":{value}}}"),
                        format!("{{\"a\":{value},\"a\":\"last\"}}"),
                        format!("{{\"a\":\"first\",\"a\":{value}}}"),
                        format!("{{\"\\u0061\":{value}}}"),
                        "{}".to_owned(),
                    ] {
                        let tree: Option<Value> = serde_json::from_str(&object).ok();
                        let fits = tree.is_some_and(|tree| schema.check(&tree).is_ok());
                        assert!(fits || !plain.fits(&object), "{object} with {wanted}");
                        fitting += usize::from(fits);
                        known += usize::from(plain.fits(&object));
                    }
                }
            }
        }
        assert!(known * 3 > fitting, "{known} of {fitting}");
    }

    #[test]
    fn usual_arguments_are_known_to_fit() {
        let schema = schema(&json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "title": "Search",
            "properties": {
                "query": { "type": "string", "description": "what to look for" },
                "limit": { "type": "integer", "default": 10 }, "exact": { "type": "boolean" },
            },
            "required": ["query"], "additionalProperties": false,
        }));
        let plain = schema.plain().expect("a plain schema");
        assert!(plain.fits(r#"{"query":"a b","limit":25,"exact":false}"#));
        assert!(plain.fits("{\n  \"exact\": true,\n  \"query\": \"\"\n}"));
        for other in [
            r#"{"limit":25}"#,
            r#"{"query":7}"#,
            r#"{"query":"x","more":1}"#,
            r#"{"query":"x","limit":"1"}"#,
            "[]",
        ] {
            assert!(!plain.fits(other), "{other}");
        }
    }

    #[test]
    fn a_schema_that_asks_for_more_is_not_asked_of_text() {
        for more in [
            json!({ "type": "object", "minProperties": 1 }),
            json!({ "type": "object", "properties": { "a": { "type": "string", "minLength": 1 } } }),
            json!({ "type": "object", "properties": { "a": { "enum": ["x"] } } }),
            json!({ "type": "object", "properties": { "a": false } }),
            json!({ "type": "object", "additionalProperties": { "type": "string" } }),
            json!({ "type": "object", "patternProperties": { "^a": true } }),
            json!({ "type": "object", "required": ["a"], "additionalProperties": false }),
            json!({ "type": "object", "anyOf": [{ "required": ["a"] }] }),
            json!({ "type": "object", "$ref": "#/$defs/a", "$defs": { "a": { "required": ["a"] } } }),
            json!({ "type": "object", "properties": { "a": { "$ref": "#" } } }),
        ] {
            assert!(schema(&more).plain().is_none(), "{more}");
        }
        assert!(schema(&json!({ "type": "object", "format": "date" })).with_formats().plain().is_none());
    }

    #[test]
    fn more_members_than_a_word_has_bits_are_left_to_the_tree() {
        let object = |count: usize| {
            let named: serde_json::Map<String, Value> =
                (0..count).map(|at| (format!("m{at}"), json!({ "type": "string" }))).collect();
            schema(&json!({ "type": "object", "properties": named, "required": [format!("m{}", count - 1)] }))
        };
        let plain = object(64).plain().expect("a plain schema");
        assert!(plain.fits(r#"{"m63":"x"}"#) && !plain.fits(r#"{"m62":"x"}"#));
        assert!(object(65).plain().is_none());
    }
}
