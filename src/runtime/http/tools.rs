//! The tools whose arguments go into headers too, as the lists of the modern era name them. Tools whose annotations break a rule
//! are left out of the lists that the application gets (2026-07-28 `server/tools`, "x-mcp-header").

use crate::json::{self, Kind};
use crate::protocol::FrameInfo;
use crate::runtime::lock;
use crate::transport::http::header::Header;
use crate::transport::http::param::{self, Parameter, Unsendable};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// Tools with such parameters that are remembered.
const TOOLS: usize = 10_000;

/// The tools whose arguments go into headers too.
#[derive(Default, Debug)]
pub(super) struct Tools(Mutex<HashMap<String, Arc<[Parameter]>>>);

impl Tools {
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
        // What is no JSON is for the engine to judge.
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
    fn sent(tools: &Tools, name: &str) -> Vec<(String, String)> {
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
        let tools = Tools::default();
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
        let tools = Tools::default();
        let (good, broken, plain) = (tool("t", "Region"), tool("broken", "a b"), r#"{"name":"plain"}"#);
        let read = tools.read(list(&format!("{good},{broken},{plain}")), &tell);
        assert_eq!(String::from_utf8(read), String::from_utf8(list(&format!("{good},{plain}"))));
        let told: Vec<String> = told.take().into_iter().map(|(name, _)| name).collect();
        assert_eq!(told, ["broken"]);
        assert_eq!((sent(&tools, "t").len(), sent(&tools, "broken").len()), (1, 0));
    }
}
