//! 1,000 streams of `subscriptions/listen` that are told of one change: how long it takes, what it costs the server, and
//! into how many pieces the notice of a stream was written, counted by the kernel on the side of the client.

use super::running::{ANSWER, Running, Server, call_of, request};
use crate::os;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

const STREAMS: usize = 1000;
const CHANGES: usize = 20;
const NOTICE: &str = "notifications/tools/list_changed";

/// Opens the streams of one server, and changes its list of tools again and again.
pub fn bench(server: &Server) -> Result<(), String> {
    let running = Running::start(server)?;
    let params = "\"notifications\":{\"toolsListChanged\":true}";
    let (body, headers) = call_of(&running, "modern", "subscriptions/listen", None, params)?;
    let asked = request(&running, &body, &headers);
    let mut streams = Vec::with_capacity(STREAMS);
    for number in 0..STREAMS {
        let opened = || -> std::io::Result<TcpStream> {
            let mut stream = TcpStream::connect(running.authority())?;
            stream.set_read_timeout(Some(ANSWER))?;
            stream.write_all(asked.as_bytes())?;
            read_until(&mut stream, "notifications/subscriptions/acknowledged")?;
            Ok(stream)
        };
        streams.push(opened().map_err(|error| format!("stream {number}: {error}"))?);
    }
    let memory = running.memory_kib();
    let (body, headers) = call_of(&running, "modern", "tools/call", Some("grow"), "\"name\":\"grow\"")?;
    let change = request(&running, &body, &headers);
    let (mut times, mut costs, mut pieces) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..CHANGES {
        let mut changed = || -> std::io::Result<(Duration, u64)> {
            let before: u64 = streams.iter().map(|stream| os::data_segments_in(stream).unwrap_or(0)).sum();
            let mut caller = TcpStream::connect(running.authority())?;
            caller.set_read_timeout(Some(ANSWER))?;
            let begin = Instant::now();
            caller.write_all(change.as_bytes())?;
            read_until(&mut caller, "grown")?;
            for stream in &mut streams {
                read_until(stream, NOTICE)?;
            }
            let taken = begin.elapsed();
            let after: u64 = streams.iter().map(|stream| os::data_segments_in(stream).unwrap_or(0)).sum();
            Ok((taken, after - before))
        };
        let cpu = || os::cpu_ns(running.child.id()).unwrap_or(0);
        let cpu_before = cpu();
        let (taken, segments) = changed().map_err(|error| format!("change {number}: {error}"))?;
        costs.push((cpu() - cpu_before) as f64 / 1e3 / STREAMS as f64);
        times.push(taken.as_secs_f64() * 1e3);
        pieces.push(segments as f64 / STREAMS as f64);
    }
    println!(
        "\n{STREAMS} streams, {CHANGES} changes: {memory} KiB of memory, {:.1} ms until the last one has heard, \
         {:.2} us of the server's CPU a stream, {:.3} pieces a notice (at most {:.3})",
        super::median(&times),
        super::median(&costs),
        super::median(&pieces),
        pieces.iter().copied().fold(f64::NAN, f64::max),
    );
    running.end();
    Ok(())
}

/// Reads until what was read has this text in it.
fn read_until(stream: &mut TcpStream, text: &str) -> std::io::Result<()> {
    let mut read = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let count = stream.read(&mut piece)?;
        if count == 0 {
            let rest = String::from_utf8_lossy(&read).into_owned();
            return Err(std::io::Error::other(format!("ended before {text}: {rest}")));
        }
        read.extend_from_slice(&piece[..count]);
        if read.windows(text.len()).any(|window| window == text.as_bytes()) {
            return Ok(());
        }
    }
}
