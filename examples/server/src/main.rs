//! A small MCP server over stdio that speaks both eras: the legacy `initialize` handshake and the modern
//! per-request metadata. The demo and the tests of libmcp run against it, and a reader may take it as an example of
//! what an MCP server does.
//!
//! How a message flows: [`framing`] cuts one frame out of stdin, [`server`] decides its era and turns it into effects
//! without any I/O, and this file carries the effects out. [`clock`] is the only other thread: it sends what is due
//! later, so that a slow tool delays no other call.
//!
//! It shares no code with the client library, so that both cannot be wrong in the same way.

mod ask;
mod catalog;
mod clock;
mod framing;
mod legacy;
mod modern;
mod options;
mod paging;
mod protocol;
mod server;
#[cfg(test)]
mod server_tests;
mod tasks;
mod tools;

use std::process::ExitCode;
use std::sync::Arc;

use clock::Clock;
use framing::{Incoming, Input, Output};
use options::Command;
use server::{Effect, Server};

fn main() -> ExitCode {
    let options = match options::read(std::env::args().skip(1)) {
        Ok(Command::Serve(options)) => options,
        Ok(Command::Say(text)) => {
            println!("{text}");
            return ExitCode::SUCCESS;
        }
        Err(complaint) => {
            eprintln!("mcp-example-server: {complaint}\n{}", options::USAGE);
            return ExitCode::from(2);
        }
    };
    eprintln!(
        "mcp-example-server {} ready: pid {}, era {}, framing {}",
        env!("CARGO_PKG_VERSION"),
        std::process::id(),
        options.era,
        options.framing
    );
    match serve(&options) {
        Ok(code) => ExitCode::from(code),
        // The client is gone: there is no client left to serve and nothing to report.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("mcp-example-server: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Reads frames until stdin ends, which is how a client says goodbye.
fn serve(options: &options::Options) -> std::io::Result<u8> {
    let mut input = Input::new(std::io::stdin().lock(), options.framing);
    let output = Arc::new(Output::new(std::io::stdout(), options.framing));
    let clock = Clock::start(Arc::clone(&output));
    let mut server = Server::new(options.era, options.page_size);

    loop {
        // Answers to frames that are already here leave in one write; nothing waits while we block.
        if !input.has_frame_ready() {
            output.flush()?;
        }
        let effects = match input.read()? {
            Incoming::Frame(frame) => server.receive(&frame),
            Incoming::TooLong => server::frame_too_long(),
            Incoming::End => {
                for effect in server.farewell() {
                    if let Effect::Send(message) = effect {
                        output.send(&message)?;
                    }
                }
                output.flush()?;
                return Ok(0);
            }
        };
        for effect in effects {
            match effect {
                Effect::Send(message) => output.send(&message)?,
                Effect::Later { id, frames } => clock.schedule(&id, frames),
                Effect::Cancel(id) => clock.cancel(&id),
                Effect::Exit(code) => {
                    output.flush()?;
                    return Ok(code);
                }
            }
        }
    }
}
