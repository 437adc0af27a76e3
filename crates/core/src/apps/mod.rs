//! Layer 3: MCP Apps (extension `io.modelcontextprotocol/ui`, protocol 2026-01-26), the side of the host.
//!
//! A server's tool may have a page, the *view*. It speaks JSON-RPC with the program that shows it, the *host*, over whatever carries messages
//! to a frame of a web view. This module is what a host says and decides; it shows nothing and reads nothing.
//!
//! * `view`: [`View`], one view: messages of the page and what the host tells go in, actions for the host come out
//! * `context`: what a host may say of itself, checked before a view sees it
//! * `offered`: the tools that a view offers to its host
//! * `policy`: [`Policy`], what the document may do

mod context;
mod offered;
mod policy;
mod view;

pub use crate::protocol::content::{APP_EXTENSION as EXTENSION, APP_MEDIA_TYPE as MIME_TYPE};
pub use policy::{GUARD, Policy, is_source};
pub use view::{InvalidTold, View};

use crate::json::{elements, members, string};
use crate::protocol::lenient;
use crate::sorted::SortedSet;
use std::borrow::Cow;

/// The revision of the protocol between a view and its host.
pub const REVISION: &str = "2026-01-26";

/// Who may call a tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Visibility {
    /// A model.
    pub model: bool,
    /// A view.
    pub app: bool,
}

/// Who may call a tool, of its definition: both without `_meta.ui.visibility`, and neither where that is not a list of names.
pub fn visibility(tool: &str) -> Visibility {
    let seen = lenient::object(tool, "_meta")
        .and_then(|meta| lenient::object(meta, "ui"))
        .and_then(|ui| lenient::member(ui, "visibility"));
    let Some(seen) = seen else { return Visibility { model: true, app: true } };
    let names = |wanted: &str| elements(seen).filter_map(string).any(|name| name == wanted);
    Visibility { model: names("model"), app: names("app") }
}

/// The address of the page of a tool, of its definition: `_meta.ui.resourceUri`, or the member that older servers write.
pub fn page_of(tool: &str) -> Option<Cow<'_, str>> {
    let meta = lenient::object(tool, "_meta")?;
    let uri = lenient::object(meta, "ui")
        .and_then(|ui| lenient::member(ui, "resourceUri"))
        .or_else(|| lenient::member(meta, "ui/resourceUri"))?;
    string(uri).filter(|uri| uri.starts_with("ui://"))
}

/// Whether an object has two members that some reader takes for one: the same name, in any letters.
fn is_ambiguous(object: &str) -> bool {
    let mut names = SortedSet::new();
    members(object).any(|(written, _)| {
        let name = string(&format!("\"{written}\"")).map(|name| name.to_ascii_lowercase());
        !names.insert(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_is_for_models_and_views_unless_it_says_otherwise() {
        for (visible, model, app) in [
            ("", true, true),
            (r#""visibility":null"#, true, true),
            (r#""visibility":["model","app"]"#, true, true),
            (r#""visibility":["app"]"#, false, true),
            (r#""visibility":["model"]"#, true, false),
            (r#""visibility":[]"#, false, false),
            (r#""visibility":"app""#, false, false),
            (r#""visibility":[1,"else"]"#, false, false),
        ] {
            let tool = format!(r#"{{"name":"t","_meta":{{"ui":{{{visible}}}}}}}"#);
            assert_eq!(visibility(&tool), Visibility { model, app }, "{visible}");
        }
        assert_eq!(visibility(r#"{"name":"t"}"#), Visibility { model: true, app: true });
    }

    #[test]
    fn the_page_of_a_tool_has_an_address_of_its_own_kind() {
        for (meta, page) in [
            (r#"{"ui":{"resourceUri":"ui://a/b"}}"#, Some("ui://a/b")),
            (r#"{"ui/resourceUri":"ui://old"}"#, Some("ui://old")),
            (r#"{"ui":{"resourceUri":"ui://new"},"ui/resourceUri":"ui://old"}"#, Some("ui://new")),
            (r#"{"ui":{"resourceUri":"https://a.example/"}}"#, None),
            (r#"{"ui":{"resourceUri":7}}"#, None),
            ("{}", None),
        ] {
            assert_eq!(page_of(&format!(r#"{{"_meta":{meta}}}"#)).as_deref(), page, "{meta}");
        }
    }
}
