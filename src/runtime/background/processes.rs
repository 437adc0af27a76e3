//! Server processes as the background thread sees them: started, read when no other thread does, ended by a ladder of bounded
//! steps (end of input, SIGTERM, SIGKILL), reaped. What concerns a socket is passed on.

use super::shared::{BackgroundCommand, Runtime};
use super::sockets::Sockets;
use crate::engine::{Error, Level, Status};
use crate::runtime::link::owner::{Driven, LinkContext, LinkTarget, StderrTo};
use crate::runtime::link::pipe::{Pipe, PipePart, from_token, token};
use crate::runtime::message::Message;
use crate::runtime::numbered::Numbered;
use crate::runtime::sync::lock;
use crate::transport::poller::Interest;
use crate::transport::process::{Exit, Process, SpawnError};
use crate::transport::stderr::Stderr;
use crate::transport::stream::Outgoing;
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a server whose output has ended may take to exit, so that the error can say how it did.
const EXIT_STATUS_WAIT: Duration = Duration::from_millis(250);

/// All server processes, and the servers behind sockets.
#[derive(Default)]
pub(crate) struct Servers {
    processes: Numbered<Box<ServerProcess>>,
    sockets: Sockets,
    next: u64,
    /// Nothing has a deadline, and only a command or an end of a process can give it one.
    is_settled: bool,
}

impl Servers {
    pub(crate) fn command(&mut self, runtime: &Arc<Runtime>, command: BackgroundCommand) {
        self.is_settled = false;
        match command {
            BackgroundCommand::Add(_) | BackgroundCommand::Carry(_) => {}
            BackgroundCommand::Open { connection, generation } => {
                self.next += 1;
                match &connection.context().transport.endpoint {
                    LinkTarget::Socket(address) => {
                        self.sockets.open(runtime, &connection, generation, address, self.next);
                    }
                    _ => self.open(runtime, &connection, generation),
                }
            }
            BackgroundCommand::Reached { attempt, outcome } => {
                self.sockets.reached(runtime, attempt, outcome);
            }
            BackgroundCommand::Shut { client, generation, by } => {
                let now = Instant::now();
                self.sockets.shut(runtime, now, client, generation, by);
                for (_, peer) in self.processes.iter_mut() {
                    if peer.connection.context().client == client
                        && (peer.link.generation == generation || generation == u64::MAX)
                    {
                        peer.shut(runtime, now, by);
                    }
                }
            }
            BackgroundCommand::OutputEnded { link, partial, errno } => {
                if self.sockets.ended(runtime, link, partial, errno) {
                    return;
                }
                let why = if partial {
                    "the server's output ended in the middle of a message"
                } else {
                    "the server closed its output"
                };
                self.streams_ended(link, why.to_owned());
            }
            BackgroundCommand::InputClosed { link, errno } => {
                if self.sockets.refused(runtime, link, errno) {
                    return;
                }
                self.streams_ended(link, format!("the server no longer reads its input ({errno})"));
            }
            BackgroundCommand::Broken { link, why } => {
                if self.sockets.broken(runtime, link, &why) {
                    return;
                }
                if let Some(peer) = self.processes.get_mut(link) {
                    peer.link.stop();
                    let message = format!("the server's output cannot be understood: {why}");
                    peer.report(Status::Protocol, &message, None);
                }
            }
        }
    }

    fn open(&mut self, runtime: &Runtime, connection: &Arc<dyn Driven>, generation: u64) {
        match self.start(runtime, connection, generation) {
            Ok(mut peer) => {
                let link = Arc::clone(&peer.link);
                if !connection.opened_pipe(&link) {
                    peer.shut(runtime, Instant::now(), Some(Instant::now()));
                }
                self.processes.insert(link.number, Box::new(peer));
            }
            Err(failure) => {
                connection.failed_to_start(generation, start_error(connection.context(), failure));
                connection.gone(generation);
            }
        }
    }

