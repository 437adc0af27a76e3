//! Tests of the engine. `stage` puts one on a stage where only the test moves the clock; the files named after a topic
//! say by example what it does. `lifecycle` holds it to every cell of `docs/reference/lifecycle.md`, `properties` to what must be
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
mod field;
mod frames;
mod handshake;
mod held_back;
mod ids;
mod input_required;
mod lifecycle;
mod listening;
mod logins;
mod metadata;
mod negotiation;
mod progress;
mod promised;
mod properties;
mod requests;
mod restoring;
mod retry;
mod revisions;
mod sent;
mod simulator;
mod slow_start;
mod stage;
mod stateful_tools;
mod tasks;
mod timeouts;
mod url_elicitation;
