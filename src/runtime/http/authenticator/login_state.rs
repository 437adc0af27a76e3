//! How a login stands, for the requests that wait for it.

use crate::auth::Failure;
use crate::engine::LoginWait;
use crate::runtime::lock;
use std::pin::pin;
use std::sync::Mutex;
use tokio::sync::Notify;

/// How the login stands. Requests that wait go on in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct LoginState {
    login: Mutex<Login>,
    changed: Notify,
}

#[derive(Clone, Debug, Default)]
struct Login {
    /// How many have ended.
    ended: u64,
    /// How the last one ended: who waited for it ends with its failure.
    failure: Option<Failure>,
    /// Whether the one under way waits for servers.
    asks_servers: bool,
    /// How many requests wait for its end.
    waiting: usize,
}

impl LoginState {
    /// How many logins have ended.
    pub(super) fn ended(&self) -> u64 {
        lock(&self.login).ended
    }

    /// Whether the login under way waits for servers.
    pub(super) fn asks(&self, servers: bool) {
        if std::mem::replace(&mut lock(&self.login).asks_servers, servers) != servers {
            self.changed.notify_waiters();
        }
    }

    /// The login has ended, with this failure if any.
    pub(super) fn ends(&self, failure: Option<Failure>) {
        let mut login = lock(&self.login);
        login.ended += 1;
        login.failure = failure;
        drop(login);
        self.changed.notify_waiters();
    }

    /// A request waits from now on.
    pub(super) fn begin_waiting(&self) {
        lock(&self.login).waiting += 1;
    }

    /// It waits no longer. Says whether it was the last one.
    pub(super) fn end_waiting(&self) -> bool {
        let mut login = lock(&self.login);
        login.waiting -= 1;
        login.waiting == 0
    }

    /// Whether any request waits.
    pub(super) fn is_awaited(&self) -> bool {
        lock(&self.login).waiting > 0
    }

    /// Waits until more logins than `ended` have ended.
    pub(super) async fn wait_for_end(
        &self,
        ended: u64,
        waits: &(dyn Fn(LoginWait) + Sync),
    ) -> Result<(), Failure> {
        let failure = loop {
            let mut changed = pin!(self.changed.notified());
            // A change after this is not missed.
            changed.as_mut().enable();
            let Login { ended: now, failure, asks_servers, .. } = lock(&self.login).clone();
            if now != ended {
                break failure;
            }
            waits(if asks_servers { LoginWait::Servers } else { LoginWait::Person });
            changed.await;
        };
        waits(LoginWait::Over);
        failure.map_or(Ok(()), Err)
    }
}
