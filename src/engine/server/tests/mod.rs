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
mod task_bounds;
mod task_extension;
mod task_simulator;
mod task_states;
mod tasks;
