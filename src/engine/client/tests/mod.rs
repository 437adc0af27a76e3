//! Tests of the engine. `stage` puts one on a stage where only the test moves the clock; the rooms named after a topic
//! say by example what it does. `lifecycle` holds it to every cell of `docs/lifecycle.md`, `properties` to what must be
//! true whatever the order of things, and `simulator` plays thousands of random schedules from printed seeds.

mod assumed;
mod backoff;
mod batches;
mod cancelling;
mod closing;
mod connecting;
mod eras;
mod exchanges;
mod features;
mod frames;
mod handshake;
mod ids;
mod lifecycle;
mod listening;
mod logins;
mod metadata;
mod modes;
mod negotiation;
mod progress;
mod promised;
mod properties;
mod requests;
mod restoring;
mod retry;
mod revisions;
mod rounds;
mod sent;
mod simulator;
mod slow_start;
mod stage;
mod tasks;
mod timeouts;
mod visits;
