//! Who drives: the policy that pipes and HTTP share.
//!
//! Waking another thread costs more than all our code, so the thread that waits for a connection reads it itself. A
//! background thread drives while no thread waits, after a grace time in which no thread drove ([`grace`]). [`lock`] is the
//! role of driver of one connection over pipes or a socket, [`state`] that of the one runtime of HTTP, which any number of
//! threads may drive. [`shared`] counts the clients that need a background thread; [`threads`] starts and ends threads.

pub(crate) mod grace;
pub(crate) mod lock;
pub(crate) mod shared;
#[cfg(feature = "http")]
pub(crate) mod state;
pub(crate) mod threads;
