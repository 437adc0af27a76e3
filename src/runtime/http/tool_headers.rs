//! The tools whose arguments go into headers too, as the lists of the modern era name them. Tools whose annotations break a rule
//! are left out of the lists that the application gets (2026-07-28 `server/tools`, "x-mcp-header").

use crate::engine::Shape;
use crate::json;
use crate::json::Kind;
use crate::protocol::FrameInfo;
use crate::runtime::lock;
use crate::transport::http::header::Header;
use crate::transport::http::param;
use crate::transport::http::param::{Parameter, Unsendable};
use crate::transport::http::settings::HttpSettings;
use crate::transport::process::per_process::{PerProcess, kept_for_process};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Tools with such parameters that are remembered.
const TOOLS: usize = 10_000;

/// The tools whose arguments go into headers too.
#[derive(Default, Debug)]
pub(super) struct ToolHeaders(Mutex<HashMap<String, Arc<[Parameter]>>>);

impl ToolHeaders {
    /// The headers that the arguments of a call give.
    pub(super) fn headers(&self, info: &FrameInfo, frame: &[u8]) -> Result<Vec<Header>, Unsendable> {
        // Few servers have such tools.
        if lock(&self.0).is_empty() {
            return Ok(Vec::new());
        }
        let (Some(params), Some(name)) = (info.params(frame), info.name(frame)) else {
            return Ok(Vec::new());
        };
        let Some(parameters) = lock(&self.0).get(name.as_ref()).cloned() else { return Ok(Vec::new()) };
        param::headers(&parameters, params)
    }

    /// Learns from an answer to `tools/list`; gives it without the tools that cannot be called, each of which is told with why.
    pub(super) fn read(&self, frame: Vec<u8>, tell: &dyn Fn(String, String)) -> Vec<u8> {
        let Ok(text) = std::str::from_utf8(&frame) else { return frame };
        // What is not valid JSON is for the engine to judge.
        if json::scan_value(text.as_bytes(), json::MAX_DEPTH).is_err() {
            return frame;
        }
        let tools = json::member(text, "result")
            .and_then(|result| json::member(result, "tools"))
            .filter(|tools| json::kind(tools) == Some(Kind::Array));
        let Some(tools) = tools else { return frame };
        let mut kept: Vec<&str> = Vec::new();
        let mut left_out = false;
        for tool in json::elements(tools) {
            if self.learn(tool, tell) {
                kept.push(tool);
            } else {
                left_out = true;
            }
        }
        if !left_out {
            return frame;
        }
        // A slice of the frame, so that its place is known.
        let start = tools.as_ptr().addr() - text.as_ptr().addr();
        let (before, after) =
            (text.get(..start).unwrap_or_default(), text.get(start + tools.len()..).unwrap_or_default());
        format!("{before}[{}]{after}", kept.join(",")).into_bytes()
    }

    /// Says whether the tool can be called.
    fn learn(&self, tool: &str, tell: &dyn Fn(String, String)) -> bool {
        let name = json::member(tool, "name").and_then(json::string).unwrap_or_default().into_owned();
        let found = match json::member(tool, "inputSchema") {
            Some(schema) => param::read(schema),
            None => Ok(Vec::new()),
        };
        let mut known = lock(&self.0);
        known.remove(&name);
        match found {
            Ok(parameters) => {
                if !parameters.is_empty() && known.len() < TOOLS {
                    known.insert(name, parameters.into());
                }
                true
            }
            Err(broken) => {
                drop(known);
                tell(name, broken.to_string());
                false
            }
        }
    }
}

// URLs whose servers were found to be of the legacy era, for all clients of the process: the next one need not probe. Kept
// for some time only, since servers are updated, and dropped at once when it proves wrong.

/// URLs that are remembered; beyond that the oldest is dropped.
const PLACES: usize = 256;
/// How long.
const TIME: Duration = Duration::from_secs(3600);

/// The oldest first.
#[derive(Default)]
struct KnownEras(Vec<(String, Shape, Instant)>);

static PLACES_KNOWN: PerProcess<Mutex<KnownEras>> = PerProcess::new(Mutex::default);

impl KnownEras {
    fn find(&self, place: &str, now: Instant) -> Option<Shape> {
        let is_it = |(known, _, since): &&(String, Shape, Instant)| {
            known == place && now.saturating_duration_since(*since) < TIME
        };
        self.0.iter().find(is_it).map(|(_, shape, _)| *shape)
    }

    fn note(&mut self, place: &str, shape: Option<Shape>, now: Instant) {
        self.0.retain(|(known, _, since)| known != place && now.saturating_duration_since(*since) < TIME);
        if let Some(shape) = shape {
            if self.0.len() == PLACES {
                self.0.remove(0);
            }
            self.0.push((place.to_owned(), shape, now));
        }
    }
}

