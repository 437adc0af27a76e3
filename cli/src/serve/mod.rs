//! `mcp serve`: programs as tools, folders as resources, prompts and skills, from a file that describes them.
//!
//! One thread takes the requests of clients; each call of a tool runs on a thread of its own, of which there are as many as
//! programs may run.
//!
//! The files:
//!
//! * `arguments`: arguments as values, while they are looked at
//! * `calls`: `Calls`: the calls whose programs run, and those that wait for their turn
//! * `description`: `Description`: what is in the file
//! * `file`: the file of a resource
//! * `openapi`: the operations of an API as tools
//! * `yaml`: YAML as JSON values
//! * `placeholders`: arguments of a call in texts of the file
//! * `program`: the program of one call: its start, its bounds, its end
//! * `turns`: `Turns`: whose program runs next

mod arguments;
mod calls;
mod description;
mod file;
mod openapi;
mod placeholders;
mod program;
mod turns;
mod yaml;

pub use self::yaml::read as read_yaml;

use self::calls::{Call, Calls};
use self::description::{Description, Prompt, Resource, Tool, object};
use crate::arguments::{Common, Serve};
use crate::failure::Failure;
use crate::listen::{self, Ending};
use crate::ordered::Gathered;
use crate::output::{Screen, counted, one_line};
use crate::store;
use crate::target::set;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mcp::client::json_text::{member, string};
use mcp::client::names::{INTERNAL_ERROR, INVALID_PARAMS};
use mcp::client::{Kind, Message, Overflow, Polled, Queue, QueueLimits, poll_queue};
use mcp::server::{Entry, Handler, Request, Server};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::iter::once;
use std::sync::Arc;

/// Requests that may wait.
const QUEUE: QueueLimits = QueueLimits { messages: 10_000, bytes: 64 << 20, overflow: Overflow::DropOldest };

/// Runs the command.
pub fn serve(screen: Screen, common: &Common, serve: &Serve) -> Result<(), Failure> {
    let description = match (&serve.openapi, &serve.file) {
        (Some(path), _) => openapi::read(path, serve.base.as_deref(), &serve.credentials)?,
        (None, Some(file)) => description::read(file)?,
        (None, None) => return Err(Failure::usage("give a FILE, or --openapi FILE")),
    };
    let queue = Queue::new(QUEUE);
    let mut shared = store::shared(&serve.listen, &description.name, &common.set)?;
    if serve.listen.state_keys.is_some() {
        // A program keeps nothing for a session: any process goes on with one of older revisions.
        shared.insert("session_names".to_owned(), "sealed".into());
    }
    if let Some(auth) = listen::authorization(&serve.listen)? {
        shared.insert("auth".to_owned(), auth);
    }
    store::log_of(&serve.listen, common.verbose);
    let server =
        Arc::new(offered(&description, &common.set, shared, listen::end_times(&serve.listen), &queue)?);
    if serve.check {
        let Description { tools, resources, prompts, skills, .. } = &description;
        let text = format!(
            "{}: {}, {}, {}, {} of skills\n",
            one_line(&description.name),
            counted(tools.len(), "tool"),
            counted(resources.len(), "resource"),
            counted(prompts.len(), "prompt"),
            counted(skills.len(), "folder")
        );
        return screen.write(text);
    }
    listen::watch_signals(&queue)?;
    listen::serve(screen, &server, &serve.listen)?;
    let tools: HashMap<String, Arc<Tool>> =
        description.tools.into_iter().map(|tool| (tool.name.clone(), Arc::new(tool))).collect();
    let prompts: HashMap<String, Prompt> =
        description.prompts.into_iter().map(|prompt| (prompt.name.clone(), prompt)).collect();
    let files: HashMap<String, Resource> = description
        .resources
        .into_iter()
        .filter(|resource| resource.file.is_some())
        .map(|resource| (resource.uri.clone(), resource))
        .collect();
    let calls = Calls::new();
    let mut ending = Ending::default();
    while !ending.is_over(&server, &queue) {
        match poll_queue(&queue, None) {
            Polled::Message(message) => match message.kind() {
                Kind::Request => requested(message, &tools, &prompts, &files, &calls),
                Kind::Notification if message.method() == Some("notifications/cancelled") => {
                    calls.cancel(message.call());
                }
                Kind::State => break,
                _ => {}
            },
            Polled::Closed => break,
            Polled::Empty | Polled::Woken => {}
        }
    }
    // Their programs end with them.
    let waiting = calls.end();
    // What waited is refused with the others.
    ending.finish(&server);
    drop(waiting);
    calls.wait_for_end();
    Ok(())
}

