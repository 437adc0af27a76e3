//! HTTP/2 in front of the server: each stream is a connection of its own to the server behind, which speaks HTTP/1.1 on it
//! and knows nothing of this. Written by hand for the same reason as that one.

mod answer;
mod frame;
mod hpack;
mod huffman;
mod stream;

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec};

use crate::server::Server;
use crate::tls::session::Session;
use frame::Frame;
use stream::{Deed, Stream};

/// The code of an error that says that all is well, and others.
const NO_ERROR: u32 = 0;
const PROTOCOL_ERROR: u32 = 1;
const INTERNAL_ERROR: u32 = 2;
/// Streams at a time, unless the script says otherwise.
const STREAMS: u64 = 128;
/// SETTINGS: streams at a time; bytes of a stream before there is more room.
const MAX_CONCURRENT_STREAMS: u16 = 3;
const INITIAL_WINDOW_SIZE: u16 = 4;
/// What windows begin with.
const WINDOW: i64 = 65_535;
/// Frames of one stream, before the others have their turn.
const TURNS: u32 = 16;
/// Frames of an endless header block are written until this many bytes.
const ENDLESS: u64 = 1 << 30;

/// How long nothing happens before we look whether something was changed from outside.
const LOOK: Duration = Duration::from_millis(20);

struct Connection<'a> {
    server: &'a Arc<Server>,
    session: Session,
    inbox: Vec<u8>,
    decoder: hpack::Decoder,
    streams: BTreeMap<u32, Stream>,
    /// A header block that is not whole yet: its stream, whether the request ends with it, and the block.
    block: Option<(u32, bool, Vec<u8>)>,
    /// What the client takes at the moment on all streams together, and at first on each.
    window: i64,
    first_window: i64,
    /// The newest stream.
    newest: u32,
    /// No further streams are served.
    is_leaving: bool,
    /// PING frames go out all the time.
    pings: bool,
}

/// Serves a connection to its end.
pub fn serve(server: &Arc<Server>, session: Session, number: u64) {
    let mut connection = Connection {
        server,
        session,
        inbox: Vec::new(),
        decoder: hpack::Decoder::new(),
        streams: BTreeMap::new(),
        block: None,
        window: WINDOW,
        first_window: WINDOW,
        newest: 0,
        is_leaving: false,
        pings: false,
    };
    // However it ended, it has.
    let _ = connection.run(number);
    connection.streams.clear();
    connection.session.end();
}

fn wrong(why: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why.into())
}

