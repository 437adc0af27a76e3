//! Who drives: the policy that pipes and HTTP share.
//!
//! Waking another thread costs more than all our code, so the thread that waits for a connection reads it itself.
//!
//! A background thread drives while no thread waits, after a grace time in which no thread drove. Servers have a role of
//! their own: `src/runtime/server/role.rs`.
//!
//! The files:
//!
//! * `grace`: `GRACE`, the grace time of 2 ms of pipes, HTTP and servers, and what follows it
//! * `lock`: `DriverLock`: the role of driver of one connection over pipes or a socket. The field of `Pipes` owns it
//! * `state`: `DriverState`: the role for the one runtime of HTTP, which any number of threads may drive
//! * `shared`: counts the clients that need a background thread
//! * `threads`: starts and ends threads

pub(crate) mod grace;
pub(crate) mod lock;
pub(crate) mod shared;
#[cfg(feature = "http")]
pub(crate) mod state;
pub(crate) mod threads;
