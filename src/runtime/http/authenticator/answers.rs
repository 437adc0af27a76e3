//! What the application is asked in a message of its own and answers to just that message: to keep logins, and to sign.

use super::asked::Asked;
use super::authenticator::{Authenticator, now};
use crate::auth::{Algorithm, Header, Request, Secret, StoreFault, is_signature};
use crate::runtime::lock;
use crate::runtime::message::{Abandon, Message};
use serde_json::{Value, json};
use std::sync::Weak;
use tokio::sync::oneshot;

impl Authenticator {
    /// Asks the application in a message; its answer comes to [`answer`](Authenticator::answer), or a failure when its time is over.
    pub(super) fn ask_application(&self, asked: Asked, what: &Value) -> u64 {
        let waits_itself = matches!(asked, Asked::Sign(_));
        let key = {
            let mut answers = lock(&self.answers);
            answers.next += 1;
            let key = answers.next;
            answers.open.insert(key, asked);
            key
        };
        let owner = Weak::clone(&self.this);
        self.deliver(|client| Message::auth(client, what).answered_to(key, owner));
        if !waits_itself {
            let (weak, patience) = (Weak::clone(&self.this), self.patience);
            self.handle.spawn(async move {
                tokio::time::sleep(patience).await;
                if let Some(authenticator) = weak.upgrade() {
                    authenticator.answer(key, Err(authenticator.too_late()));
                }
            });
        }
        key
    }

    fn too_late(&self) -> String {
        format!("the application did not answer within {} s", self.patience.as_secs())
    }

    /// The application answered a message. Says whether anybody waits for that.
    pub(crate) fn answer(&self, key: u64, answer: Result<Option<&str>, String>) -> bool {
        let Some(asked) = lock(&self.answers).open.remove(&key) else { return false };
        let failed = |why: String| StoreFault::Failed(format!("the application's store: {why}"));
        match asked {
            Asked::Load | Asked::Lock => {
                let with_lock = matches!(asked, Asked::Lock);
                let locks = with_lock && answer.is_ok();
                let content = answer.map(|text| text.map(Secret::new)).map_err(failed);
                if !self.ask(|authorizer| authorizer.stored(with_lock, content, now())) && locks {
                    self.emit(&json!({"kind": "unlock", "key": self.key}));
                }
            }
            Asked::Save => self.ask(|authorizer| authorizer.saved(answer.map(drop).map_err(failed), now())),
            Asked::Sign(sender) => {
                // The request that it was for may have ended.
                let _ = sender.send(answer.map(|text| text.unwrap_or_default().trim().to_owned()));
            }
        }
        true
    }

    /// Completes the proof among the headers of a request, if the application signs.
    pub(super) async fn sign(&self, headers: &mut [Header]) -> Result<(), String> {
        if !self.signs {
            return Ok(());
        }
        let Some((_, proof)) = headers.iter_mut().find(|(name, _)| *name == "dpop") else { return Ok(()) };
        let unsigned = |why: String| format!("the proof is not signed: {why}");
        let what = json!({"kind": "sign", "purpose": "proof", "algorithm": "ES256", "input": proof.expose()});
        let signature = self.ask_to_sign(&what).await.map_err(unsigned)?;
        if !is_signature(Algorithm::Es256, &signature) {
            let what = "what the application gave is no ES256 signature, which is 64 bytes (r and s) in Base64url without padding";
            return Err(unsigned(what.to_owned()));
        }
        *proof = Secret::new(format!("{}.{signature}", proof.expose()));
        Ok(())
    }

    /// Has the application sign all that a request of a login still lacks; gives the assertion, if it was one.
    pub(super) async fn sign_all(&self, request: &mut Request) -> Result<Option<Secret>, String> {
        self.sign(&mut request.headers).await?;
        let Some(unsigned) = request.unsigned.take() else { return Ok(None) };
        let what = json!({
            "kind": "sign",
            "purpose": "assertion",
            "algorithm": unsigned.algorithm.as_str(),
            "key_id": unsigned.key_id,
            "client_id": unsigned.client_id,
            "audience": unsigned.audience,
            "input": unsigned.input.expose(),
        });
        let failed = |why: String| format!("the assertion is not signed: {why}");
        let answer = self.ask_to_sign(&what).await.map_err(failed)?;
        let assertion = unsigned.signed(&answer, now().unix).map_err(failed)?;
        request.complete(&assertion);
        Ok(Some(assertion))
    }

    async fn ask_to_sign(&self, what: &Value) -> Result<String, String> {
        let (sender, receiver) = oneshot::channel();
        let key = self.ask_application(Asked::Sign(sender), what);
        let Ok(answer) = tokio::time::timeout(self.patience, receiver).await else {
            lock(&self.answers).open.remove(&key);
            return Err(self.too_late());
        };
        answer.unwrap_or_else(|_| Err("the application can no longer answer".to_owned()))
    }
}

impl Abandon for Authenticator {
    fn abandon(&self, key: u64) {
        self.answer(key, Err("the application freed the message without an answer".to_owned()));
    }
}
