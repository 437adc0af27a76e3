//! How the process ends, or refuses to.

use std::time::Duration;

use crate::posix;
use crate::script::Script;

/// The net under every script: nothing this program starts outlives a test run for long.
pub fn limit_life(life: Duration) {
    std::thread::spawn(move || {
        std::thread::sleep(life);
        std::process::exit(crate::USAGE_ERROR);
    });
}

/// Comes before any other process is started: an ignored signal is inherited.
pub fn at_start(script: &Script) {
    if script.has("ignore-term") {
        posix::ignore_term();
    }
}

/// A good server is gone at once.
pub fn after_eof(script: &Script) -> ! {
    if let Some(wait) = script.milliseconds("slow-exit") {
        std::thread::sleep(wait);
    }
    if script.has("ignore-eof") {
        crate::wait_for_ever();
    }
    std::process::exit(script.number("exit-code").and_then(|code| i32::try_from(code).ok()).unwrap_or(0))
}
