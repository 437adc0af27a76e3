//! Values against schemas: the schemas of a server's tools, the results and arguments of their calls, and any value for programs that
//! check before they send.

use crate::client::Message;
use crate::engine::{Error, Level, Status};
use crate::json::{self, Kind};
use crate::protocol::{lenient, method};
use crate::runtime::connection::Connection;
use crate::schema::{Bounds, Failure, Schema};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::{Arc, Weak};

/// How many tools are remembered.
const TOOLS: usize = 10_000;
/// The largest schema that is looked at, and the bytes of all that are kept.
const SCHEMA_BYTES: usize = 256 * 1024;
const ALL_BYTES: usize = 16 * 1024 * 1024;

/// A schema of the server's.
#[derive(Clone, Debug)]
enum KnownSchema {
    Text(Box<str>),
    Ready(Arc<Schema>),
    /// Nothing is checked with it; it was said why.
    Unusable,
}

#[derive(Debug, Default)]
struct ToolSchemas {
    input: Option<KnownSchema>,
    output: Option<KnownSchema>,
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
pub(super) struct KnownTools {
    connection: u64,
    known: HashMap<String, ToolSchemas>,
    bytes: usize,
}

impl KnownTools {
    /// What the server before said is forgotten.
    fn follow(&mut self, connection: u64) {
        if self.connection != connection {
            self.forget();
            self.connection = connection;
        }
    }

    /// Whether no tool is known.
    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
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
            // Languages without a type for an empty object write `[]`. Neither says what a result is.
            let says = |schema: &&str| {
                schema.get(1..schema.len().max(1) - 1).is_some_and(|inside| !inside.trim().is_empty())
            };
            let (input, output) = (input.filter(|_| with_arguments), output.filter(says));
            let (input, output) = (self.take(input), self.take(output));
            if self.known.len() < TOOLS || self.known.contains_key(name.as_ref()) {
                self.known.insert(name.into_owned(), ToolSchemas { input, output });
            }
        }
    }

    fn take(&mut self, schema: Option<&str>) -> Option<KnownSchema> {
        let schema = schema.filter(|schema| *schema != "null")?;
        if schema.len() > SCHEMA_BYTES || self.bytes + schema.len() > ALL_BYTES {
            return Some(KnownSchema::Unusable);
        }
        self.bytes += schema.len();
        Some(KnownSchema::Text(schema.into()))
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
        if let KnownSchema::Text(text) = known {
            let read = serde_json::from_str(&lenient::schema(text)).map_err(|error| error.to_string());
            match read.and_then(|schema| Schema::new(&schema, Bounds::default())) {
                Ok(schema) => *known = KnownSchema::Ready(Arc::new(schema)),
                Err(why) => {
                    *known = KnownSchema::Unusable;
                    say(why);
                }
            }
        }
        match known {
            KnownSchema::Ready(schema) => Some(Arc::clone(schema)),
            KnownSchema::Text(_) | KnownSchema::Unusable => None,
        }
    }
}

/// A check of one tool's result.
#[derive(Debug)]
pub(super) struct ResultCheck {
    pub(super) tool: String,
    pub(super) schema: Arc<Schema>,
    pub(super) connection: Weak<Connection>,
}

impl ResultCheck {
    /// Gives the result, or the error of a result that is not what the tool promised.
    pub(super) fn run(self, message: Message) -> Message {
        let result = message.json();
        if json::member(result, "isError") == Some("true") {
            // A tool that failed promises nothing.
            return message;
        }
        let why = match lenient::member(result, "structuredContent") {
            None => "the tool has an outputSchema, and its result no structuredContent".to_owned(),
            Some(content) => match self.judge(content) {
                None => return message,
                Some(why) => format!("the result is not what its outputSchema promises: {why}"),
            },
        };
        let mut error = Error::new(
            Status::Protocol,
            method::TOOLS_CALL,
            format!(
                "tool '{}': {why}. The result is in 'data'; with validate_results false results come unchecked",
                self.tool
            ),
        )
        .with("tool", self.tool.as_str())
        .with("sent", true);
        error.data = Some(result.to_owned());
        Message::failed(message.client(), message.call(), message.tag(), &error)
    }

    fn judge(&self, content: &str) -> Option<String> {
        let content = match serde_json::from_str::<Value>(content) {
            Ok(content) => content,
            // Valid, or it would not have come so far: deeper than a tree may be, or a number of no size.
            Err(error) => return self.skipped(&error.to_string()),
        };
        match self.schema.check(&content) {
            Ok(()) => None,
            Err(Failure::Mismatch(mismatch)) => Some(mismatch.to_string()),
            Err(Failure::Bound(bound)) => self.skipped(bound),
        }
    }

    /// The check could not be made: the result is the application's to judge.
    fn skipped(&self, why: &str) -> Option<String> {
        if let Some(connection) = self.connection.upgrade() {
            say(&connection, "schema.skipped", &self.tool, why);
        }
        None
    }
}

