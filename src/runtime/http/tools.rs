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
