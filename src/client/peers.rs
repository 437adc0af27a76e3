//! Server processes as the background thread sees them: started, read when nobody else does, ended by a ladder of bounded
//! steps (end of input, SIGTERM, SIGKILL), reaped.

use super::background::{Command, Runtime};
use super::connection::{Connection, StderrTo};
use super::link::{Link, Part, from_token, token};
use super::lock;
use super::message::Message;
use super::queue::Resume;
use crate::engine::{Error, Level, Status};
use crate::transport::poller::Interest;
use crate::transport::process::{Exit, Process, SpawnError};
use crate::transport::stderr::Stderr;
use crate::transport::stdio::Read;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a server whose output has ended may take to exit, so that the error can say how it did.
const EXIT_STATUS_WAIT: Duration = Duration::from_millis(250);
/// Reads in one go before others get their turn.
const READS_PER_TURN: usize = 16;
/// Reads of what a dead server left in the pipe; its heirs could write for ever.
const LAST_READS: usize = 4096;
/// How often a process is looked at where the kernel cannot tell of its end.
const LOOK_INTERVAL: Duration = Duration::from_millis(20);
/// The stderr lines that go into an error.
const LINES_IN_ERROR: usize = 10;

/// Where a server is on its way out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
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

struct Peer {
    connection: Arc<Connection>,
    link: Arc<Link>,
    process: Process,
    stderr: Stderr,
    phase: Phase,
    /// When everything must be over, if a close said so.
    by: Option<Instant>,
    /// What is known of why it ended.
    why: Option<String>,
}

/// All server processes.
#[derive(Default)]
pub(crate) struct Peers {
    peers: HashMap<u64, Peer>,
    next: u64,
}

impl Peers {
    pub(crate) fn command(&mut self, runtime: &Runtime, command: Command) {
        match command {
            Command::Add(_) => {}
            Command::Open { connection, generation } => self.open(runtime, &connection, generation),
            Command::Shut { client, generation, by } => {
                let now = Instant::now();
                for peer in self.peers.values_mut() {
                    if peer.connection.client == client
                        && (peer.link.generation == generation || generation == u64::MAX)
                    {
                        peer.shut(runtime, now, by);
                    }
                }
            }
            Command::OutputEnded { link, partial } => {
                let why = if partial {
                    "the server's output ended in the middle of a message"
                } else {
                    "the server closed its output"
                };
                self.streams_ended(link, why.to_owned());
            }
            Command::InputClosed { link, errno } => {
                self.streams_ended(link, format!("the server no longer reads its input ({errno})"));
            }
            Command::Broken { link, why } => {
                if let Some(peer) = self.peers.get_mut(&link) {
                    peer.link.stop();
                    let message = format!("the server's output cannot be understood: {why}");
                    peer.report(Status::Protocol, &message, None);
                }
            }
        }
    }

    fn open(&mut self, runtime: &Runtime, connection: &Arc<Connection>, generation: u64) {
        match self.start(runtime, connection, generation) {
            Ok(mut peer) => {
                let link = Arc::clone(&peer.link);
                if !connection.opened(&link) {
                    peer.shut(runtime, Instant::now(), Some(Instant::now()));
                }
                self.peers.insert(link.number, peer);
            }
            Err(failure) => {
                let mut error = Error::new(Status::Transport, "connect", failure.message)
                    .with("command", connection.transport.command.program.as_str());
                if let Some(errno) = failure.errno {
                    error = error.with("errno", errno);
                }
                connection.lost(generation, error);
                connection.peer_gone(generation);
            }
        }
    }

    fn start(
        &mut self,
        runtime: &Runtime,
        connection: &Arc<Connection>,
        generation: u64,
    ) -> Result<Peer, SpawnError> {
        let transport = &connection.transport;
        let spawned = transport.command.spawn()?;
        self.next += 1;
        let failed = |errno: rustix::io::Errno| SpawnError {
            message: format!("cannot watch '{}': {errno}", transport.command.program),
            errno: Some(errno.raw_os_error()),
        };
        let link = Link::new(
            self.next,
            generation,
            spawned.process.pid(),
            spawned.stdin,
            spawned.stdout,
            transport.framing,
            transport.frame_bytes,
        )
        .map_err(failed)?;
        let stderr = Stderr::new(spawned.stderr, transport.stderr);
        let poller = &runtime.poller;
        let number = link.number;
        poller.watch(&link.output, token(number, Part::Output), Interest::None).map_err(failed)?;
        if let Some(out) = lock(&link.outgoing).as_ref() {
            poller.watch(out.fd(), token(number, Part::Input), Interest::None).map_err(failed)?;
        }
        poller.watch(stderr.fd(), token(number, Part::Errors), Interest::Readable).map_err(failed)?;
        if let Some(pidfd) = spawned.process.pidfd() {
            poller.watch(pidfd, token(number, Part::Exit), Interest::Readable).map_err(failed)?;
        }
        connection.runtime.callbacks.event(&connection.name, Level::Info, "process.started", || {
            let mut fields = Map::new();
            fields.insert("pid".to_owned(), Value::from(link.pid));
            fields
        });
        Ok(Peer {
            connection: Arc::clone(connection),
            link: Arc::new(link),
            process: spawned.process,
            stderr,
            phase: Phase::Running,
            by: None,
            why: None,
        })
    }

