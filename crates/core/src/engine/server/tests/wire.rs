//! Every frame that a server on the stage sends, checked against the schema of its revision (S-RB-07).
//!
//! `MCP_PROTOCOL_SCHEMAS` is a folder with the file `REVISION/schema.json` of each revision, as the repository of the
//! specification has them below `schema`. Without it nothing is checked here.

use crate::protocol::{Revision, method};
use crate::schema::{Bounds, Failure, Schema};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};

const REVISIONS: [Revision; 5] = [
    Revision::V2024_11_05,
    Revision::V2025_03_26,
    Revision::V2025_06_18,
    Revision::V2025_11_25,
    Revision::V2026_07_28,
];

/// The document of a revision, and the parts of it that were asked for.
struct Document {
    whole: Value,
    /// `definitions` or `$defs`.
    key: &'static str,
    parts: Mutex<BTreeMap<String, Arc<Schema>>>,
}

impl Document {
    fn read(folder: &std::path::Path, revision: Revision) -> Document {
        let path = folder.join(revision.as_str()).join("schema.json");
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let whole: Value = serde_json::from_str(&text).expect("JSON");
        let key = if whole.get("$defs").is_some() { "$defs" } else { "definitions" };
        Document { whole, key, parts: Mutex::default() }
    }

    fn has(&self, name: &str) -> bool {
        self.whole[self.key].get(name).is_some()
    }

    /// The request or notification with this method.
    fn of_method(&self, name: &str) -> Option<&str> {
        let all = self.whole[self.key].as_object()?;
        all.iter().find(|(_, it)| it["properties"]["method"]["const"] == name).map(|(part, _)| part.as_str())
    }

    fn part(&self, name: &str) -> Arc<Schema> {
        let mut parts = self.parts.lock().expect("no thread panicked with it");
        let part = parts.entry(name.to_owned()).or_insert_with(|| {
            let schema = json!({
                "$schema": self.whole["$schema"],
                "$ref": format!("#/{}/{name}", self.key),
                self.key: self.whole[self.key],
            });
            // The documents are larger than a schema of a tool may be.
            let bounds = Bounds { parts: 1_000_000, ..Bounds::default() };
            Arc::new(Schema::new(&schema, bounds).unwrap_or_else(|why| panic!("{name}: {why}")))
        });
        Arc::clone(part)
    }

    fn check(&self, name: &str, value: &Value) -> Result<(), String> {
        self.part(name).check(value).map_err(|failure| match failure {
            Failure::Mismatch(mismatch) => format!("it is no {name}: {mismatch}"),
            Failure::Bound(bound) => format!("the check as {name} reached its bound of {bound}"),
        })
    }
}

/// The documents, if the environment has them.
fn documents() -> Option<&'static BTreeMap<Revision, Document>> {
    static DOCUMENTS: OnceLock<Option<BTreeMap<Revision, Document>>> = OnceLock::new();
    let read = || {
        let folder = PathBuf::from(std::env::var_os("MCP_PROTOCOL_SCHEMAS")?);
        Some(REVISIONS.into_iter().map(|it| (it, Document::read(&folder, it))).collect())
    };
    DOCUMENTS.get_or_init(read).as_ref()
}

/// What clients of a stage asked, by session and id.
#[derive(Default)]
pub struct Asked {
    /// Which revision a session agreed on in its handshake.
    agreed: BTreeMap<u64, Revision>,
    /// The sessions that sent requests of the modern era.
    modern: BTreeSet<u64>,
    requests: BTreeMap<(u64, String), (String, bool)>,
}

impl Asked {
    /// A client sends a message.
    pub fn sends(&mut self, session: u64, message: &Value) {
        for message in message.as_array().into_iter().flatten() {
            self.sends(session, message);
        }
        let (Some(name), Some(id)) = (message["method"].as_str(), message.get("id")) else { return };
        let is_modern = message["params"]["_meta"].get("io.modelcontextprotocol/protocolVersion").is_some();
        if is_modern {
            self.modern.insert(session);
        }
        self.requests.insert((session, id.to_string()), (name.to_owned(), is_modern));
    }

