//! Asks the application about a token.

use super::decisions::PendingDecision;
use super::serving::Serving;
use crate::auth::Secret;
use crate::auth::server::{Denial, Principal, TokenRules};
use crate::runtime::message::{Message, Serve};
use serde_json::json;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::oneshot;

/// Takes the question back when its answer is not wanted any more.
struct OpenDecision<'a>(&'a Serving, u64);

impl Drop for OpenDecision<'_> {
    fn drop(&mut self) {
        self.0.decisions.dropped(self.1);
        // If the application has not seen it, it never will; else its answer is late.
        drop(self.0.queue.take_back(self.0.number, self.1));
    }
}

impl Serving {
    /// Asks the application about a token.
    pub(super) async fn ask_about_token(
        &self,
        token: &Secret,
        rules: &Arc<TokenRules>,
        time: Duration,
    ) -> Result<Principal, Denial> {
        let (sender, receiver) = oneshot::channel();
        let params = json!({ "token": token.expose(), "audiences": rules.audiences }).to_string();
        if !self.queue.has_room_for_request(params.len()) {
            let text = "the server has as much to do as it may (limits.queue_bytes)";
            return Err(Denial::Unavailable(text.to_owned()));
        }
        let number = self.decisions.add(PendingDecision { rules: Arc::clone(rules), sender });
        let open = OpenDecision(self, number);
        let by: Weak<dyn Serve> = self.this.clone();
        let ready = self.queue.push(Message::token(self.number, number, &params, by), None);
        if let Some(ready) = ready {
            self.callbacks.run(ready);
        }
        let answer = tokio::time::timeout(time, receiver).await;
        drop(open);
        match answer {
            Ok(Ok(verdict)) => verdict,
            Ok(Err(_)) => Err(Denial::Unavailable("the application gave no answer".to_owned())),
            Err(_) => {
                let text = format!(
                    "the application did not answer within {} ms (auth.timeout_ms)",
                    time.as_millis()
                );
                Err(Denial::Unavailable(text))
            }
        }
    }
}
