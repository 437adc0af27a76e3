//! The neutral server that every contender talks to: it does as little as a server can, so that what is
//! measured is the client. It reads as many requests as one `read` gives, answers them with one `write`, and
//! knows no more of JSON than where to find the few values it needs (`request.rs`). It adds no delay and
//! keeps no state between requests.
//!
//! `mcp-bench-server [--era legacy|modern]`: standard input and output, one frame a line. It ends with its input.

mod answer;
mod request;

use answer::{Answers, Era, Reply};
use std::fs::File;
use std::io::{IoSlice, Read, Write};
use std::os::fd::AsFd;

/// As much as a pipe holds unless somebody enlarges it: a full pipe is emptied by one `read`.
const READ: usize = 64 * 1024;

fn main() -> std::io::Result<()> {
    let era = match std::env::args().skip(1).collect::<Vec<_>>().join(" ").as_str() {
        "" | "--era legacy" => Era::Legacy,
        "--era modern" => Era::Modern,
        other => {
            eprintln!("usage: mcp-bench-server [--era legacy|modern] (not: {other})");
            std::process::exit(2);
        }
    };
    // The standard handles buffer and lock; the bare descriptors do neither.
    let input = File::from(std::io::stdin().as_fd().try_clone_to_owned()?);
    let output = File::from(std::io::stdout().as_fd().try_clone_to_owned()?);
    serve(era, input, output)
}

fn serve(era: Era, mut input: File, mut output: File) -> std::io::Result<()> {
    let mut answers = Answers::new(era);
    let mut buffer = vec![0; READ];
    let mut filled = 0;
    let mut out = Vec::with_capacity(READ);
    loop {
        if filled == buffer.len() {
            buffer.resize(buffer.len() * 2, 0);
        }
        let count = input.read(&mut buffer[filled..])?;
        if count == 0 {
            return Ok(());
        }
        filled += count;
        let mut done = 0;
        while let Some(length) = memchr::memchr(b'\n', &buffer[done..filled]) {
            let frame = &buffer[done..done + length];
            done += length + 1;
            if let Reply::Body(tail) = answers.answer(frame, &mut out) {
                // The prebuilt text is never copied: head, text and tail leave in one system call as far as
                // they fit.
                write_all(
                    &mut output,
                    &mut [IoSlice::new(&out), IoSlice::new(answers.body()), IoSlice::new(tail)],
                )?;
                out.clear();
            }
        }
        buffer.copy_within(done..filled, 0);
        filled -= done;
        if !out.is_empty() {
            output.write_all(&out)?;
            out.clear();
        }
    }
}

fn write_all(output: &mut File, mut parts: &mut [IoSlice<'_>]) -> std::io::Result<()> {
    while !parts.is_empty() {
        let written = output.write_vectored(parts)?;
        IoSlice::advance_slices(&mut parts, written);
    }
    Ok(())
}