/// Where the server is: a gateway may have servers of both eras behind one origin, so that the path counts, too.
fn place(settings: &HttpSettings) -> String {
    let path = settings.url.target().split('?').next().unwrap_or_default();
    let socket = settings.unix_socket.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    format!("{}{path} {socket}", settings.url.origin())
}

/// What is known of the server there.
pub(super) fn known(settings: &HttpSettings) -> Option<Shape> {
    lock(PLACES_KNOWN.get()).find(&place(settings), Instant::now())
}

/// Notes what was found out; `None` where nothing is to be assumed any more.
pub(super) fn note(settings: &HttpSettings, shape: Option<Shape>) {
    let (place, mut places) = (place(settings), lock(PLACES_KNOWN.get()));
    kept_for_process(|| places.note(&place, shape, Instant::now()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Params, method, write};
    use std::cell::RefCell;

    /// An answer to `tools/list`.
    fn list(tools: &str) -> Vec<u8> {
        format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{tools}],"resultType":"complete"}}}}"#)
            .into_bytes()
    }

    /// A tool with one parameter that goes into a header.
    fn tool(name: &str, header: &str) -> String {
        let property = format!(r#"{{"type":"string","x-mcp-header":"{header}"}}"#);
        format!(r#"{{"name":"{name}","inputSchema":{{"type":"object","properties":{{"r":{property}}}}}}}"#)
    }

    /// The headers of a call.
    fn sent(tools: &ToolHeaders, name: &str) -> Vec<(String, String)> {
        let params = format!(r#"{{"name":"{name}","arguments":{{"r":"eu west"}}}}"#);
        let params = Params::check_of(method::find("tools/call"), &params, 8).expect("valid");
        let frame = write::request(1, "tools/call".to_owned(), Some(params), "");
        let headers = tools.headers(&frame.info, &frame.text).expect("sendable");
        headers.into_iter().map(|header| (header.name.into_owned(), header.value.into_owned())).collect()
    }

    #[test]
    fn what_a_list_says_becomes_headers_until_another_list_says_something_else() {
        let told = RefCell::new(Vec::new());
        let tell = |name: String, why: String| told.borrow_mut().push((name, why));
        let tools = ToolHeaders::default();
        let is_kept = |text: &str| tools.read(list(text), &tell) == list(text);
        assert!(sent(&tools, "t").is_empty(), "it was not listed");
        assert!(is_kept(&tool("t", "Region")));
        assert_eq!(sent(&tools, "t"), [("mcp-param-region".to_owned(), "eu west".to_owned())]);
        assert!(sent(&tools, "u").is_empty());
        assert!(is_kept(&tool("t", "Place")));
        assert_eq!(sent(&tools, "t"), [("mcp-param-place".to_owned(), "eu west".to_owned())]);
        assert!(is_kept(r#"{"name":"t"}"#));
        assert!(sent(&tools, "t").is_empty());
        assert!(told.borrow().is_empty());
    }

    #[test]
    fn a_tool_with_a_broken_annotation_is_left_out_and_told_and_the_others_stay() {
        let told = RefCell::new(Vec::new());
        let tell = |name: String, why: String| told.borrow_mut().push((name, why));
        let tools = ToolHeaders::default();
        let (good, broken, plain) = (tool("t", "Region"), tool("broken", "a b"), r#"{"name":"plain"}"#);
        let read = tools.read(list(&format!("{good},{broken},{plain}")), &tell);
        assert_eq!(String::from_utf8(read), String::from_utf8(list(&format!("{good},{plain}"))));
        let told: Vec<String> = told.take().into_iter().map(|(name, _)| name).collect();
        assert_eq!(told, ["broken"]);
        assert_eq!((sent(&tools, "t").len(), sent(&tools, "broken").len()), (1, 0));
    }

    #[test]
    fn a_place_is_known_until_it_is_dropped_or_too_old() {
        let mut places = KnownEras::default();
        let now = Instant::now();
        assert_eq!(places.find("a", now), None);
        places.note("a", Some(Shape::Streamable), now);
        places.note("a", Some(Shape::Sse), now);
        assert_eq!(places.find("a", now), Some(Shape::Sse));
        assert_eq!(places.find("b", now), None);
        assert_eq!(places.find("a", now + TIME), None);
        places.note("a", None, now);
        assert_eq!(places.find("a", now), None);
        assert!(places.0.is_empty());
    }

    #[test]
    fn the_oldest_of_too_many_is_dropped() {
        let mut places = KnownEras::default();
        let now = Instant::now();
        for number in 0..=PLACES {
            places.note(&number.to_string(), Some(Shape::Streamable), now);
        }
        assert_eq!(places.0.len(), PLACES);
        assert_eq!(places.find("0", now), None);
        assert_eq!(places.find("1", now), Some(Shape::Streamable));
    }
}
