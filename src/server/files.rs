//! Resources that are the files below a folder.

use crate::engine::server::{Outcome, contents_of};
use crate::json;
use crate::protocol::error_code;
use crate::runtime::message::{Handler, Message};
use crate::transport::folder::{Folder, Unread};
use std::sync::Arc;

/// The variable of the template that has the name of the file.
pub(super) const VARIABLE: &str = "path";

/// What reads the files: it runs where handlers run. `definition` is the template.
pub(super) fn handler(folder: Folder, definition: &str, limit: usize) -> Handler {
    let definition = definition.to_owned();
    Handler::function(Arc::new(move |request: Message| answer(&folder, &definition, limit, &request)))
}

fn answer(folder: &Folder, definition: &str, limit: usize, request: &Message) {
    let Some((number, by)) = request.request() else { return };
    let Some(context) = by.context(number) else { return };
    let text = |of: &str, member: &str| {
        json::member(of, member).and_then(json::string).map(std::borrow::Cow::into_owned)
    };
    let name = json::member(&context, "variables").and_then(|it| text(it, VARIABLE)).unwrap_or_default();
    let uri = text(request.json(), "uri").unwrap_or_default();
    let answered = match folder.read(&name, limit) {
        Ok(bytes) => by.respond(number, Outcome::Result(&contents_of(&uri, definition, &bytes))),
        Err(Unread::NotFound) => by.respond(number, Outcome::NotFound),
        Err(why) => {
            let message = why.to_string();
            by.respond(
                number,
                Outcome::Error { code: error_code::INTERNAL_ERROR, message: &message, data: None },
            )
        }
    };
    // It may be over: cancelled, or its session has ended.
    drop(answered);
}
