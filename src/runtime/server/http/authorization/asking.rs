//! Tokens about which another is asked: the authorization server (RFC 7662) or the application. What it says is kept for a time.

use super::settings::AuthSettings;
use crate::auth::Secret;
use crate::auth::server::{Denial, Introspection, Principal, Remembered, TokenHash, TokenRules};
use crate::engine::Level;
use crate::engine::server::SessionId;
use crate::runtime::lock;
use crate::runtime::server::Serving;
use crate::shares::{Holder, Lending, Shares};
use crate::transport::http::fetch::fetch;
use crate::transport::http::settings::HttpSettings;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

#[derive(Debug)]
enum Who {
    Server(Introspection, Arc<HttpSettings>),
    Application(Duration),
}

/// Who is asked, and what it said before.
#[derive(Debug)]
pub(super) struct AskedAuthority {
    who: Who,
    /// Which clients have how many of the questions that are open.
    open: Mutex<Shares<Holder>>,
    kept: Mutex<Remembered>,
}

/// A question, until it is answered or its client is gone.
struct OpenQuestion<'a>(&'a AskedAuthority, &'a Holder);

impl Drop for OpenQuestion<'_> {
    fn drop(&mut self) {
        lock(&self.0.open).give(self.1, 1);
    }
}

impl AskedAuthority {
    pub(super) fn of_server(
        introspection: &Introspection,
        http: &Arc<HttpSettings>,
        settings: &AuthSettings,
    ) -> AskedAuthority {
        AskedAuthority::new(Who::Server(introspection.clone(), Arc::clone(http)), settings)
    }

    pub(super) fn of_application(settings: &AuthSettings) -> AskedAuthority {
        AskedAuthority::new(Who::Application(settings.timeout), settings)
    }

    fn new(who: Who, settings: &AuthSettings) -> AskedAuthority {
        AskedAuthority {
            who,
            open: Mutex::new(Shares::new(settings.questions, 1, Lending::Half)),
            kept: Mutex::new(Remembered::new(settings.remembered, settings.remember)),
        }
    }

    /// Who a token speaks for that a client sent.
    pub(super) async fn about(
        &self,
        serving: &Arc<Serving>,
        rules: &Arc<TokenRules>,
        token: &Secret,
        from: &Holder,
    ) -> Result<Arc<Principal>, Denial> {
        let hash = TokenHash::of(token);
        let kept = lock(&self.kept).get(&hash, Instant::now());
        let verdict = match kept {
            Some(verdict) => verdict,
            None => {
                let _open = self.begin(from)?;
                let verdict = self.ask(serving, rules, token).await.map(Arc::new);
                if let Err(Denial::Unavailable(why)) = &verdict {
                    let text = format!("whether a token is good could not be found out: {why}");
                    serving.record(Level::Warn, SessionId(0), &text);
                }
                lock(&self.kept).put(hash, from, &verdict, Instant::now());
                verdict
            }
        };
        let principal = verdict?;
        principal.still_good(Serving::now().unix, rules.leeway)?;
        Ok(principal)
    }

    /// A client has one more question open, if that is not more than its share.
    fn begin<'a>(&'a self, from: &'a Holder) -> Result<OpenQuestion<'a>, Denial> {
        lock(&self.open).take(from, 1).map_err(|_| {
            let text =
                "as many tokens of this client are being asked about as its share of auth.questions allows";
            Denial::Unavailable(text.to_owned())
        })?;
        Ok(OpenQuestion(self, from))
    }

    async fn ask(
        &self,
        serving: &Arc<Serving>,
        rules: &Arc<TokenRules>,
        token: &Secret,
    ) -> Result<Principal, Denial> {
        match &self.who {
            Who::Server(introspection, http) => {
                let answer = fetch(http, &introspection.request(token)).await;
                let answer = answer.map_err(|fault| Denial::Unavailable(format!("{fault:?}")))?;
                introspection.answered(&answer, rules, Serving::now().unix)
            }
            Who::Application(time) => serving.ask_about_token(token, rules, *time).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_that_asks_about_tokens_without_end_leaves_room_for_others() {
        let asked = AskedAuthority {
            who: Who::Application(Duration::from_secs(1)),
            open: Mutex::new(Shares::new(8, 1, Lending::Half)),
            kept: Mutex::new(Remembered::new(0, Duration::ZERO)),
        };
        let [flood, other] = [Holder::Session(1), Holder::Session(2)];
        let open: Vec<_> = std::iter::from_fn(|| asked.begin(&flood).ok()).collect();
        assert_eq!(open.len(), 4, "half of it");
        let another = asked.begin(&other).expect("room");
        assert!(matches!(asked.begin(&flood), Err(Denial::Unavailable(_))));
        drop((open, another));
        assert!(asked.begin(&flood).is_ok(), "what is over is given back");
    }
}
