//! One server process as the background thread sees it: read when no other thread does, asked to end in bounded steps, and
//! the teller of why it ended.

use super::runtime::Runtime;
use crate::engine::{Error, Level, Status};
use crate::runtime::link::endpoint::StderrTo;
use crate::runtime::link::owner::Driven;
use crate::runtime::link::pipe::Pipe;
use crate::runtime::message::Message;
use crate::transport::process::{Exit, Process};
use crate::transport::stderr::Stderr;
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often a process is looked at where the kernel cannot tell of its end.
const LOOK_INTERVAL_RUNNING: Duration = Duration::from_millis(200);
/// The same while it is being ended.
const LOOK_INTERVAL: Duration = Duration::from_millis(20);
/// What dynamic linkers say of a library that they do not find (glibc, musl, macOS).
const LACKS_LIBRARY: [&str; 3] =
    ["error while loading shared libraries", "Error loading shared library", "Library not loaded"];
/// Why that may be so although the server starts in a shell.
const WITHOUT_VARIABLES: &str = "; a server gets few variables of this process: name the folder of the library in LD_LIBRARY_PATH with \
                                 'env', or give all variables with \"inherit_env\": \"all\"";
/// The stderr lines that go into an error.
const LINES_IN_ERROR: usize = 10;

/// Where a server is on its way out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    Running,
    /// Its streams ended by themselves; its exit is awaited until then, to say why.
    Ended(Instant),
    /// Its input was closed; it has until then to exit.
    InputClosed(Instant),
    /// It was asked to end; it has until then.
    Terminated(Instant),
    /// It was killed.
    Killed,
}

pub(crate) struct ServerProcess {
    pub(crate) connection: Arc<dyn Driven>,
    pub(crate) link: Arc<Pipe>,
    pub(crate) process: Process,
    pub(crate) stderr: Stderr,
    pub(crate) phase: Phase,
    /// When everything must be over, if a close said so.
    pub(crate) by: Option<Instant>,
    /// What is known of why it ended.
    pub(crate) why: Option<String>,
    /// Its end is found out by looking now and then, although the kernel could tell.
    pub(crate) looked_at: bool,
}

impl ServerProcess {
    pub(crate) fn is_closing(&self) -> bool {
        matches!(self.phase, Phase::InputClosed(_) | Phase::Terminated(_) | Phase::Killed)
    }

    pub(crate) fn is_looked_at(&self) -> bool {
        self.looked_at || self.process.end().is_none()
    }

    pub(crate) fn watch_by_looking(&mut self, runtime: &Runtime) {
        if let Some(end) = self.process.end() {
            runtime.poller.unwatch(end);
        }
        self.looked_at = true;
    }

    pub(crate) fn next_deadline(&self) -> Option<Instant> {
        let step = match self.phase {
            Phase::Running | Phase::Killed => None,
            Phase::Ended(at) | Phase::InputClosed(at) | Phase::Terminated(at) => Some(at),
        };
        if !self.is_looked_at() {
            return step;
        }
        let interval = if self.phase == Phase::Running { LOOK_INTERVAL_RUNNING } else { LOOK_INTERVAL };
        let look = Instant::now() + interval;
        Some(step.map_or(look, |at| at.min(look)))
    }

    /// Begins the ladder, or hurries it.
    pub(crate) fn shut(&mut self, runtime: &Runtime, now: Instant, by: Option<Instant>) {
        if let Some(by) = by {
            self.by = Some(self.by.map_or(by, |before| before.min(by)));
        }
        if !self.is_closing() {
            self.link.stop();
            self.link.close_input(&runtime.poller);
            self.phase = Phase::InputClosed(now + self.connection.context().transport.exit_wait);
            // What it still says is thrown away, so that it does not block on a full pipe.
            self.link.listen_once(&runtime.poller);
        }
        if let Some(by) = self.by {
            // Half of what is left for each step, and the kill at the end.
            let half = by.saturating_duration_since(now) / 2;
            match &mut self.phase {
                Phase::InputClosed(at) => *at = (*at).min(now + half),
                Phase::Terminated(at) => *at = (*at).min(by),
                _ => {}
            }
        }
    }

