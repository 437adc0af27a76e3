//! The server's engine, driven by hand: frames in, effects out, virtual time.

mod answers;
mod asking;
mod calls;
mod eras;
mod methods;
mod notices;
mod random;
mod simulator;
mod stage;
mod texts;
