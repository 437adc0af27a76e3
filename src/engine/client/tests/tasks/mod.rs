//! Calls that become tasks. `play` has what the files share; `core` is the form of 2025-11-25, `extension` that of
//! 2026-07-28, `ending` what both do when a call or a connection ends, `transports` what HTTP and streams add, `together` what
//! else a call may go through meanwhile, and `chances` plays random schedules of both.

mod chances;
mod core;
mod ending;
mod extension;
pub mod play;
mod result_types;
mod together;
mod transports;