    pub(crate) fn tick(&mut self, runtime: &Runtime, now: Instant) {
        match self.phase {
            Phase::Ended(at) if at <= now => {
                let why = self.why.clone().unwrap_or_else(|| "the connection ended".to_owned());
                self.phase = Phase::Running;
                self.report(Status::Transport, &format!("{why}, and it still runs"), None);
                // The engine has asked for the end; this is for the case that it no longer cares.
                self.shut(runtime, now, None);
            }
            Phase::InputClosed(at) if at <= now => {
                self.process.terminate();
                let wait = now + self.connection.context().transport.term_wait;
                self.phase = Phase::Terminated(self.by.map_or(wait, |by| wait.min(by)));
            }
            Phase::Terminated(at) if at <= now => {
                self.process.kill();
                self.phase = Phase::Killed;
            }
            _ => {}
        }
    }

    pub(crate) fn read(&self, runtime: &Runtime) {
        if self.link.is_stopped() {
            return self.discard(runtime);
        }
        self.connection.readable(&self.link);
    }

    /// Throws away what a server that is being ended still says.
    pub(crate) fn discard(&self, runtime: &Runtime) {
        if !self.is_closing() {
            return;
        }
        // Its end is told by the process.
        let _its_output_has_ended = self.link.discard(&runtime.poller);
    }

    pub(crate) fn write(&self) {
        self.connection.writable(&self.link);
    }

    pub(crate) fn drain_errors(&mut self, runtime: &Runtime) {
        let drained = self.stderr.drain();
        let connection = &self.connection;
        for line in &drained.lines {
            match connection.context().transport.stderr_to {
                StderrTo::Log => {
                    connection.context().event(Level::Info, "server.stderr", || {
                        let mut fields = Map::new();
                        fields.insert("line".to_owned(), Value::from(line.as_str()));
                        fields
                    });
                }
                StderrTo::Message => {
                    if let Some(ready) =
                        connection.context().queue.push(Message::log(connection.context().client, line), None)
                    {
                        runtime.callbacks.run(ready);
                    }
                }
                StderrTo::Drop => {}
            }
        }
        if drained.ended {
            runtime.poller.unwatch(self.stderr.fd());
        }
    }

    pub(crate) fn unwatch(&self, runtime: &Runtime) {
        runtime.poller.unwatch(&self.link.output);
        runtime.poller.unwatch(self.stderr.fd());
        if let Some(end) = self.process.end() {
            runtime.poller.unwatch(end);
        }
    }

    /// Tells the engine that the connection is gone, with everything that says why.
    pub(crate) fn report(&self, status: Status, what: &str, exit: Option<Exit>) {
        let mut lines = self.stderr.last_lines();
        lines.drain(..lines.len().saturating_sub(LINES_IN_ERROR));
        let mut message = what.to_owned();
        if let Some(last) = lines.last() {
            message.push_str("; its last line on stderr: ");
            message.push_str(last);
            if LACKS_LIBRARY.iter().any(|words| last.contains(words)) {
                message.push_str(WITHOUT_VARIABLES);
            }
        }
        let mut error = Error::new(status, "connection", message).with("pid", self.process.pid());
        if let Some(exit) = exit {
            if let Some(code) = exit.code {
                error = error.with("exit_status", code);
            }
            if let Some(signal) = exit.signal {
                error = error.with("signal", signal);
            }
        }
        if !lines.is_empty() {
            error = error.with("stderr", lines);
        }
        self.connection.lost(self.link.generation, error);
    }

    pub(crate) fn log_exit(&self, exit: Exit) {
        self.connection.context().event(Level::Info, "process.ended", || {
            let mut fields = Map::new();
            fields.insert("pid".to_owned(), Value::from(self.process.pid()));
            fields.insert("how".to_owned(), Value::from(exit.to_string()));
            fields
        });
    }
}
