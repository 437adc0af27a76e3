//! The load's process, started and listened to; each line it prints is a moment to look at it.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::sample::Sample;

pub struct Run {
    pub samples: Vec<Sample>,
    /// What the load said at its end, each as "NAME NUMBER".
    pub totals: Vec<String>,
    /// Why the load failed, if it did.
    pub failure: Option<String>,
}

pub fn run(command: &mut Command, limit: Duration, errors: &Path) -> Result<Run, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let log = File::create(errors).map_err(|error| format!("cannot write {}: {error}", errors.display()))?;
    command.env_remove("LD_LIBRARY_PATH").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log);
    let mut child = command.spawn().map_err(|error| format!("cannot start {name}: {error}"))?;
    let (samples, totals, is_late) = listen(&mut child, limit);
    if is_late {
        // It may end by itself in this very moment; then there is nothing to kill.
        let _ = child.kill();
    }
    let status = child.wait().map_err(|error| format!("cannot wait for {name}: {error}"))?;
    let said = std::fs::read_to_string(errors).unwrap_or_default();
    let failure = match (is_late, status.success()) {
        (true, _) => Some(format!("it did not end within {} s\n{said}", limit.as_secs())),
        (false, false) => Some(format!("{status}\n{said}")),
        (false, true) if samples.is_empty() => Some("there were no samples".to_owned()),
        (false, true) => None,
    };
    Ok(Run { samples, totals, failure })
}

/// Reads what the load prints to its end or to the time limit; true when that was reached.
fn listen(child: &mut Child, limit: Duration) -> (Vec<Sample>, Vec<String>, bool) {
    let (mut samples, mut totals): (Vec<Sample>, Vec<String>) = (Vec::new(), Vec::new());
    let process = child.id();
    let (sender, lines) = mpsc::channel();
    if let Some(stdout) = child.stdout.take() {
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
    }
    let deadline = Instant::now() + limit;
    loop {
        match lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => {
                if let Some(sample) = Sample::take(&line, process) {
                    samples.push(samples.last().map_or(sample, |before| sample.after(before)));
                }
                totals.extend(line.strip_prefix("total ").map(str::to_owned));
            }
            Err(RecvTimeoutError::Disconnected) => return (samples, totals, false),
            Err(RecvTimeoutError::Timeout) => return (samples, totals, true),
        }
    }
}
