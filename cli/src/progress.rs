//! Progress on standard error: a spinner, and a bar as soon as the server reports numbers. Nothing without a terminal.

use crate::output::{beginning, needs_ascii, one_line, shown};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use mcp::client::json_text::{member, string};
use std::cell::Cell;
use std::fmt::Write;
use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What is drawn while a call runs.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// The last line that the server wrote to standard error.
    said: Arc<Mutex<String>>,
}

/// After what time what a server writes to standard error is shown beside a spinner, and how much of it.
const SAID_AFTER: Duration = Duration::from_secs(2);
const SAID: usize = 48;

/// Whether nothing is drawn, because the results themselves come while a call runs.
static IS_SILENT: AtomicBool = AtomicBool::new(false);

/// From now on nothing is drawn.
pub fn silence() {
    IS_SILENT.store(true, Ordering::Relaxed);
}

thread_local! {
    /// Whether this thread draws nothing, and says nothing of a connection that fails: another one does.
    static IS_SILENT_HERE: Cell<bool> = const { Cell::new(false) };
}

/// Whether another thread draws, and says what is to be said.
pub fn is_silent_here() -> bool {
    IS_SILENT_HERE.get()
}

/// Does something beside what is drawn.
pub fn silently<T>(work: impl FnOnce() -> T) -> T {
    let before = IS_SILENT_HERE.replace(true);
    let done = work();
    IS_SILENT_HERE.set(before);
    done
}

/// A bar counts thousandths: servers report fractions.
const WHOLE: u64 = 1000;

impl Progress {
    /// A spinner that is shown when the call takes longer than a moment.
    pub fn spinner(what: &str) -> Progress {
        let is_silent = IS_SILENT.load(Ordering::Relaxed) || IS_SILENT_HERE.get();
        let bar = if std::io::stderr().is_terminal() && !is_silent {
            ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
        } else {
            ProgressBar::hidden()
        };
        let said = Arc::<Mutex<String>>::default();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}{said}") {
            let last = Arc::clone(&said);
            let style = style.with_key("said", move |state: &ProgressState, out: &mut dyn Write| {
                // What cannot be drawn is drawn the next time.
                let _drawn = out.write_str(&beside(state.elapsed(), &last));
            });
            let is_ascii = needs_ascii(&std::io::stderr());
            bar.set_style(if is_ascii { style.tick_chars("-\\|/ ") } else { style });
        }
        bar.set_message(message(what));
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(120));
        }
        Progress { bar, said }
    }

    /// Nothing is drawn.
    pub fn hidden() -> Progress {
        Progress { bar: ProgressBar::hidden(), said: Arc::default() }
    }

    /// The server reported progress: `{"progress", "total"?, "message"?}`.
    pub fn report(&self, json: &str) {
        let number = |name: &str| member(json, name).and_then(|text| text.parse::<f64>().ok());
        if let (Some(done), Some(total)) = (number("progress"), number("total").filter(|total| *total > 0.0))
        {
            if self.bar.length() != Some(WHOLE) {
                self.bar.set_length(WHOLE);
                if let Ok(style) = ProgressStyle::with_template("{msg} [{bar:30}] {percent} % {elapsed}") {
                    self.bar.set_style(style.progress_chars("=> "));
                }
            }
            self.bar.set_position(share(done, total));
        }
        if let Some(said) = member(json, "message").and_then(string) {
            self.bar.set_message(message(&said));
        }
    }

    /// The server wrote a line to standard error.
    pub fn said(&self, line: &str) {
        message(line).clone_into(&mut self.said.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Whether nothing is drawn, because there is no terminal.
    pub fn has_no_terminal(&self) -> bool {
        self.bar.is_hidden() && !IS_SILENT.load(Ordering::Relaxed) && !IS_SILENT_HERE.get()
    }

    /// Does something with the bar out of the way.
    pub fn suspended<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.suspend(work)
    }
}

/// What is shown behind the message of a spinner.
fn beside(elapsed: Duration, said: &Mutex<String>) -> String {
    let said = said.lock().unwrap_or_else(PoisonError::into_inner);
    if elapsed < SAID_AFTER || said.is_empty() {
        return String::new();
    }
    format!(": {}", beginning(&said, SAID))
}

/// What stands beside a spinner or a bar.
fn message(text: &str) -> String {
    shown(&one_line(text), &std::io::stderr()).into_owned()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "between 0 and 1000"
)]
fn share(done: f64, total: f64) -> u64 {
    (done / total * WHOLE as f64).clamp(0.0, WHOLE as f64) as u64
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c13_what_a_slow_server_writes_is_shown_after_a_moment() {
        let said = Mutex::new(String::new());
        assert_eq!(beside(Duration::from_secs(3), &said), "");
        "loading x".clone_into(&mut said.lock().expect("no panic"));
        assert_eq!(beside(Duration::from_millis(1999), &said), "");
        assert_eq!(beside(SAID_AFTER, &said), ": loading x");
        "y".repeat(500).clone_into(&mut said.lock().expect("no panic"));
        assert!(beside(SAID_AFTER, &said).chars().count() < 60, "one line of a terminal");
    }

    #[test]
    fn a_share_stays_on_the_bar() {
        assert_eq!(share(1.0, 4.0), 250);
        assert_eq!(share(9.0, 4.0), 1000);
        assert_eq!(share(-1.0, 4.0), 0);
        assert_eq!(share(f64::NAN, 4.0), 0);
    }
}