    fn streams_ended(&mut self, link: u64, why: String) {
        if let Some(peer) = self.peers.get_mut(&link)
            && peer.phase == Phase::Running
        {
            peer.phase = Phase::Ended(Instant::now() + EXIT_STATUS_WAIT);
            peer.why.get_or_insert(why);
        }
    }

    /// A descriptor is ready.
    pub(crate) fn ready(&mut self, runtime: &Runtime, ready: u64) {
        let (number, part) = from_token(ready);
        let Some(peer) = self.peers.get_mut(&number) else { return };
        match part {
            Part::Output => peer.read(runtime),
            Part::Input => peer.write(runtime),
            Part::Errors => peer.drain_errors(runtime),
            Part::Exit => self.exited(runtime, number),
        }
    }

    /// Looks whether a process has ended, and if so is done with it.
    fn exited(&mut self, runtime: &Runtime, number: u64) {
        let Some(peer) = self.peers.get_mut(&number) else { return };
        peer.link.stop();
        if peer.phase == Phase::Running || matches!(peer.phase, Phase::Ended(_)) {
            // What it said before it died counts.
            let mut incoming = lock(&peer.link.incoming);
            for _ in 0..LAST_READS {
                if matches!(
                    peer.connection.absorb(&peer.link, &mut incoming, None),
                    Read::Ended | Read::Nothing
                ) {
                    break;
                }
            }
        }
        let Some(exit) = peer.process.try_reap() else { return };
        peer.drain_errors(runtime);
        let Some(peer) = self.peers.remove(&number) else { return };
        peer.unwatch(runtime);
        peer.log_exit(exit);
        if !peer.is_closing() {
            let message = exit.to_string();
            peer.report(Status::Transport, &message, Some(exit));
        }
        let Peer { connection, link, process, stderr, .. } = peer;
        // Closed before anybody is told that it is over.
        drop((process, stderr));
        link.close_input(&runtime.poller);
        let generation = link.generation;
        drop(link);
        connection.peer_gone(generation);
    }

    /// When [`Peers::tick`] is to be called next.
    pub(crate) fn next_deadline(&self) -> Option<Instant> {
        self.peers.values().filter_map(Peer::next_deadline).min()
    }

    /// Does what is due.
    pub(crate) fn tick(&mut self, runtime: &Runtime, now: Instant) {
        let mut look = Vec::new();
        for (number, peer) in &mut self.peers {
            if peer.process.pidfd().is_none() && peer.phase != Phase::Running {
                look.push(*number);
            }
            peer.tick(runtime, now);
        }
        for number in look {
            if self.peers.get_mut(&number).is_some_and(|peer| peer.process.try_reap().is_some()) {
                self.exited(runtime, number);
            }
        }
    }

    /// The last clients are gone: whatever still runs is killed and reaped.
    pub(crate) fn kill_all(&mut self) {
        // `Process` kills and reaps when it is dropped.
        self.peers.clear();
    }
}

impl Peer {
    fn is_closing(&self) -> bool {
        matches!(self.phase, Phase::InputClosed(_) | Phase::Terminated(_) | Phase::Killed)
    }

    fn next_deadline(&self) -> Option<Instant> {
        let step = match self.phase {
            Phase::Running => None,
            Phase::Ended(at) | Phase::InputClosed(at) | Phase::Terminated(at) => Some(at),
            Phase::Killed => None,
        };
        match self.process.pidfd() {
            None if self.phase != Phase::Running => Some(Instant::now() + LOOK_INTERVAL),
            _ => step,
        }
    }

