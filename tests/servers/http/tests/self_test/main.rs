//! The server against the plainest possible client: what it says without a script is right, and each fault is the one
//! that its name says.

mod client;
mod faults;
mod legacy;
mod login;
mod modern;