impl Connection<'_> {
    fn run(&mut self, number: u64) -> io::Result<()> {
        while self.inbox.len() < frame::PREFACE.len() {
            let Some(bytes) = self.session.read()? else { return Ok(()) };
            self.inbox.extend(bytes);
        }
        if !self.inbox.starts_with(frame::PREFACE) {
            return Err(wrong("no preface"));
        }
        self.inbox.drain(..frame::PREFACE.len());
        let streams = self.server.script().number("h2-streams").unwrap_or(STREAMS);
        let mut settings = MAX_CONCURRENT_STREAMS.to_be_bytes().to_vec();
        settings.extend(u32::try_from(streams).unwrap_or(u32::MAX).to_be_bytes());
        self.send(frame::SETTINGS, 0, 0, &settings)?;
        loop {
            self.server.wait_for_thaw();
            loop {
                match Frame::take(&mut self.inbox) {
                    Ok(Some(frame)) => self.take(&frame)?,
                    Ok(None) => break,
                    Err(why) => return self.complain(&why),
                }
            }
            let has_more = self.bring()? | self.ping_on()?;
            if self.is_leaving && self.streams.is_empty() {
                return Ok(());
            }
            self.server.set_idle(number, self.streams.is_empty());
            let comes = self.wait(if has_more { Duration::ZERO } else { LOOK })?;
            if comes && !self.server.is_frozen() {
                match self.session.read()? {
                    Some(bytes) => self.inbox.extend(bytes),
                    None => return Ok(()),
                }
            }
        }
    }

    /// Waits until there is something to do. Says whether the client sent something.
    fn wait(&mut self, most: Duration) -> io::Result<bool> {
        let mut wanted = vec![PollFd::from_borrowed_fd(self.session.descriptor(), PollFlags::IN)];
        let window = self.window;
        for stream in self.streams.values().filter(|stream| stream.wants_more(window)) {
            wanted.push(PollFd::from_borrowed_fd(stream.descriptor(), PollFlags::IN));
        }
        let time = Timespec::try_from(most).map_err(|_| wrong("no time"))?;
        rustix::event::poll(&mut wanted, Some(&time))?;
        Ok(!wanted[0].revents().is_empty())
    }

    fn send(&mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) -> io::Result<()> {
        self.session.write(&frame::frame(kind, flags, stream, payload))
    }

    /// The client did what it must not: the connection ends.
    fn complain(&mut self, why: &str) -> io::Result<()> {
        self.server.stats.complain(format!("HTTP/2: {why}"));
        self.go_away(self.newest, PROTOCOL_ERROR)?;
        Err(wrong(why))
    }

    fn go_away(&mut self, last: u32, code: u32) -> io::Result<()> {
        let payload = [last.to_be_bytes(), code.to_be_bytes()].concat();
        self.send(frame::GOAWAY, 0, 0, &payload)
    }

    fn reset(&mut self, stream: u32, code: u32) -> io::Result<()> {
        self.streams.remove(&stream);
        self.send(frame::RST_STREAM, 0, stream, &code.to_be_bytes())
    }

    fn take(&mut self, frame: &Frame) -> io::Result<()> {
        if self.block.is_some() && frame.kind != frame::CONTINUATION {
            return self.complain("a header block is interrupted");
        }
        match frame.kind {
            frame::HEADERS => {
                self.block = Some((frame.stream, frame.has(frame::END_STREAM), frame.content().to_vec()));
                self.headers_so_far(frame.has(frame::END_HEADERS))
            }
            frame::CONTINUATION => {
                match &mut self.block {
                    Some((stream, _, block)) if *stream == frame.stream => block.extend(&frame.payload),
                    _ => return self.complain("CONTINUATION of nothing"),
                }
                self.headers_so_far(frame.has(frame::END_HEADERS))
            }
            frame::DATA => self.data(frame),
            frame::RST_STREAM => {
                self.server.stats.seen().h2_resets += 1;
                self.streams.remove(&frame.stream);
                Ok(())
            }
            frame::SETTINGS if frame.has(frame::ACK) => Ok(()),
            frame::SETTINGS => {
                for setting in frame.payload.chunks_exact(6) {
                    let value = u32::from_be_bytes([setting[2], setting[3], setting[4], setting[5]]);
                    if u16::from_be_bytes([setting[0], setting[1]]) == INITIAL_WINDOW_SIZE {
                        let more = i64::from(value) - self.first_window;
                        self.first_window = i64::from(value);
                        self.streams.values_mut().for_each(|stream| stream.window += more);
                    }
                }
                self.send(frame::SETTINGS, frame::ACK, 0, &[])
            }
            frame::PING if frame.has(frame::ACK) => Ok(()),
            frame::PING => self.send(frame::PING, frame::ACK, 0, &frame.payload),
            frame::WINDOW_UPDATE => {
                let more = i64::from(frame.number());
                match self.streams.get_mut(&frame.stream) {
                    Some(stream) => stream.window += more,
                    None if frame.stream == 0 => self.window += more,
                    None => {}
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn headers_so_far(&mut self, is_whole: bool) -> io::Result<()> {
        if !is_whole {
            return Ok(());
        }
        let Some((number, is_all, block)) = self.block.take() else { return Ok(()) };
        let Some(fields) = self.decoder.read(&block) else { return self.complain("a broken header block") };
        if self.is_leaving {
            // Said to be one that we do not serve.
            return Ok(());
        }
        if number % 2 == 0 || number <= self.newest {
            return self.complain("a stream that is not one of the client's, or older than another");
        }
        self.newest = number;
        let opened = Stream::open(self.server, fields, self.first_window);
        let mut stream = match opened {
            Ok(stream) => stream,
            Err(why) => return self.complain(&why),
        };
        if is_all {
            stream.request_is_whole();
        }
        self.streams.insert(number, stream);
        let open = self.streams.len() as u64;
        let mut seen = self.server.stats.seen();
        seen.h2_streams += 1;
        seen.h2_max_streams = seen.h2_max_streams.max(open);
        Ok(())
    }

    fn data(&mut self, frame: &Frame) -> io::Result<()> {
        let Ok(length) = u32::try_from(frame.payload.len()) else { return Ok(()) };
        if length > 0 {
            // Read is read: there is room for as much again.
            self.send(frame::WINDOW_UPDATE, 0, 0, &length.to_be_bytes())?;
        }
        let Some(stream) = self.streams.get_mut(&frame.stream) else { return Ok(()) };
        stream.request_body(frame.content());
        if frame.has(frame::END_STREAM) {
            stream.request_is_whole();
        } else if length > 0 {
            self.send(frame::WINDOW_UPDATE, 0, frame.stream, &length.to_be_bytes())?;
        }
        Ok(())
    }

    /// Brings what the server behind has said to the client, from each stream a little. Says whether there may be more.
    fn bring(&mut self) -> io::Result<bool> {
        let mut has_more = false;
        let numbers: Vec<u32> = self.streams.keys().copied().collect();
        for number in numbers {
            for turn in 1..=TURNS {
                has_more |= turn == TURNS;
                let window = self.window;
                let Some(stream) = self.streams.get_mut(&number) else { break };
                match stream.next(window) {
                    Deed::Nothing => break,
                    Deed::Send { kind, flags, payload, is_last } => {
                        if kind == frame::DATA {
                            self.window -= i64::try_from(payload.len()).unwrap_or(0);
                        }
                        self.send(kind, flags, number, &payload)?;
                        if is_last {
                            self.streams.remove(&number);
                        }
                    }
                    Deed::Broken => self.reset(number, INTERNAL_ERROR)?,
                    Deed::Fault(fault) => self.fault(number, &fault)?,
                }
            }
        }
        Ok(has_more)
    }

    /// Frames that mean nothing, once they were asked for. Says whether they were.
    fn ping_on(&mut self) -> io::Result<bool> {
        if self.pings {
            let many = frame::frame(frame::PING, 0, 0, &[0; 8]).repeat(100);
            self.session.write(&many)?;
            self.server.stats.seen().endless_bytes += many.len() as u64;
        }
        Ok(self.pings)
    }

    /// What the fault `h2` of the server behind asks for.
    fn fault(&mut self, number: u32, fault: &str) -> io::Result<()> {
        let (name, argument) = fault.split_once(' ').unwrap_or((fault, ""));
        match name {
            "reset" => self.reset(number, argument.parse().unwrap_or(INTERNAL_ERROR)),
            // This stream and all before it are still answered.
            "goaway" => {
                self.is_leaving = true;
                self.go_away(self.newest, NO_ERROR)
            }
            // This stream was not looked at.
            "goaway-before" => {
                self.is_leaving = true;
                self.streams.retain(|other, _| *other < number);
                self.go_away(number.saturating_sub(2), NO_ERROR)
            }
            "goaway-close" => {
                self.go_away(self.newest, INTERNAL_ERROR)?;
                Err(wrong("as it should"))
            }
            "close" => Err(wrong("as it should")),
            "endless-headers" => {
                let mut block = Vec::new();
                while block.len() + 100 < frame::MOST {
                    hpack::write(&mut block, "x-endless", "0123456789abcdef0123456789abcdef");
                }
                self.send(frame::HEADERS, 0, number, &block)?;
                let mut written = 0;
                while written < ENDLESS {
                    self.send(frame::CONTINUATION, 0, number, &block)?;
                    written += block.len() as u64;
                    self.server.stats.seen().endless_bytes += block.len() as u64;
                }
                Err(wrong("enough"))
            }
            "endless-pings" => {
                self.pings = true;
                self.streams.remove(&number);
                Ok(())
            }
            other => self.complain(&format!("no such fault: {other}")),
        }
    }
}
