//! Several messages in one frame, a thing of 2025-03-26.

use super::access::Lacks;
use super::context::Refusal;
use super::effect::{Now, Stream};
use super::incoming::Unserved;
use super::params::{FrameText, Params};
use super::router::Server;
use crate::json;
use crate::protocol::envelope::{self, Incoming, Violation};
use crate::protocol::{Revision, error_code};

impl<H: Clone> Server<H> {
    /// Several messages in one frame: 2025-03-26 has that, and nothing else (S-JR-09 to S-JR-11).
    pub(super) fn batch(&mut self, now: Now, from: Stream, frame: &[u8]) -> Result<(), Unserved> {
        let batches = self.sessions.revision(from.session) == Some(Revision::V2025_03_26);
        let limit = self.settings.limits.batch;
        let text = match json::scan_value(frame, self.settings.limits.depth) {
            Ok(value) => value.span.of(frame),
            Err(error) => {
                self.not_a_message(from, frame, &Violation::InvalidJson(error));
                return Ok(());
            }
        };
        let text = json::utf8(text);
        let count = json::count(text).unwrap_or(0);
        let refusal = if !batches {
            "an array of messages is not supported here: send one message at a time".to_owned()
        } else if count == 0 {
            "the array of messages is empty".to_owned()
        } else if count > limit {
            format!("the array has {count} messages, and may have {limit}")
        } else {
            if let Some(lacks) = self.lacking_of_all(from, text) {
                return Err(Unserved { id: None, lacks, wants_answer: true });
            }
            for message in json::elements(text) {
                self.message(now, from, message.as_bytes().to_vec(), true)?;
            }
            return Ok(());
        };
        self.counters.violations += 1;
        self.refuse(from, None, &Refusal::new(error_code::INVALID_REQUEST, refusal));
        Ok(())
    }

    /// What the messages of an array lack together: none of them is served then.
    fn lacking_of_all(&self, from: Stream, array: &str) -> Option<Lacks> {
        let principal = self.sessions.principal(from.session)?;
        let mut all: Option<Lacks> = None;
        for message in json::elements(array) {
            let frame = message.as_bytes();
            let (method, params, inner) = match envelope::parse(frame, self.settings.limits.depth) {
                Ok(Incoming::Request { method, params, inner, .. }) => (method, params, inner),
                Ok(Incoming::Notification { method, params, .. }) => {
                    (method, params, envelope::Inner::default())
                }
                _ => continue,
            };
            let method = json::string(envelope::text(frame, method)).unwrap_or_default();
            let params = params.map(|params| FrameText::new(frame.to_vec(), params));
            let reader = self.reader(Some(&principal), &method);
            if let Err(lacks) = self.lacking(&reader, Params::of(params.as_ref(), &inner)) {
                all = Some(match all {
                    Some(others) => others.with(&lacks),
                    None => lacks,
                });
            }
        }
        all
    }
}