    fn start(
        &mut self,
        runtime: &Runtime,
        connection: &Arc<dyn Driven>,
        generation: u64,
    ) -> Result<ServerProcess, SpawnError> {
        let transport = &connection.context().transport;
        let command = transport
            .endpoint
            .command()
            .ok_or_else(|| SpawnError { message: "this server is not a process".to_owned(), errno: None })?;
        let spawned = command.spawn()?;
        let failed = |errno: rustix::io::Errno| SpawnError {
            message: format!("cannot watch '{}': {errno}", command.program),
            errno: Some(errno.raw_os_error()),
        };
        let link = Pipe::new(
            self.next,
            generation,
            Some(spawned.process.pid()),
            Outgoing::new(spawned.stdin, transport.framing),
            transport.incoming(spawned.stdout),
        )
        .map_err(failed)?;
        let stderr = Stderr::new(spawned.stderr, transport.stderr);
        let poller = &runtime.poller;
        let number = link.number;
        let watch = || {
            poller.watch(&link.output, token(number, PipePart::Output), Interest::None)?;
            if let Some(out) = lock(&link.outgoing).as_ref() {
                poller.watch(out.fd(), token(number, PipePart::Input), Interest::None)?;
            }
            poller.watch(stderr.fd(), token(number, PipePart::Errors), Interest::Readable)?;
            match spawned.process.end() {
                Some(end) => poller.watch(end, token(number, PipePart::Exit), Interest::Readable),
                None => Ok(()),
            }
        };
        if let Err(errno) = watch() {
            // Taken out before they are closed: a copy that the host made by forking would keep them in the poller.
            poller.unwatch(&link.output);
            poller.unwatch(stderr.fd());
            link.close_input(poller);
            return Err(failed(errno));
        }
        connection.context().event(Level::Info, "process.started", || {
            let mut fields = Map::new();
            fields.insert("pid".to_owned(), Value::from(spawned.process.pid()));
            fields
        });
        Ok(ServerProcess {
            connection: Arc::clone(connection),
            link: Arc::new(link),
            process: spawned.process,
            stderr,
            phase: ProcessPhase::Running,
            by: None,
            why: None,
            looked_at: false,
        })
    }

    fn streams_ended(&mut self, link: u64, why: String) {
        if let Some(peer) = self.processes.get_mut(link)
            && peer.phase == ProcessPhase::Running
        {
            peer.phase = ProcessPhase::Ended(Instant::now() + EXIT_STATUS_WAIT);
            peer.why.get_or_insert(why);
        }
    }

    /// A descriptor is ready.
    pub(crate) fn ready(&mut self, runtime: &Runtime, ready: u64) {
        let (number, part) = from_token(ready);
        let Some(peer) = self.processes.get_mut(number) else {
            return self.sockets.ready(runtime, number, part);
        };
        match part {
            PipePart::Output => peer.read(runtime),
            PipePart::Input => peer.write(),
            PipePart::Errors => peer.drain_errors(runtime),
            PipePart::Exit => self.exited(runtime, number),
        }
    }

    /// Looks whether a process has ended, and if so is done with it.
    fn exited(&mut self, runtime: &Runtime, number: u64) {
        self.is_settled = false;
        let Some(peer) = self.processes.get_mut(number) else { return };
        peer.link.stop();
        // First, because this kills what is left of its group: heirs that write without end must not be read without end.
        let Some(exit) = peer.process.try_reap() else {
            // Ended, but it cannot be reaped yet: another process traces it. Its descriptor would be readable all the time.
            peer.watch_by_looking(runtime);
            return;
        };
        if peer.phase == ProcessPhase::Running || matches!(peer.phase, ProcessPhase::Ended(_)) {
            // What it said before it died counts.
            peer.connection.read_rest(&peer.link);
        }
        peer.drain_errors(runtime);
        let Some(peer) = self.processes.remove(number) else { return };
        peer.unwatch(runtime);
        peer.log_exit(exit);
        let failure = peer
            .connection
            .context()
            .transport
            .endpoint
            .command()
            .and_then(|command| peer.process.start_failure(command));
        if let Some(failure) = failure {
            peer.connection
                .failed_to_start(peer.link.generation, start_error(peer.connection.context(), failure));
        } else if !peer.is_closing() {
            let message = exit.to_string();
            peer.report(Status::Transport, &message, Some(exit));
        }
        let ServerProcess { connection, link, process, stderr, .. } = *peer;
        // Closed before anybody is told that it is over.
        drop((process, stderr));
        link.close_input(&runtime.poller);
        let generation = link.generation;
        drop(link);
        connection.gone(generation);
    }

    /// When [`Servers::tick`] is to be called next.
    pub(crate) fn next_deadline(&mut self) -> Option<Instant> {
        if self.is_settled {
            return None;
        }
        let processes = self.processes.values().filter_map(|peer| peer.next_deadline());
        let next = processes.chain(self.sockets.next_deadline()).min();
        self.is_settled = next.is_none();
        next
    }

    /// Does what is due.
    pub(crate) fn tick(&mut self, runtime: &Runtime, now: Instant) {
        if self.is_settled {
            return;
        }
        self.sockets.tick(runtime, now);
        let mut look = Vec::new();
        for (number, peer) in self.processes.iter_mut() {
            if peer.is_looked_at() {
                look.push(number);
            }
            peer.tick(runtime, now);
        }
        for number in look {
            if self.processes.get_mut(number).is_some_and(|peer| peer.process.try_reap().is_some()) {
                self.exited(runtime, number);
            }
        }
    }

