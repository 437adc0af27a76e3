//! A server that greets, over the standard streams.

use mcp::server::{Entry, Handler, Request, Server};
use serde_json::{Value, json};
use std::error::Error;
use std::sync::Arc;

fn server() -> Result<Server, Box<dyn Error>> {
    let server = Server::new(&json!({"name": "{{name}}", "version": "0.1.0"}).to_string(), None)?;
    let greet = json!({
        "name": "greet", "description": "Greets a person by name",
        "inputSchema": {
            "type": "object", "properties": {"name": {"type": "string", "description": "Who is greeted"}},
            "required": ["name"], "additionalProperties": false,
        },
    });
    // The library has checked the arguments against the schema.
    let on_greet = Handler::function(Arc::new(|message| {
        let Some(request) = Request::of(&message) else { return };
        let params: Value = serde_json::from_str(message.json()).unwrap_or_default();
        let name = params["arguments"]["name"].as_str().unwrap_or_default();
        // A client that has given up needs no answer.
        let _over = request.respond_text(&format!("Hello, {name}!"), false);
    }));
    server.add(Entry::Tool, &greet.to_string(), on_greet)?;
    let about = json!({"name": "about", "description": "What this server is", "uri": "about://{{name}}", "mimeType": "text/plain"});
    server.add_fixed(&about.to_string(), Some("A server that greets."), &[])?;
    Ok(server)
}

fn main() -> Result<(), Box<dyn Error>> {
    let server = server()?;
    server.serve(r#"{"stdio": true}"#)?;
    server.run(None); // until the client closes our standard input
    Ok(())
}
