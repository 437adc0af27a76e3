//! `mcp serve`: programs as tools, folders as resources, prompts and skills, from a file that describes them.
//!
//! One thread takes the requests of clients; each call of a tool runs on a thread of its own, of which there are as many as the
//! server takes requests.
//!
//! The files:
//!
//! * `description`: `Description`: what is in the file
//! * `file`: the file of a resource
//! * `yaml`: YAML as JSON values
//! * `placeholders`: arguments of a call in texts of the file
//! * `program`: the program of one call: its start, its bounds, its end

mod description;
mod file;
mod placeholders;
mod program;
mod yaml;

use self::description::{Description, Prompt, Resource, Tool, object};
use self::program::{End, Happening};
use crate::arguments::Serve;
use crate::failure::Failure;
use crate::listen::{self, STOP};
use crate::output::{Screen, one_line};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mcp::client::names::{INTERNAL_ERROR, INVALID_PARAMS};
use mcp::client::{Kind, Message, Overflow, Polled, Queue, QueueLimits, poll_queue};
use mcp::server::{Entry, Handler, Request, Server};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

/// Requests that may wait.
const QUEUE: QueueLimits = QueueLimits { messages: 10_000, bytes: 64 << 20, overflow: Overflow::DropOldest };
/// Programs that run at one time; of one client.
const AT_ONCE: usize = 64;
const OF_A_CLIENT: usize = 32;
/// What the text of errors in a result has at most.
const SHOWN_ERRORS: usize = 4096;

/// The programs that run, by the numbers of their requests.
type Running = Arc<Mutex<HashMap<u64, Sender<Happening>>>>;