/// A log record about a tool's schema.
pub(super) fn say(connection: &Connection, event: &'static str, tool: &str, why: &str) {
    let fields = || {
        let mut fields = Map::new();
        fields.insert("tool".to_owned(), tool.into());
        fields.insert("why".to_owned(), why.into());
        fields
    };
    connection.context.event(Level::Warn, event, fields);
}

/// Whether a tool's arguments are what it asks for.
///
/// # Errors
/// `INVALID_ARGUMENT` with what is wrong.
pub(super) fn check_arguments(schema: &Schema, tool: &str, arguments: &str) -> Result<(), Error> {
    let Ok(value) = serde_json::from_str::<Value>(arguments) else { return Ok(()) };
    match schema.check(&value) {
        Ok(()) | Err(Failure::Bound(_)) => Ok(()),
        Err(Failure::Mismatch(mismatch)) => Err(Error::new(
            Status::InvalidArgument,
            method::TOOLS_CALL,
            format!(
                "the arguments are not what tool '{tool}' asks for: {mismatch}. Nothing was sent (validate_arguments)"
            ),
        )
        .with("tool", tool)
        .with("sent", false)
        .with("at", mismatch.at)
        .with("keyword", mismatch.keyword)),
    }
}

/// How a value compares with a schema.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SchemaVerdict {
    /// It is what the schema wants.
    Fits,
    /// It is not: where (a JSON Pointer), by which keyword, and why in words.
    Differs {
        /// Where in the value.
        at: String,
        /// The keyword of the schema.
        keyword: &'static str,
        /// What is wrong, as it follows the name of the place in a sentence.
        what: String,
    },
    /// Nothing is known: the schema cannot be used, or the check cost too much. Why, in words.
    Unknown(String),
}

/// Compares a value with a schema, within the bounds of every check.
pub fn judge(schema: &Value, value: &Value) -> SchemaVerdict {
    let schema = match Schema::new(schema, Bounds::default()) {
        Ok(schema) => schema,
        Err(why) => return SchemaVerdict::Unknown(why),
    };
    match schema.check(value) {
        Ok(()) => SchemaVerdict::Fits,
        Err(Failure::Bound(why)) => SchemaVerdict::Unknown(why.to_owned()),
        Err(Failure::Mismatch(mismatch)) => {
            SchemaVerdict::Differs { at: mismatch.at, keyword: mismatch.keyword, what: mismatch.what }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const LIST: &str = r#"{"tools":[{"name":"good","outputSchema":{"type":"object"}},{"name":"bad","outputSchema":{"$ref":"http://x/y"}},
        {"name":"none"},{"name":"null","outputSchema":null},{"name":"php","outputSchema":{"properties":[],"required":null}},
        {"name":"empty","outputSchema":{ }},{"name":"list","outputSchema":[]}]}"#;

    fn schema(tools: &mut KnownTools, connection: u64, name: &str) -> (bool, Option<String>) {
        let mut said = None;
        let found = tools.schema(connection, name, Side::Result, |why| said = Some(why)).is_some();
        (found, said)
    }

    #[test]
    fn a_bad_schema_concerns_its_own_tool_and_is_told_once() {
        let mut tools = KnownTools::default();
        tools.note(1, LIST, false);
        assert_eq!(schema(&mut tools, 1, "good"), (true, None));
        let (found, said) = schema(&mut tools, 1, "bad");
        assert!(!found && said.is_some_and(|why| why.contains("http://x/y")));
        assert_eq!(schema(&mut tools, 1, "bad"), (false, None));
        assert_eq!(schema(&mut tools, 1, "none"), (false, None));
        assert_eq!(schema(&mut tools, 1, "null"), (false, None));
        assert_eq!(schema(&mut tools, 1, "php"), (true, None));
        assert_eq!(schema(&mut tools, 1, "empty"), (false, None));
        assert_eq!(schema(&mut tools, 1, "list"), (false, None));
    }

    #[test]
    fn what_was_known_ends_with_the_list_and_with_the_connection() {
        let mut tools = KnownTools::default();
        tools.note(1, LIST, false);
        assert_eq!(schema(&mut tools, 2, "good"), (false, None));
        tools.note(2, LIST, false);
        tools.forget();
        assert_eq!(schema(&mut tools, 2, "good"), (false, None));
    }

    #[test]
    fn schemas_kept_are_bounded() {
        let mut tools = KnownTools::default();
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

    #[test]
    fn a_value_fits_differs_or_is_not_known() {
        let schema = json!({"properties": {"n": {"type": "integer"}}, "required": ["n"]});
        assert_eq!(judge(&schema, &json!({"n": 1})), SchemaVerdict::Fits);
        for (value, place, by) in [(json!({"n": "x"}), "/n", "type"), (json!({}), "", "required")] {
            assert!(
                matches!(judge(&schema, &value), SchemaVerdict::Differs { at, keyword, .. } if at == place && keyword == by)
            );
        }
        for schema in [json!({"$ref": "http://x/y"}), json!({"$ref": "#/nothing"}), json!({"pattern": "("})] {
            assert!(matches!(judge(&schema, &json!("x")), SchemaVerdict::Unknown(_)), "{schema}");
        }
    }
}
