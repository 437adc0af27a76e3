//! The server's engine, driven by hand: frames in, effects out, virtual time.

mod answers;
mod apps;
mod asking;
mod calls;
mod checking;
mod content;
mod counting;
mod eras;
mod field;
mod late_checks;
mod line;
mod methods;
mod notices;
mod principals;
mod questions;
mod random;
mod rates;
mod relay;
mod scopes;
mod scopes_at_random;
mod simulated_handlers;
mod simulator;
mod skills;
mod stage;
mod states;
mod switches;
mod task_bounds;
mod task_extension;
mod task_simulator;
mod task_states;
mod task_streams;
mod tasks;
mod texts;
#[cfg(feature = "schema")]
mod wire;