/// Runs the command.
pub fn serve(screen: Screen, serve: &Serve) -> Result<(), Failure> {
    let description = description::read(&serve.file)?;
    let queue = Queue::new(QUEUE);
    let server = offered(&description, listen::authorization(&serve.listen)?, &queue)?;
    if serve.check {
        let Description { tools, resources, prompts, skills, .. } = &description;
        let counts = [tools.len(), resources.len(), prompts.len(), skills.len()];
        let [tools, resources, prompts, skills] = counts;
        let text = format!(
            "{}: {tools} tools, {resources} resources, {prompts} prompts, {skills} folders of skills\n",
            one_line(&description.name)
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
    let running = Running::default();
    while !STOP.load(Ordering::Relaxed) {
        match poll_queue(&queue, None) {
            Polled::Message(message) => match message.kind() {
                Kind::Request => requested(message, &tools, &prompts, &files, &running),
                Kind::Notification if message.method() == Some("notifications/cancelled") => {
                    cancel(&running, message.call());
                }
                Kind::State => break,
                _ => {}
            },
            Polled::Closed => break,
            Polled::Empty | Polled::Woken => {}
        }
    }
    // Their programs end with them.
    for sender in locked(&running).values() {
        let _is_heard = sender.send(Happening::Cancelled);
    }
    // What a client has not read by then it does not get.
    let _flushed = server.close(None);
    wait_for_end(&running);
    Ok(())
}

fn locked(running: &Running) -> std::sync::MutexGuard<'_, HashMap<u64, Sender<Happening>>> {
    running.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A program that was asked to end is killed after a time; this thread waits as long.
fn wait_for_end(running: &Running) {
    let until = std::time::Instant::now() + std::time::Duration::from_secs(5);
    while !locked(running).is_empty() && std::time::Instant::now() < until {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

fn cancel(running: &Running, request: u64) {
    if let Some(sender) = locked(running).get(&request) {
        let _is_heard = sender.send(Happening::Cancelled);
    }
}

/// The server with all that the file describes.
fn offered(description: &Description, auth: Option<Value>, queue: &Arc<Queue>) -> Result<Server, Failure> {
    let mut config = json!({
        "name": description.name,
        "checks": {"arguments": true},
        // Each program has a time of its own.
        "timeouts": {"request_ms": 0},
        "limits": {"session_requests": OF_A_CLIENT, "requests": AT_ONCE},
    });
    for (key, text) in [
        ("version", &description.version),
        ("title", &description.title),
        ("instructions", &description.instructions),
    ] {
        if let Some(text) = text {
            config[key] = text.as_str().into();
        }
    }
    if let Some(auth) = auth {
        config["auth"] = auth;
    }
    let server = Server::new(&config.to_string(), Some(Arc::clone(queue)))?;
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
    running: &Running,
) {
    let Some(request) = Request::of(&message) else { return };
    let params: Map<String, Value> = serde_json::from_str(message.json()).unwrap_or_default();
    let name = |key: &str| params.get(key).and_then(Value::as_str).unwrap_or_default();
    let arguments = params.get("arguments").and_then(Value::as_object).cloned().unwrap_or_default();
    let answered = match message.method().unwrap_or_default() {
        "tools/call" => match tools.get(name("name")) {
            Some(tool) => return call(Arc::clone(tool), arguments, message, request, running),
            None => request.respond_not_found(),
        },
        "prompts/get" => match prompts.get(name("name")).map(|prompt| prompt_result(prompt, &arguments)) {
            Some(Ok(result)) => request.respond(&result.to_string()),
            Some(Err(why)) => request.respond_error(INVALID_PARAMS, &why, None),
            None => request.respond_not_found(),
        },
        "resources/read" => match files.get(name("uri")) {
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
        Screen::note(&format!("mcp serve: {}", one_line(&error.message)));
    }
}

fn prompt_result(prompt: &Prompt, arguments: &Map<String, Value>) -> Result<Value, String> {
    // An optional argument that is not given is nothing.
    let mut all: Map<String, Value> =
        prompt.arguments.iter().map(|argument| (argument.name.clone(), Value::from(""))).collect();
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

/// Runs the program of a call on a thread of its own.
fn call(
    tool: Arc<Tool>,
    arguments: Map<String, Value>,
    message: Message,
    request: Request,
    running: &Running,
) {
    let (sender, happenings) = program::line();
    let number = request.number();
    locked(running).insert(number, sender.clone());
    let (of, by) = (Arc::clone(running), request.clone());
    // A message that is dropped unanswered is an internal error: it is kept for the answer of this thread.
    let message = Arc::new(message);
    let kept = Arc::clone(&message);
    let work = move || {
        let end = program::run(&tool, &arguments, (sender, &happenings));
        locked(&of).remove(&number);
        told(answer(&tool, &request, end));
        // The request is answered before its message is dropped.
        drop(message);
    };
    if std::thread::Builder::new().name("mcp-serve-call".to_owned()).spawn(work).is_err() {
        locked(running).remove(&number);
        told(by.respond_text("no thread is left to run the program", true));
    }
    drop(kept);
}

fn answer(tool: &Tool, request: &Request, end: End) -> Result<(), mcp::client::Error> {
    let (code, output, errors) = match end {
        End::Cancelled => return Ok(()),
        End::Failed(why) => return request.respond_text(&why, true),
        End::Done { code, output, errors } => (code, output, errors),
    };
    if code != Some(0) {
        let how = code.map_or_else(
            || "was ended by a signal".to_owned(),
            |code| format!("ended with the exit code {code}"),
        );
        let mut text = format!("the program {how}");
        for said in [&output, &errors] {
            let said = String::from_utf8_lossy(&said[said.len().saturating_sub(SHOWN_ERRORS)..]);
            if !said.trim().is_empty() {
                text.push('\n');
                text.push_str(said.trim_end());
            }
        }
        return request.respond_text(&text, true);
    }
    if tool.output.contains('/') {
        let kind = if tool.output.starts_with("image/") { "image" } else { "audio" };
        let block = json!({"type": kind, "mimeType": tool.output, "data": STANDARD.encode(output)});
        return request.respond(&json!({ "content": [block] }).to_string());
    }
    let Ok(text) = String::from_utf8(output) else {
        return request.respond_text("the program wrote bytes that are no text (UTF-8)", true);
    };
    if tool.output == "text" {
        return request.respond_text(text.strip_suffix('\n').unwrap_or(&text), false);
    }
    // Checked, and given on as it was written.
    let is_object = serde_json::from_str::<Map<String, Value>>(&text).is_ok();
    if !is_object {
        return request.respond_text("the program wrote no JSON object", true);
    }
    let text = text.trim();
    let block = json!({"type": "text", "text": text});
    request.respond(&format!("{{\"content\":[{block}],\"structuredContent\":{text}}}"))
}
