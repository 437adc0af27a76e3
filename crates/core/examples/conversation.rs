//! A client and a server in memory: the client's engine calls a tool of the server's engine. No socket, no thread; the clock is read
//! once, and would stand still for all that the engines care.
//!
//! `cargo run -p mcp-core --example conversation`

use mcp_core::engine::seal::KeyRing;
use mcp_core::engine::server::{self, Now, Outcome, Server, SessionId, Stream};
use mcp_core::engine::{CallOptions, CallRequest, Effect, Engine, Settings};
use mcp_core::protocol::Params;
use std::error::Error;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

const TOOL: &str = r#"{"name":"greet","description":"Greets a person.",
    "inputSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}"#;

fn main() -> Result<(), Box<dyn Error>> {
    let unix = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    let now = Now { at: Instant::now(), unix };

    // The server. What it seals for its clients needs random bits; this one seals nothing.
    let keys = KeyRing::new(vec![[0; 32]], Box::new(|_| false)).ok_or("no key")?;
    let mut server = Server::new(server::Settings::new("greeter", "1.0"), keys);
    server.add_tool(now, TOOL, "greet").map_err(|invalid| format!("{invalid:?}"))?;
    let session = server.open(false).ok_or("no room for a session")?;

    // The client: one call, whose number comes back with the outcome.
    let mut client = Engine::new(Settings::default());
    let params = Params::check(r#"{"name":"greet","arguments":{"name":"Ada"}}"#, 8)
        .map_err(|why| format!("{why:?}"))?;
    let options = CallOptions::default();
    let call =
        CallRequest { method: "tools/call", params: Some(params), options: &options, ticket: 1, tag: 0 };
    client.call(now.at, call).map_err(|error| format!("{error:?}"))?;

    // A driver takes the effects of an engine, one after another, and carries them out.
    loop {
        match client.effect().ok_or("the conversation came to a stop")? {
            Effect::Open { generation, .. } => client.opened(now.at, generation),
            Effect::Send { frame, .. } => {
                println!("client: {}", String::from_utf8_lossy(&frame.text));
                for answer in served(&mut server, now, session, &frame.text)? {
                    println!("server: {}", String::from_utf8_lossy(&answer));
                    let generation = client.generation();
                    client.frame_on(now.at, generation, None, answer);
                }
            }
            Effect::Complete { ticket, reply, .. } => {
                let body = reply.map_err(|error| format!("call {ticket} failed: {error:?}"))?;
                println!(
                    "call {ticket}: {}",
                    String::from_utf8_lossy(&body.frame[body.json.start..body.json.end])
                );
                return Ok(());
            }
            _ => {}
        }
    }
}

/// Gives the server a frame, runs the handlers that it asks for, and returns what it sends.
fn served(
    server: &mut Server<&'static str>,
    now: Now,
    session: SessionId,
    frame: &[u8],
) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let mut sent = Vec::new();
    server.frame(now, Stream { session, number: 0 }, frame);
    while let Some(effect) = server.effect() {
        match effect {
            server::Effect::Send { frame, .. } => sent.push(frame),
            server::Effect::Run(run) => {
                if let Some(check) = &run.check
                    && !server.arguments_checked(now, run.request, check.run(&run.params))
                {
                    continue;
                }
                let params: serde_json::Value = serde_json::from_str(&run.params)?;
                let name = params["arguments"]["name"].as_str().unwrap_or("stranger");
                let _ = server.respond(now, run.request, Outcome::Text(&format!("Hello, {name}!")));
            }
            _ => {}
        }
    }
    Ok(sent)
}
