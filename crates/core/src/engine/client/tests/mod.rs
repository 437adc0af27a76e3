//! Tests of the engine. `stage` puts one on a stage where only the test moves the clock; the files named after a topic
//! say by example what it does. `lifecycle` holds it to every cell of `docs/reference/lifecycle.toml` and to what must be true whatever the
//! order of things, and `simulator` plays thousands of random schedules from printed seeds.

mod calls;
mod connection;
#[cfg(feature = "draft")]
mod draft;
mod exchanges;
mod frames;
mod handshake;
mod input;
mod lifecycle;
mod lists;
mod server_requests;
mod simulator;
mod stage;
mod subscriptions;
mod tasks;
mod tools;
mod traced;
