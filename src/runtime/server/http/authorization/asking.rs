//! Tokens about which another is asked: the authorization server (RFC 7662) or the application. What it says is kept for a time.

use super::settings::AuthSettings;
use crate::auth::Secret;
use crate::auth::server::{Denial, Introspection, Principal, Remembered, TokenHash, TokenRules};
use crate::engine::Level;
use crate::engine::server::SessionId;
use crate::runtime::lock;
use crate::runtime::server::Serving;
use crate::transport::http::fetch::fetch;
use crate::transport::http::settings::HttpSettings;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

#[derive(Debug)]
enum Who {
    Server(Introspection, Arc<HttpSettings>),
    Application(Duration),
}

/// Who is asked, and what it said before.
#[derive(Debug)]
pub(super) struct Asked {
    who: Who,
    /// Room for questions.
    room: Semaphore,
    kept: Mutex<Remembered>,
}

impl Asked {
    pub(super) fn of_server(
        introspection: &Introspection,
        http: &Arc<HttpSettings>,
        settings: &AuthSettings,
    ) -> Asked {
        Asked::new(Who::Server(introspection.clone(), Arc::clone(http)), settings)
    }

    pub(super) fn of_application(settings: &AuthSettings) -> Asked {
        Asked::new(Who::Application(settings.timeout), settings)
    }

    fn new(who: Who, settings: &AuthSettings) -> Asked {
        Asked {
            who,
            room: Semaphore::new(settings.questions),
            kept: Mutex::new(Remembered::new(settings.remembered, settings.remember)),
        }
    }

    /// Who a token speaks for.
    pub(super) async fn about(
        &self,
        serving: &Arc<Serving>,
        rules: &Arc<TokenRules>,
        token: &Secret,
    ) -> Result<Arc<Principal>, Denial> {
        let hash = TokenHash::of(token);
        let kept = lock(&self.kept).get(&hash, Instant::now());
        let verdict = match kept {
            Some(verdict) => verdict,
            None => {
                let Ok(_room) = self.room.try_acquire() else {
                    let text = "as many tokens are being asked about as auth.questions allows";
                    return Err(Denial::Unavailable(text.to_owned()));
                };
                let verdict = self.ask(serving, rules, token).await.map(Arc::new);
                if let Err(Denial::Unavailable(why)) = &verdict {
                    let text = format!("whether a token is good could not be found out: {why}");
                    serving.record(Level::Warn, SessionId(0), &text);
                }
                lock(&self.kept).put(hash, &verdict, Instant::now());
                verdict
            }
        };
        let principal = verdict?;
        principal.still_good(Serving::now().unix, rules.leeway)?;
        Ok(principal)
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