/// The server with all that the file describes.
fn offered(
    description: &Description,
    settings: &[String],
    shared: Map<String, Value>,
    end_times: impl Iterator<Item = (&'static str, Value)>,
    queue: &Arc<Queue>,
) -> Result<Server, Failure> {
    // Each program has a time of its own.
    let times = once(("request_ms", 0.into())).chain(end_times);
    let mut config = object([
        ("name", Some(description.name.as_str().into())),
        ("checks", Some(json!({"arguments": true}))),
        ("timeouts", Some(Value::Object(times.map(|(key, time)| (key.to_owned(), time)).gathered()))),
    ]);
    for (key, text) in [
        ("version", &description.version),
        ("title", &description.title),
        ("instructions", &description.instructions),
    ] {
        if let Some(text) = text {
            config.insert(key.to_owned(), text.as_str().into());
        }
    }
    config.extend(shared);
    for setting in settings {
        set(&mut config, setting)?;
    }
    let server = Server::new(&Value::Object(config).to_string(), Some(Arc::clone(queue)))?;
    for tool in &description.tools {
        server
            .add(Entry::Tool, &definition(tool), Handler::queue())
            .map_err(|error| of("tool", &tool.name, &error))?;
    }
    for resource in &description.resources {
        add_resource(&server, resource).map_err(|error| of("resource", &resource.name, &error))?;
    }
    for prompt in &description.prompts {
        let arguments: Vec<Value> = prompt
            .arguments
            .iter()
            .map(|it| {
                let described = it.description.as_deref().map(Value::from);
                let required = it.required.then_some(true.into());
                let members = [
                    ("name", Some(it.name.as_str().into())),
                    ("description", described),
                    ("required", required),
                ];
                Value::Object(object(members))
            })
            .collect();
        let definition = object([
            ("name", Some(prompt.name.as_str().into())),
            ("title", prompt.title.as_deref().map(Value::from)),
            ("description", prompt.description.as_deref().map(Value::from)),
            ("arguments", Some(arguments.into())),
        ]);
        server
            .add(Entry::Prompt, &Value::Object(definition).to_string(), Handler::queue())
            .map_err(|error| of("prompt", &prompt.name, &error))?;
    }
    for folder in &description.skills {
        let path = folder.display().to_string();
        server.add_skills(&path, None).map_err(|error| of("folder of skills", &path, &error))?;
    }
    Ok(server)
}

fn of(what: &str, name: &str, error: &mcp::client::Error) -> Failure {
    Failure::usage(format!("the {what} '{name}': {}", error.message))
}

/// The definition of a tool for clients.
fn definition(tool: &Tool) -> String {
    let anything = || json!({"type": "object"});
    let members = object([
        ("name", Some(tool.name.as_str().into())),
        ("title", tool.title.as_deref().map(Value::from)),
        ("description", tool.description.as_deref().map(Value::from)),
        ("inputSchema", Some(tool.input_schema.clone().unwrap_or_else(anything))),
        ("outputSchema", tool.output_schema.clone()),
        ("annotations", tool.annotations.clone()),
    ]);
    Value::Object(members).to_string()
}

fn add_resource(server: &Server, resource: &Resource) -> Result<(), mcp::client::Error> {
    let key = if resource.folder.is_some() { "uriTemplate" } else { "uri" };
    let definition = object([
        ("name", Some(resource.name.as_str().into())),
        (key, Some(resource.uri.as_str().into())),
        ("title", resource.title.as_deref().map(Value::from)),
        ("description", resource.description.as_deref().map(Value::from)),
        ("mimeType", resource.mime_type.as_deref().map(Value::from)),
    ]);
    let definition = Value::Object(definition).to_string();
    match (&resource.folder, &resource.text) {
        (Some(folder), _) => server.add_folder(&definition, &folder.display().to_string()),
        (None, Some(text)) => server.add_fixed(&definition, Some(text), &[]),
        (None, None) => server.add(Entry::Resource, &definition, Handler::queue()),
    }
}

/// A request of a client.
fn requested(
    message: Message,
    tools: &HashMap<String, Arc<Tool>>,
    prompts: &HashMap<String, Prompt>,
    files: &HashMap<String, Resource>,
    calls: &Arc<Calls>,
) {
    let Some(request) = Request::of(&message) else { return };
    let params = message.json();
    let name = |key: &str| member(params, key).and_then(string).unwrap_or_default();
    let answered = match message.method().unwrap_or_default() {
        "tools/call" => match tools.get(&*name("name")) {
            Some(tool) => {
                let tool = Arc::clone(tool);
                return calls.begin(Call { tool, message: Arc::new(message), request });
            }
            None => request.respond_not_found(),
        },
        "prompts/get" => match prompts.get(&*name("name")) {
            Some(prompt) => match arguments::read(params, |arguments| prompt_result(prompt, arguments)) {
                Ok(result) => request.respond(&result.to_string()),
                Err(why) => request.respond_error(INVALID_PARAMS, &why, None),
            },
            None => request.respond_not_found(),
        },
        "resources/read" => match files.get(&*name("uri")) {
            Some(resource) => read_file(resource, &request),
            None => request.respond_not_found(),
        },
        _ => request.respond_not_found(),
    };
    told(answered);
}

/// An answer that was refused is known to the client as an internal error; the person learns why.
fn told(answered: Result<(), mcp::client::Error>) {
    if let Err(error) = answered
        && error.status == mcp::client::Status::InvalidArgument
    {
        Screen::said(one_line(&error.message));
    }
}

fn prompt_result(prompt: &Prompt, arguments: &Map<String, Value>) -> Result<Value, String> {
    // An optional argument that is not given is nothing.
    let mut all: Map<String, Value> =
        prompt.arguments.iter().map(|argument| (argument.name.clone(), Value::from(""))).gathered();
    all.extend(arguments.clone());
    let message = |role: &str, text: &str| {
        let text = placeholders::filled(text, &all)?
            .ok_or("the prompt names an argument that it does not declare")?;
        Ok(json!({"role": role, "content": {"type": "text", "text": text}}))
    };
    let messages = match &prompt.text {
        Some(text) => vec![message("user", text)?],
        None => {
            prompt.messages.iter().map(|it| message(&it.role, &it.text)).collect::<Result<_, String>>()?
        }
    };
    Ok(json!({ "messages": messages }))
}

fn read_file(resource: &Resource, request: &Request) -> Result<(), mcp::client::Error> {
    let Some(path) = &resource.file else { return request.respond_not_found() };
    let bytes = match file::read(path) {
        Ok(bytes) => bytes,
        Err(Some(why)) => return request.respond_error(INTERNAL_ERROR, &why, None),
        Err(None) => return request.respond_not_found(),
    };
    let mut contents = json!({ "uri": resource.uri });
    if let Some(mime) = &resource.mime_type {
        contents["mimeType"] = mime.as_str().into();
    }
    match String::from_utf8(bytes) {
        Ok(text) => contents["text"] = text.into(),
        Err(bytes) => contents["blob"] = STANDARD.encode(bytes.into_bytes()).into(),
    }
    request.respond(&json!({ "contents": [contents] }).to_string())
}