    /// Begins the ladder, or hurries it.
    fn shut(&mut self, runtime: &Runtime, now: Instant, by: Option<Instant>) {
        if let Some(by) = by {
            self.by = Some(self.by.map_or(by, |before| before.min(by)));
        }
        if !self.is_closing() {
            self.link.stop();
            self.link.close_input(&runtime.poller);
            self.phase = Phase::InputClosed(now + self.connection.transport.exit_wait);
            // What it still says is thrown away, so that it does not block on a full pipe.
            let token = token(self.link.number, Part::Output);
            let _ended_already = runtime.poller.rearm(&self.link.output, token, Interest::ReadableOnce);
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

    fn tick(&mut self, runtime: &Runtime, now: Instant) {
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
                let wait = now + self.connection.transport.term_wait;
                self.phase = Phase::Terminated(self.by.map_or(wait, |by| wait.min(by)));
            }
            Phase::Terminated(at) if at <= now => {
                self.process.kill();
                self.phase = Phase::Killed;
            }
            _ => {}
        }
    }

    fn read(&mut self, runtime: &Runtime) {
        if self.link.is_stopped() {
            return self.discard(runtime);
        }
        let connection = &self.connection;
        if connection.queue.holds_up(&|| connection.this().map(|connection| connection as Arc<dyn Resume>)) {
            return;
        }
        let Some(link) = self.connection.role.claim_in_background() else {
            if self.connection.role.look_later() {
                runtime.grace(Arc::clone(&self.connection));
            }
            return;
        };
        if link.number == self.link.number {
            let mut incoming = lock(&link.incoming);
            for _ in 0..READS_PER_TURN {
                if self.connection.absorb(&link, &mut incoming, None) != Read::More {
                    break;
                }
            }
        }
        self.connection.give_back(true);
    }

    /// Throws away what a server that is being ended still says.
    fn discard(&mut self, runtime: &Runtime) {
        if !self.is_closing() {
            return;
        }
        let mut incoming = lock(&self.link.incoming);
        let mut last = Read::Nothing;
        for _ in 0..READS_PER_TURN {
            last = incoming.read();
            while incoming.next_piece().is_some() {}
            if last != Read::More {
                break;
            }
        }
        drop(incoming);
        if last != Read::Ended {
            let token = token(self.link.number, Part::Output);
            let _ended_already = runtime.poller.rearm(&self.link.output, token, Interest::ReadableOnce);
        }
    }

    fn write(&mut self, runtime: &Runtime) {
        let outcome = match lock(&self.link.outgoing).as_mut() {
            Some(out) => self.link.flush(out, &runtime.poller),
            None => Ok(()),
        };
        if let Err(errno) = outcome {
            runtime.command(Command::InputClosed { link: self.link.number, errno });
        }
    }

    fn drain_errors(&mut self, runtime: &Runtime) {
        let drained = self.stderr.drain();
        let connection = &self.connection;
        for line in &drained.lines {
            match connection.transport.stderr_to {
                StderrTo::Log => {
                    runtime.callbacks.event(&connection.name, Level::Info, "server.stderr", || {
                        let mut fields = Map::new();
                        fields.insert("line".to_owned(), Value::from(line.as_str()));
                        fields
                    })
                }
                StderrTo::Message => {
                    if let Some(ready) = connection.queue.push(Message::log(connection.client, line), None) {
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

    fn unwatch(&self, runtime: &Runtime) {
        runtime.poller.unwatch(&self.link.output);
        runtime.poller.unwatch(self.stderr.fd());
        if let Some(pidfd) = self.process.pidfd() {
            runtime.poller.unwatch(pidfd);
        }
    }

    /// Tells the engine that the connection is gone, with everything that says why.
    fn report(&self, status: Status, what: &str, exit: Option<Exit>) {
        let mut lines = self.stderr.last_lines();
        lines.drain(..lines.len().saturating_sub(LINES_IN_ERROR));
        let mut message = what.to_owned();
        if let Some(last) = lines.last() {
            message.push_str("; its last line on stderr: ");
            message.push_str(last);
        }
        let mut error = Error::new(status, "connection", message).with("pid", self.link.pid);
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

    fn log_exit(&self, exit: Exit) {
        self.connection.runtime.callbacks.event(&self.connection.name, Level::Info, "process.ended", || {
            let mut fields = Map::new();
            fields.insert("pid".to_owned(), Value::from(self.link.pid));
            fields.insert("how".to_owned(), Value::from(exit.to_string()));
            fields
        });
    }
}
