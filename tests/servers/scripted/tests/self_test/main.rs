//! The misbehaving server misbehaves as it says: a spot check of every group, so that a client test that fails points
//! at the client.

mod client;
mod faults;
mod processes;
