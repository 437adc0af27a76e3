// Calls tools of two servers through generated functions: live EXAMPLE EVERYTHING…; without arguments those of the broker at MCP_SOCKET.
#[path = "../chosen/mod.rs"]
mod chosen;
#[path = "../everything/mod.rs"]
mod everything;
#[path = "../example/mod.rs"]
mod example;

use mcp::client::Client;
use serde_json::json;
use std::error::Error;

fn connected(config: serde_json::Value) -> Result<Client, Box<dyn Error>> {
    let client = Client::new(&config.to_string(), None).map_err(|error| format!("{error:?}"))?;
    client.connect(None).map_err(|error| format!("{error:?}"))?;
    Ok(client)
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let client = connected(match words.first() {
        Some(command) => json!({"command": command}),
        None => json!({"socket": std::env::var("MCP_SOCKET")?}),
    })?;
    println!("add {}", example::add(&client, &example::AddArguments::new(1.5, 2.0))?.sum);
    let said = example::echo(&client, &example::EchoArguments::new("Hello"))?;
    println!("echo {}", example::support::text(&said));
    println!("parsed {}", chosen::parsed(&client, &chosen::ParsedArguments::new(r#"{"n":7}"#))?.n);
    if let Err(error) = example::fail(&client) {
        println!("fail {error}");
    }
    if let [_, command, args @ ..] = &words[..] {
        let other = connected(json!({"command": command, "args": args}))?;
        let said = everything::echo(&other, &everything::EchoArguments::new("Hello"))?;
        println!("everything {}", everything::support::text(&said));
    }
    Ok(())
}
