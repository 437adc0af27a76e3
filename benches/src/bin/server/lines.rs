//! Standard input and output: one frame a line.

use crate::answer::{Answers, Era, Reply};
use std::fs::File;
use std::io::{IoSlice, Read, Write};

/// As much as a pipe holds unless it is enlarged: a full pipe is emptied by one `read`.
const READ: usize = 64 * 1024;

pub fn serve(era: Era, input: &File, output: &File) -> std::io::Result<()> {
    let mut lines = Lines::new(era);
    while lines.serve(input, output)? {}
    Ok(())
}

/// What was read of one stream, and the answers to it.
pub struct Lines {
    answers: Answers,
    buffer: Vec<u8>,
    filled: usize,
    out: Vec<u8>,
}

impl Lines {
    pub fn new(era: Era) -> Self {
        let (buffer, out) = (vec![0; READ], Vec::with_capacity(READ));
        Self { answers: Answers::new(era), buffer, filled: 0, out }
    }

    /// Answers what one `read` gives. Whether there was anything.
    pub fn serve(&mut self, mut input: &File, mut output: &File) -> std::io::Result<bool> {
        let Self { answers, buffer, filled, out } = self;
        if *filled == buffer.len() {
            buffer.resize(buffer.len() * 2, 0);
        }
        let count = input.read(&mut buffer[*filled..])?;
        if count == 0 {
            return Ok(false);
        }
        *filled += count;
        let mut done = 0;
        while let Some(length) = memchr::memchr(b'\n', &buffer[done..*filled]) {
            let frame = &buffer[done..done + length];
            done += length + 1;
            if let Reply::Body(tail) = answers.answer(frame, out) {
                // The prebuilt text is never copied: head, text and tail leave in one system call as far as
                // they fit.
                write_all(
                    output,
                    &mut [IoSlice::new(out), IoSlice::new(answers.body()), IoSlice::new(tail)],
                )?;
                out.clear();
            }
        }
        buffer.copy_within(done..*filled, 0);
        *filled -= done;
        if !out.is_empty() {
            output.write_all(out)?;
            out.clear();
        }
        Ok(true)
    }
}

fn write_all(mut output: &File, mut parts: &mut [IoSlice<'_>]) -> std::io::Result<()> {
    while !parts.is_empty() {
        let written = output.write_vectored(parts)?;
        IoSlice::advance_slices(&mut parts, written);
    }
    Ok(())
}