    /// The server sends a frame.
    pub fn receives(&mut self, session: u64, frame: &Value, keeps_schema: bool) {
        let answers = frame.get("id").and_then(|id| self.requests.get(&(session, id.to_string())));
        let version = frame["result"]["protocolVersion"].as_str();
        if let (Some(("initialize", _)), Some(version)) =
            (answers.map(|(name, modern)| (name.as_str(), modern)), version)
        {
            self.agreed.insert(session, Revision::parse(version).expect("a revision that there is"));
        }
        let Some(documents) = documents().filter(|_| keeps_schema) else { return };
        let is_modern = match answers {
            Some((_, is_modern)) if frame.get("method").is_none() => vec![*is_modern],
            // A session may speak both.
            _ => [false, true].into_iter().filter(|it| !it || self.modern.contains(&session)).collect(),
        };
        let mut wrong = Vec::new();
        for is_modern in is_modern {
            let agreed = self.agreed.get(&session).copied();
            let Some(revision) = agreed.filter(|_| !is_modern).or(is_modern.then_some(Revision::V2026_07_28))
            else {
                // Nothing was agreed on yet, so that no revision says more than JSON-RPC.
                return;
            };
            match fits(&documents[&revision], frame, answers.map(|(name, _)| name.as_str())) {
                Ok(()) => return,
                Err(why) => wrong.push(format!("{}: {why}", revision.as_str())),
            }
        }
        assert!(wrong.is_empty(), "{}\n{frame:#}", wrong.join("\n"));
    }
}

/// Whether a frame of a server is what the schema has for it. `asked` is the method that it answers.
fn fits(document: &Document, frame: &Value, asked: Option<&str>) -> Result<(), String> {
    if let Some(name) = frame["method"].as_str() {
        return match document.of_method(name) {
            Some(part) => document.check(part, frame),
            // Of an extension.
            None => document.check("JSONRPCMessage", frame),
        };
    }
    if frame.get("error").is_some() {
        if frame["id"].is_null() {
            // JSON-RPC wants the id of a request that cannot be told to be null; the schemas have no such answer.
            return Ok(());
        }
        let part = if document.has("JSONRPCError") { "JSONRPCError" } else { "JSONRPCErrorResponse" };
        return document.check(part, frame);
    }
    document.check("JSONRPCMessage", frame)?;
    let part = match frame["result"]["resultType"].as_str() {
        None | Some("complete") => asked.map_or("Result", result_of),
        Some("input_required") => "InputRequiredResult",
        // Of an extension.
        Some(_) => "Result",
    };
    let part = match part {
        "CallToolResult" if frame["result"].get("task").is_some() => "CreateTaskResult",
        part if document.has(part) => part,
        _ => "Result",
    };
    document.check(part, &frame["result"])
}

fn result_of(name: &str) -> &'static str {
    match name {
        method::INITIALIZE => "InitializeResult",
        method::DISCOVER => "DiscoverResult",
        method::TOOLS_LIST => "ListToolsResult",
        method::RESOURCES_LIST => "ListResourcesResult",
        method::TEMPLATES_LIST => "ListResourceTemplatesResult",
        method::PROMPTS_LIST => "ListPromptsResult",
        method::TOOLS_CALL | method::TASKS_RESULT => "CallToolResult",
        method::RESOURCES_READ => "ReadResourceResult",
        method::PROMPTS_GET => "GetPromptResult",
        method::COMPLETE => "CompleteResult",
        method::LISTEN => "SubscriptionsListenResult",
        method::TASKS_GET => "GetTaskResult",
        method::TASKS_LIST => "ListTasksResult",
        method::TASKS_CANCEL => "CancelTaskResult",
        method::PING | method::SET_LEVEL | method::SUBSCRIBE | method::UNSUBSCRIBE => "EmptyResult",
        _ => "Result",
    }
}

#[test]
#[ignore = "needs MCP_PROTOCOL_SCHEMAS"]
fn frames_that_break_the_schema_of_their_revision_are_found() {
    let documents = documents().expect("MCP_PROTOCOL_SCHEMAS is set");
    for (revision, document) in documents {
        let is_modern = *revision == Revision::V2026_07_28;
        let mut result = json!({ "tools": [{ "name": "t", "inputSchema": { "type": "object" } }] });
        if is_modern {
            (result["resultType"], result["ttlMs"], result["cacheScope"]) =
                (json!("complete"), json!(0), json!("private"));
        }
        let good = json!({ "jsonrpc": "2.0", "id": 1, "result": result });
        assert_eq!(fits(document, &good, Some("tools/list")), Ok(()), "{}", revision.as_str());
        let mut bad = good.clone();
        bad["result"]["tools"][0]["inputSchema"] = json!({});
        assert!(fits(document, &bad, Some("tools/list")).is_err(), "{}", revision.as_str());
        let bad =
            json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": { "progress": 1 } });
        assert!(fits(document, &bad, None).is_err(), "{}", revision.as_str());
        let bad = json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": "1", "message": "m" } });
        assert!(fits(document, &bad, None).is_err(), "{}", revision.as_str());
    }
}
