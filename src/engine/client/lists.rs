//! Calls of lists that ask for all pages: each page goes to [`ListPages`](super::list_pages), and the next one is asked for.

use super::Engine;
use super::calls::Feature;
use super::effect::{Body, Reply};
use super::list_pages::Paged;
use crate::json::Span;
use crate::protocol::envelope::text;
use crate::protocol::{ParamsBuf, method};
use std::time::Instant;

impl<T> Engine<T> {
    /// A call was answered with a result. Gives its outcome, or `None` when there is more to ask for.
    pub(super) fn page(&mut self, now: Instant, id: u64, frame: Vec<u8>, span: Span) -> Option<Reply> {
        let asked = self.calls.get(id).is_some_and(|call| call.rounds > 0);
        let collected = self
            .calls
            .get(id)
            .filter(|call| call.feature == Feature::AllPages)
            .and_then(|call| Some((call.method.clone(), method::listed(&call.method)?)));
        let Some((method, key)) = collected else {
            return Some(Ok(Body { asked, ..Body::new(frame, span) }));
        };
        match self.pages.add(id, &method, key, text(&frame, span), &self.settings.lists) {
            Ok(Paged::Single) => Some(Ok(Body { asked, ..Body::new(frame, span) })),
            Ok(Paged::Complete(list)) => {
                let json = Span { start: 0, end: list.len() };
                Some(Ok(Body { asked, ..Body::new(list.into_bytes(), json) }))
            }
            Ok(Paged::More(params)) => {
                self.ask_on(now, id, &params);
                None
            }
            Err(error) => Some(Err(error)),
        }
    }

    /// Sends a call's next request; its time counts again, within its total.
    fn ask_on(&mut self, now: Instant, id: u64, params: &ParamsBuf) {
        let deadline = self.calls.restart_time(now, id);
        self.guard_call(id, deadline);
        let Some(call) = self.calls.get(id) else { return };
        let meta = call.stored.as_ref().map_or_else(Box::default, |stored| stored.meta.clone());
        self.write_call(now, id, Some(params.view()), &meta);
    }
}
