//! The neutral server that every contender talks to: it does as little as a server can, so that what is
//! measured is the client. It reads as many requests as one `read` gives, answers them with one `write`, and
//! knows no more of JSON than where to find the few values it needs (`request.rs`). It adds no delay and
//! keeps no state between requests.
//!
//! `mcp-bench-server [--era legacy|modern] [--http json|sse|json-parts|sse-bytes]`: standard input and output, one frame a line; or
//! HTTP on a port of its own choice, whose URL it prints. Either way it ends with its input.

mod answer;
mod http;
mod lines;
mod request;

use answer::Era;
use std::fs::File;
use std::os::fd::AsFd;

const USAGE: &str = "usage: mcp-bench-server [--era legacy|modern] [--http json|sse|json-parts|sse-bytes]";

fn main() -> std::io::Result<()> {
    let mut era = Era::Legacy;
    let mut http = None;
    let words: Vec<String> = std::env::args().skip(1).collect();
    for pair in words.chunks(2) {
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
    match http {
        None => lines::serve(era, input, output),
        Some((form, pace)) => http::serve(era, form, pace, input, output),
    }
}
