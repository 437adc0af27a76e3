//! The server as a client starts it.

use mcp::client::{Client, Status};
use serde_json::{Value, json};

#[test]
fn it_greets_and_says_what_it_is() {
    let config = json!({"command": env!("CARGO_BIN_EXE_{{name}}")});
    let client = Client::new(&config.to_string(), None).expect("a client");
    let call = |method: &str, params: Value| {
        let reply = client.call(method, Some(&params.to_string()), None);
        assert_eq!(reply.status(), Status::Ok, "{}", reply.json());
        reply.json().to_owned()
    };
    let said = call("tools/call", json!({"name": "greet", "arguments": {"name": "Ada"}}));
    assert!(said.contains("Hello, Ada!"), "{said}");
    let about = call("resources/read", json!({"uri": "about://{{name}}"}));
    assert!(about.contains("A server that greets."), "{about}");
}