    /// The last clients are gone: whatever still runs is killed and reaped.
    pub(crate) fn kill_all(&mut self) {
        // `Process` kills and reaps when it is dropped.
        self.processes = Numbered::default();
        self.sockets.drop_all();
    }
}

fn start_error(context: &LinkContext, failure: SpawnError) -> Error {
    let mut error = Error::new(Status::Transport, "connect", failure.message);
    if let Some(command) = context.transport.endpoint.command() {
        error = error.with("command", command.program.as_str());
    }
    match failure.errno {
        Some(errno) => error.with("errno", errno),
        None => error,
    }
}

// One server process as the background thread sees it: read when no other thread does, asked to end in bounded steps, and
// the teller of why it ended.

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
enum ProcessPhase {
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

struct ServerProcess {
    pub(crate) connection: Arc<dyn Driven>,
    pub(crate) link: Arc<Pipe>,
    pub(crate) process: Process,
    pub(crate) stderr: Stderr,
    pub(crate) phase: ProcessPhase,
    /// When everything must be over, if a close said so.
    pub(crate) by: Option<Instant>,
    /// What is known of why it ended.
    pub(crate) why: Option<String>,
    /// Its end is found out by looking now and then, although the kernel could tell.
    pub(crate) looked_at: bool,
}

impl ServerProcess {
    fn is_closing(&self) -> bool {
        matches!(
            self.phase,
            ProcessPhase::InputClosed(_) | ProcessPhase::Terminated(_) | ProcessPhase::Killed
        )
    }

    fn is_looked_at(&self) -> bool {
        self.looked_at || self.process.end().is_none()
    }

    fn watch_by_looking(&mut self, runtime: &Runtime) {
        if let Some(end) = self.process.end() {
            runtime.poller.unwatch(end);
        }
        self.looked_at = true;
    }

    pub(crate) fn next_deadline(&self) -> Option<Instant> {
        let step = match self.phase {
            ProcessPhase::Running | ProcessPhase::Killed => None,
            ProcessPhase::Ended(at) | ProcessPhase::InputClosed(at) | ProcessPhase::Terminated(at) => {
                Some(at)
            }
        };
        if !self.is_looked_at() {
            return step;
        }
        let interval =
            if self.phase == ProcessPhase::Running { LOOK_INTERVAL_RUNNING } else { LOOK_INTERVAL };
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
            self.phase = ProcessPhase::InputClosed(now + self.connection.context().transport.exit_wait);
            // What it still says is thrown away, so that it does not block on a full pipe.
            self.link.listen_once(&runtime.poller);
        }
        if let Some(by) = self.by {
            // Half of what is left for each step, and the kill at the end.
            let half = by.saturating_duration_since(now) / 2;
            match &mut self.phase {
                ProcessPhase::InputClosed(at) => *at = (*at).min(now + half),
                ProcessPhase::Terminated(at) => *at = (*at).min(by),
                _ => {}
            }
        }
    }

    pub(crate) fn tick(&mut self, runtime: &Runtime, now: Instant) {
        match self.phase {
            ProcessPhase::Ended(at) if at <= now => {
                let why = self.why.clone().unwrap_or_else(|| "the connection ended".to_owned());
                self.phase = ProcessPhase::Running;
                self.report(Status::Transport, &format!("{why}, and it still runs"), None);
                // The engine has asked for the end; this is for the case that it no longer cares.
                self.shut(runtime, now, None);
            }
            ProcessPhase::InputClosed(at) if at <= now => {
                self.process.terminate();
                let wait = now + self.connection.context().transport.term_wait;
                self.phase = ProcessPhase::Terminated(self.by.map_or(wait, |by| wait.min(by)));
            }
            ProcessPhase::Terminated(at) if at <= now => {
                self.process.kill();
                self.phase = ProcessPhase::Killed;
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

    fn drain_errors(&mut self, runtime: &Runtime) {
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
        if let Some(said) = self.stderr.telling_line() {
            let is_last = lines.last() == Some(&said);
            message.push_str(if is_last { "; its last line on stderr: " } else { "; it said on stderr: " });
            message.push_str(&said);
            if LACKS_LIBRARY.iter().any(|words| said.contains(words)) {
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

    fn log_exit(&self, exit: Exit) {
        self.connection.context().event(Level::Info, "process.ended", || {
            let mut fields = Map::new();
            fields.insert("pid".to_owned(), Value::from(self.process.pid()));
            fields.insert("how".to_owned(), Value::from(exit.to_string()));
            fields
        });
    }
}
