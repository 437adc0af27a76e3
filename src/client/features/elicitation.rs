//! Answers to elicitation requests (2026-07-28 `client/elicitation`), the same whichever era's message carried them: what a
//! person left out is filled in with the form's defaults, and the answer is checked against the form before it is sent.

use crate::client::{Client, Message};
use crate::engine::{Error, RequestAnswer, Status};
use crate::json::{self, Kind};
use crate::protocol::method;

/// What the person decided.
#[derive(Clone, Copy, Debug)]
pub enum Decision<'a> {
    /// To answer: the form's content as a JSON object, `None` for the defaults alone. A page to visit has no content.
    Accept(Option<&'a str>),
    /// Not to answer this.
    Decline,
    /// Nothing: the question was closed.
    Cancel,
}

impl Client {
    /// Answers an elicitation request.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the message is no such request, or the content is not what the form asks for: then the
    /// request still waits for an answer. Those of [`Client::respond`].
    pub fn elicit(&self, request: &Message, decision: Decision<'_>) -> Result<(), Error> {
        let invalid = |what: String| Error::new(Status::InvalidArgument, method::ELICITATION, what);
        if request.request_key().is_none() || request.method() != Some(method::ELICITATION) {
            return Err(invalid("the message is no elicitation request".to_owned()));
        }
        let answer = match decision {
            Decision::Decline => "{\"action\":\"decline\"}".to_owned(),
            Decision::Cancel => "{\"action\":\"cancel\"}".to_owned(),
            Decision::Accept(content) => {
                let is_page = json::member(request.json(), "mode") == Some("\"url\"");
                match (is_page, content) {
                    (true, None) => "{\"action\":\"accept\"}".to_owned(),
                    (true, Some(_)) => {
                        let what =
                            "the request asks to visit a page (mode \"url\"), and its answer has no content";
                        return Err(invalid(what.to_owned()));
                    }
                    (false, content) => {
                        let content = self.fill_in(request, content.unwrap_or("{}"))?;
                        format!("{{\"action\":\"accept\",\"content\":{content}}}")
                    }
                }
            }
        };
        self.respond(request, RequestAnswer::Result(&answer))
    }

    /// The content with the form's defaults for what is left out, checked.
    fn fill_in(&self, request: &Message, content: &str) -> Result<String, Error> {
        let invalid = |what: String| Error::new(Status::InvalidArgument, method::ELICITATION, what);
        let checked = json::scan_value(content.as_bytes(), self.json_depth).map_err(|error| {
            invalid(format!("the content is no JSON: {error}")).with("offset", error.offset)
        })?;
        if checked.kind != Kind::Object {
            return Err(invalid(format!("the content is {}, and must be an object", checked.kind)));
        }
        let schema = json::member(request.json(), "requestedSchema").unwrap_or("{}");
        let properties = json::member(schema, "properties").unwrap_or("{}");
        let mut defaults: Vec<(String, &str)> = Vec::new();
        for (name, property) in json::members(properties) {
            let written = format!("\"{name}\"");
            let Some(name) = json::string(&written) else { continue };
            if json::member(content, &name).is_none()
                && let Some(default) = json::member(property, "default")
            {
                defaults.push((name.into_owned(), default));
            }
        }
        let add: Vec<(&str, &str)> = defaults.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let mut out = Vec::new();
        json::splice_into(checked.span.str(content), &add, &mut out);
        // Spliced from text.
        let content = String::from_utf8(out).unwrap_or_default();
        #[cfg(feature = "schema")]
        self.check_form(schema, &content)?;
        Ok(content)
    }

    /// Whether the content is what the form asks for. A form whose schema cannot be used is the server's to judge.
    #[cfg(feature = "schema")]
    fn check_form(&self, schema: &str, content: &str) -> Result<(), Error> {
        use crate::schema::{Bounds, Failure, Schema};
        let read = serde_json::from_str(schema).map_err(|error: serde_json::Error| error.to_string());
        let schema = match read.and_then(|schema| Schema::new(&schema, Bounds::default())) {
            Ok(schema) => schema.with_formats(),
            Err(why) => {
                super::tools::say(&self.connection, "schema.unusable", method::ELICITATION, &why);
                return Ok(());
            }
        };
        let Ok(value) = serde_json::from_str(content) else { return Ok(()) };
        match schema.check(&value) {
            Ok(()) | Err(Failure::Bound(_)) => Ok(()),
            Err(Failure::Mismatch(mismatch)) => Err(Error::new(
                Status::InvalidArgument,
                method::ELICITATION,
                format!(
                    "the content is not what the form asks for: {mismatch}. Nothing was sent; answer again"
                ),
            )
            .with("at", mismatch.at)
            .with("keyword", mismatch.keyword)),
        }
    }
}
