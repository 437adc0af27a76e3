//! Server processes as the background thread sees them: started, read when no other thread does, ended by a ladder of bounded
//! steps (end of input, SIGTERM, SIGKILL), reaped. What concerns a socket is passed on.

use super::process::{Phase, ServerProcess};
use super::runtime::{Command, Runtime};
use super::sockets::Sockets;
use crate::engine::{Error, Level, Status};
use crate::runtime::link::endpoint::Endpoint;
use crate::runtime::link::owner::{Context, Driven};
use crate::runtime::link::pipe::{Part, Pipe, from_token, token};
use crate::runtime::numbered::Numbered;
use crate::runtime::sync::lock;
use crate::transport::outgoing::Outgoing;
use crate::transport::poller::Interest;
use crate::transport::process::SpawnError;
use crate::transport::stderr::Stderr;
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
    pub(crate) fn command(&mut self, runtime: &Arc<Runtime>, command: Command) {
        self.is_settled = false;
        match command {
            Command::Add(_) | Command::Carry(_) => {}
            Command::Open { connection, generation } => {
                self.next += 1;
                match &connection.context().transport.endpoint {
                    Endpoint::Socket(address) => {
                        self.sockets.open(runtime, &connection, generation, address, self.next);
                    }
                    _ => self.open(runtime, &connection, generation),
                }
            }
            Command::Reached { attempt, outcome } => self.sockets.reached(runtime, attempt, outcome),
            Command::Shut { client, generation, by } => {
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
            Command::OutputEnded { link, partial, errno } => {
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
            Command::InputClosed { link, errno } => {
                if self.sockets.refused(runtime, link, errno) {
                    return;
                }
                self.streams_ended(link, format!("the server no longer reads its input ({errno})"));
            }
            Command::Broken { link, why } => {
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
            .ok_or_else(|| SpawnError { message: "this server is no process".to_owned(), errno: None })?;
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
            poller.watch(&link.output, token(number, Part::Output), Interest::None)?;
            if let Some(out) = lock(&link.outgoing).as_ref() {
                poller.watch(out.fd(), token(number, Part::Input), Interest::None)?;
            }
            poller.watch(stderr.fd(), token(number, Part::Errors), Interest::Readable)?;
            match spawned.process.end() {
                Some(end) => poller.watch(end, token(number, Part::Exit), Interest::Readable),
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
            phase: Phase::Running,
            by: None,
            why: None,
            looked_at: false,
        })
    }

    fn streams_ended(&mut self, link: u64, why: String) {
        if let Some(peer) = self.processes.get_mut(link)
            && peer.phase == Phase::Running
        {
            peer.phase = Phase::Ended(Instant::now() + EXIT_STATUS_WAIT);
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
            Part::Output => peer.read(runtime),
            Part::Input => peer.write(),
            Part::Errors => peer.drain_errors(runtime),
            Part::Exit => self.exited(runtime, number),
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
        if peer.phase == Phase::Running || matches!(peer.phase, Phase::Ended(_)) {
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

fn start_error(context: &Context, failure: SpawnError) -> Error {
    let mut error = Error::new(Status::Transport, "connect", failure.message);
    if let Some(command) = context.transport.endpoint.command() {
        error = error.with("command", command.program.as_str());
    }
    match failure.errno {
        Some(errno) => error.with("errno", errno),
        None => error,
    }
}
