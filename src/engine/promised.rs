//! What a result must be before the application gets it: an object, and for the functions of features one with the member that
//! they promise. `mcp_call` hands on any object.

use super::status::{Error, Status};
use super::{Engine, Feature};
use crate::json::{self, Kind};
use crate::protocol::feature;

/// The member of a method's result that is a list.
fn promised(method: &str) -> Option<&'static str> {
    Some(match method {
        feature::TOOLS_LIST => "tools",
        "prompts/list" => "prompts",
        "resources/list" => "resources",
        "resources/templates/list" => "resourceTemplates",
        "resources/read" => "contents",
        _ => return None,
    })
}

impl<T> Engine<T> {
    /// Checks the result of a call.
    ///
    /// # Errors
    /// `PROTOCOL`: it is no object, or has no list where the method promises one. What the entries are is not looked at.
    pub(super) fn check_promised(&self, id: u64, result: &str) -> Result<(), Error> {
        let Some(call) = self.calls.get(&id) else { return Ok(()) };
        let wrong = |what: String| Err(Error::new(Status::Protocol, call.method.as_ref(), what));
        if json::kind(result) != Some(Kind::Object) {
            return wrong(format!("the result is no object: {}", super::handshake::excerpt(result)));
        }
        let Some(member) = promised(&call.method).filter(|_| call.feature != Feature::Raw) else {
            return Ok(());
        };
        let list = json::member(result, member).filter(|list| json::kind(list) == Some(Kind::Array));
        if list.is_none() {
            return wrong(format!("the result has no list '{member}'"));
        }
        Ok(())
    }
}
