//! What is known of a server's tools from their list: the schemas of arguments and results, read when first needed.
//!
//! One bad schema concerns its own tool: nothing is checked there, and a log record says why. The rest of the list is as
//! good as ever.

use crate::json::{self, Kind};
use crate::schema::{Bounds, Schema};
use std::collections::HashMap;
use std::sync::Arc;

/// Tools remembered.
const TOOLS: usize = 10_000;
/// The largest schema that is looked at, and the bytes of all that are kept.
const SCHEMA_BYTES: usize = 256 * 1024;
const ALL_BYTES: usize = 16 * 1024 * 1024;

/// A schema of the server's.
#[derive(Clone, Debug)]
enum Known {
    Text(Box<str>),
    Ready(Arc<Schema>),
    /// Nothing is checked with it; it was said why.
    Unusable,
}

#[derive(Debug, Default)]
struct Tool {
    input: Option<Known>,
    output: Option<Known>,
}

/// Which of a tool's schemas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// `inputSchema`.
    Arguments,
    /// `outputSchema`.
    Result,
}

/// The tools of one connection.
#[derive(Debug, Default)]
pub(super) struct Tools {
    connection: u64,
    known: HashMap<String, Tool>,
    bytes: usize,
}

impl Tools {
    /// What the server before said is forgotten.
    fn follow(&mut self, connection: u64) {
        if self.connection != connection {
            self.forget();
            self.connection = connection;
        }
    }

    /// The list changed.
    pub(super) fn forget(&mut self) {
        self.known.clear();
        self.bytes = 0;
    }

    /// A list of tools came on this connection.
    pub(super) fn note(&mut self, connection: u64, result: &str, with_arguments: bool) {
        self.follow(connection);
        let Some(tools) =
            json::member(result, "tools").filter(|tools| json::kind(tools) == Some(Kind::Array))
        else {
            return;
        };
        // In one walk: there may be tens of thousands of them.
        for tool in json::picks(tools, ["name", "inputSchema", "outputSchema"]) {
            let Some([name, input, output]) = tool else { continue };
            let Some(name) = name.and_then(json::string) else { continue };
            let (input, output) = (self.take(input.filter(|_| with_arguments)), self.take(output));
            if self.known.len() < TOOLS || self.known.contains_key(name.as_ref()) {
                self.known.insert(name.into_owned(), Tool { input, output });
            }
        }
    }

    fn take(&mut self, schema: Option<&str>) -> Option<Known> {
        let schema = schema.filter(|schema| *schema != "null")?;
        if schema.len() > SCHEMA_BYTES || self.bytes + schema.len() > ALL_BYTES {
            return Some(Known::Unusable);
        }
        self.bytes += schema.len();
        Some(Known::Text(schema.into()))
    }

    /// A tool's schema, if it has one that can be used. `say` hears once why one cannot.
    pub(super) fn schema(
        &mut self,
        connection: u64,
        name: &str,
        side: Side,
        say: impl FnOnce(String),
    ) -> Option<Arc<Schema>> {
        self.follow(connection);
        let tool = self.known.get_mut(name)?;
        let known = match side {
            Side::Arguments => tool.input.as_mut()?,
            Side::Result => tool.output.as_mut()?,
        };
        if let Known::Text(text) = known {
            let read = serde_json::from_str(text).map_err(|error| error.to_string());
            match read.and_then(|schema| Schema::new(&schema, Bounds::default())) {
                Ok(schema) => *known = Known::Ready(Arc::new(schema)),
                Err(why) => {
                    *known = Known::Unusable;
                    say(why);
                }
            }
        }
        match known {
            Known::Ready(schema) => Some(Arc::clone(schema)),
            Known::Text(_) | Known::Unusable => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const LIST: &str = r#"{"tools":[{"name":"good","outputSchema":{"type":"object"}},{"name":"bad","outputSchema":{"$ref":"http://x/y"}},
        {"name":"none"},{"name":"null","outputSchema":null}]}"#;

    fn schema(tools: &mut Tools, connection: u64, name: &str) -> (bool, Option<String>) {
        let mut said = None;
        let found = tools.schema(connection, name, Side::Result, |why| said = Some(why)).is_some();
        (found, said)
    }

    #[test]
    fn a_bad_schema_concerns_its_own_tool_and_is_told_once() {
        let mut tools = Tools::default();
        tools.note(1, LIST, false);
        assert_eq!(schema(&mut tools, 1, "good"), (true, None));
        let (found, said) = schema(&mut tools, 1, "bad");
        assert!(!found && said.is_some_and(|why| why.contains("http://x/y")));
        assert_eq!(schema(&mut tools, 1, "bad"), (false, None));
        assert_eq!(schema(&mut tools, 1, "none"), (false, None));
        assert_eq!(schema(&mut tools, 1, "null"), (false, None));
    }

    #[test]
    fn what_was_known_ends_with_the_list_and_with_the_connection() {
        let mut tools = Tools::default();
        tools.note(1, LIST, false);
        assert_eq!(schema(&mut tools, 2, "good"), (false, None));
        tools.note(2, LIST, false);
        tools.forget();
        assert_eq!(schema(&mut tools, 2, "good"), (false, None));
    }

    #[test]
    fn schemas_kept_are_bounded() {
        let mut tools = Tools::default();
        let large = "x".repeat(SCHEMA_BYTES);
        let list = json!({"tools": [{"name": "a", "outputSchema": {"description": large}}]}).to_string();
        tools.note(1, &list, false);
        assert_eq!((tools.bytes, schema(&mut tools, 1, "a")), (0, (false, None)));
        for page in 0..=11 {
            let many: Vec<_> =
                (0..1000).map(|i| json!({"name": format!("{page}-{i}"), "outputSchema": {}})).collect();
            tools.note(1, &json!({ "tools": many }).to_string(), false);
        }
        assert_eq!(tools.known.len(), TOOLS);
    }
}
