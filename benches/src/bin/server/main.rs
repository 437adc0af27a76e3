//! The neutral server that every contender talks to: it does as little as a server can, so that what is
//! measured is the client. It reads as many requests as one `read` gives, answers them with one `write`, and
//! knows no more of JSON than where to find the few values it needs (`request.rs`). It adds no delay and
//! keeps no state between requests.
//!
//! `mcp-bench-server [--era legacy|modern] [--http json|sse|json-parts|sse-bytes|--socket PATH]`: standard input and output, one frame
//! a line; or HTTP on a port of its own choice, whose URL it prints; or a Unix socket, each connection like the standard streams, of
//! which it prints that it listens. In any case it ends with its input.

mod answer;
mod http;
mod lines;
mod request;
mod sockets;

use answer::Era;
use std::fs::File;
use std::os::fd::AsFd;

const USAGE: &str =
    "usage: mcp-bench-server [--era legacy|modern] [--http json|sse|json-parts|sse-bytes|--socket PATH]";

fn main() -> std::io::Result<()> {
    let mut era = Era::Legacy;
    let mut http = None;
    let mut socket = None;
    let words: Vec<String> = std::env::args().skip(1).collect();
    for pair in words.chunks(2) {
        if let [option, path] = pair
            && option == "--socket"
        {
            socket = Some(path.as_str());
            continue;
        }
        match pair.join(" ").as_str() {
            "--era legacy" => era = Era::Legacy,
            "--era modern" => era = Era::Modern,
            "--http json" => http = Some((http::Form::Json, http::Pace::Whole)),
            "--http sse" => http = Some((http::Form::EventStream, http::Pace::Whole)),
            "--http json-parts" => http = Some((http::Form::Json, http::Pace::Parts)),
            "--http sse-bytes" => http = Some((http::Form::EventStream, http::Pace::Bytes)),
            other => {
                eprintln!("{USAGE} (not: {other})");
                std::process::exit(2);
            }
        }
    }
    // The standard handles buffer and lock; the bare descriptors do neither.
    let input = File::from(std::io::stdin().as_fd().try_clone_to_owned()?);
    let output = File::from(std::io::stdout().as_fd().try_clone_to_owned()?);
    match (http, socket) {
        (_, Some(path)) => sockets::serve(era, path, &input, &output),
        (Some((form, pace)), None) => http::serve(era, form, pace, input, output),
        (None, None) => lines::serve(era, &input, &output),
    }
}
