//! The Rust SDK as a client of our server: mcp-interop-rmcp legacy|modern REVISION NAME COMMAND...
//!
//! In place of the command there may be the URL of a server that runs. Writes a line for each feature: "ok NAME" or
//! "failed NAME: why". README.md says what each feature is. What messages have is compared as JSON, which the types of the
//! SDK are made of.

// Logging, roots and sampling are deprecated by the newest revision, and served all the same.
#![allow(deprecated)]

use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, ClientRequest, CompleteRequestParams,
    CreateMessageRequestParams, CreateMessageResult, ElicitRequestParams, ElicitResult, ElicitationAction,
    Extensions, GetPromptRequestParams, Implementation, ListRootsResult, LoggingMessageNotificationParam,
    PaginatedRequestParams, PingRequest, ProgressNotificationParam, ProtocolVersion,
    ReadResourceRequestParams, ResourceUpdatedNotificationParam, Root, SamplingMessage, SubscriptionFilter,
};
use rmcp::service::{
    ClientLifecycleMode, ClientServiceExt, NotificationContext, PeerRequestOptions, RequestContext,
    RoleClient, RunningService, ServiceError,
};
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ClientHandler, ErrorData};
use serde_json::{Value, json};
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

const LIMIT: Duration = Duration::from_secs(60);
const URI: &str = "demo://greeting";

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// What notifications told.
#[derive(Default)]
struct Seen {
    facts: Mutex<Facts>,
    changed: Notify,
}

#[derive(Default)]
struct Facts {
    log: Vec<Value>,
    updated: Vec<String>,
    steps: Vec<(f64, Option<f64>)>,
    tools: usize,
}

impl Seen {
    fn with<T>(&self, look: impl FnOnce(&mut Facts) -> T) -> T {
        look(&mut self.facts.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn add(&self, add: impl FnOnce(&mut Facts)) {
        self.with(add);
        self.changed.notify_waiters();
    }

    async fn until(&self, holds: impl Fn(&Facts) -> bool) {
        loop {
            let changed = self.changed.notified();
            if self.with(|facts| holds(facts)) {
                return;
            }
            changed.await;
        }
    }
}

#[derive(Clone)]
struct Handler(Arc<Seen>);

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let capabilities = json!({ "sampling": {}, "elicitation": {}, "roots": {} });
        let capabilities: ClientCapabilities = serde_json::from_value(capabilities).unwrap_or_default();
        ClientConfig::new(capabilities, Implementation::new("rmcp-interop", "1.0.0"))
    }

    async fn create_message(
        &self,
        params: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        let asked = serde_json::to_value(&params).unwrap_or_default();
        let text = asked["messages"][0]["content"]["text"].as_str().unwrap_or("no text").to_owned();
        Ok(CreateMessageResult::new(
            SamplingMessage::assistant_text(format!("sampled: {text}")),
            "none".to_owned(),
        ))
    }

    async fn create_elicitation(
        &self,
        params: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let asked = serde_json::to_value(&params).unwrap_or_default();
        let text = asked["message"].as_str().unwrap_or("no text");
        Ok(ElicitResult::new(ElicitationAction::Accept)
            .with_content(json!({ "answer": format!("answered: {text}") })))
    }

    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        Ok(ListRootsResult::new(vec![Root::new("file:///interop").with_name("interop")]))
    }

    async fn on_progress(&self, params: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.0.add(|facts| facts.steps.push((params.progress, params.total)));
    }

    async fn on_logging_message(
        &self,
        params: LoggingMessageNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.0.add(|facts| facts.log.push(json!([params.level, params.data["number"]])));
    }

    async fn on_resource_updated(
        &self,
        params: ResourceUpdatedNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.0.add(|facts| facts.updated.push(params.uri));
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.0.add(|facts| facts.tools += 1);
    }
}

fn equal(found: &Value, wanted: &Value) -> Outcome {
    if found == wanted { Ok(()) } else { Err(format!("{found} instead of {wanted}").into()) }
}

fn refused<T: std::fmt::Debug>(code: i32, answer: Result<T, ServiceError>) -> Outcome {
    match answer {
        Err(ServiceError::McpError(error)) if error.code.0 == code => Ok(()),
        other => Err(format!("{other:?} instead of {code}").into()),
    }
}

struct Client {
    service: RunningService<RoleClient, Handler>,
    seen: Arc<Seen>,
    is_modern: bool,
}

impl Client {
    fn params(name: &str, arguments: Value) -> CallToolRequestParams {
        let params = CallToolRequestParams::new(name.to_owned());
        match arguments {
            Value::Object(arguments) => params.with_arguments(arguments),
            _ => params,
        }
    }

    async fn call(&self, name: &str, arguments: Value) -> Outcome<Value> {
        Ok(serde_json::to_value(self.service.call_tool(Self::params(name, arguments)).await?)?)
    }

    async fn text(&self, name: &str, arguments: Value) -> Outcome<String> {
        let result = self.call(name, arguments).await?;
        let text = result["content"][0]["text"].as_str().map(str::to_owned);
        text.ok_or_else(|| format!("no text: {result}").into())
    }

    async fn says(&self, name: &str, arguments: Value, wanted: &str) -> Outcome {
        equal(&self.text(name, arguments).await?.into(), &wanted.into())
    }

    async fn ping(&self) -> Outcome {
        let ping = PingRequest { method: Default::default(), extensions: Extensions::default() };
        self.service.send_request(ClientRequest::PingRequest(ping)).await?;
        Ok(())
    }

    async fn pages(&self) -> Outcome {
        let (mut names, mut pages, mut cursor) = (Vec::new(), 0, None);
        while pages == 0 || cursor.is_some() {
            let params = PaginatedRequestParams::default().with_cursor(cursor);
            let page = self.service.list_tools(Some(params)).await?;
            names.extend(page.tools.iter().map(|tool| tool.name.to_string()));
            cursor = page.next_cursor;
            pages += 1;
        }
        let known = ["echo", "add", "slow"].iter().all(|name| names.iter().any(|listed| listed == name));
        let count = names.len();
        names.sort();
        names.dedup();
        equal(&json!([pages > 1, known, names.len()]), &json!([true, true, count]))
    }

    async fn cancellation(&self) -> Outcome {
        let count = || async { Outcome::Ok(self.text("cancelled", json!({})).await?.parse::<u64>()?) };
        let before = count().await?;
        let known = self.seen.with(|facts| facts.steps.len());
        let request = json!({ "method": "tools/call",
            "params": { "name": "slow", "arguments": { "ms": 600_000, "steps": 6_000_000 } } });
        let request: ClientRequest = serde_json::from_value(request)?;
        let call = self.service.send_cancellable_request(request, PeerRequestOptions::no_options()).await?;
        self.seen.until(|facts| facts.steps.len() > known).await;
        call.cancel(Some("not wanted".to_owned())).await?;
        let mut now = before;
        while now == before {
            now = count().await?;
        }
        equal(&now.into(), &(before + 1).into())
    }

    async fn broken_stream(&self) -> Outcome {
        let known = self.seen.with(|facts| facts.steps.len());
        self.says("interrupted", json!({}), "after the break").await?;
        self.seen.until(|facts| facts.steps.len() > known).await;
        equal(&self.seen.with(|facts| json!(facts.steps[known])), &json!([1.0, 2.0]))
    }

    async fn progress(&self) -> Outcome {
        self.says("slow", json!({ "ms": 60, "steps": 3 }), "waited 60 ms").await?;
        self.seen.until(|facts| facts.steps.len() >= 3).await;
        let steps = self.seen.with(|facts| json!(facts.steps));
        equal(&steps, &json!([[1.0, 3.0], [2.0, 3.0], [3.0, 3.0]]))
    }

    async fn log(&self) -> Outcome {
        if self.is_modern {
            let params = json!({ "name": "notify", "arguments": { "count": 2 },
                "_meta": { "io.modelcontextprotocol/logLevel": "info" } });
            self.service.call_tool(serde_json::from_value(params)?).await?;
        } else {
            self.set_level("info").await?;
            self.call("notify", json!({ "count": 2 })).await?;
        }
        self.seen.until(|facts| facts.log.len() >= 2).await;
        equal(&self.seen.with(|facts| json!(facts.log)), &json!([["info", 1], ["info", 2]]))?;
        if !self.is_modern {
            self.set_level("error").await?;
            self.call("notify", json!({ "count": 2 })).await?;
            self.says("echo", json!({ "text": "after" }), "after").await?;
            equal(&self.seen.with(|facts| facts.log.len()).into(), &2.into())?;
        }
        Ok(())
    }

    async fn set_level(&self, level: &str) -> Outcome {
        Ok(self.service.set_level(serde_json::from_value(json!({ "level": level }))?).await?)
    }

    async fn resources(&self) -> Outcome {
        let listed = self.service.list_all_resources().await?;
        let uris: Vec<&str> = listed.iter().take(2).map(|resource| resource.uri.as_str()).collect();
        equal(&json!(uris), &json!([URI, "demo://logo"]))
    }

    async fn templates(&self) -> Outcome {
        let listed = serde_json::to_value(self.service.list_all_resource_templates().await?)?;
        equal(&listed[0]["uriTemplate"], &"demo://greeting/{name}".into())
    }

    async fn read(&self, uri: &str) -> Result<Value, ServiceError> {
        let result = self.service.read_resource(ReadResourceRequestParams::new(uri)).await?;
        Ok(serde_json::to_value(&result.contents[0]).unwrap_or_default())
    }

    async fn reads(&self) -> Outcome {
        equal(&self.read(URI).await?["text"], &"Hello, world!".into())?;
        equal(&self.read("demo://greeting/Ada").await?["text"], &"Hello, Ada!".into())?;
        let logo = self.read("demo://logo").await?;
        equal(&logo["blob"].as_str().map(|blob| blob.starts_with("iVBORw0KGgo")).into(), &true.into())
    }

    async fn updates(&self) -> Outcome {
        let params = json!({ "uri": URI });
        if self.is_modern {
            let filter = SubscriptionFilter::builder().resource_subscriptions([URI]).build();
            let mut listening = self.service.listen(filter).await?;
            self.call("touch", params.clone()).await?;
            let told = serde_json::to_value(listening.next().await?)?;
            equal(&told["params"]["uri"], &URI.into())?;
            return Ok(listening.cancel().await?);
        }
        self.service.subscribe(serde_json::from_value(params.clone())?).await?;
        self.call("touch", params.clone()).await?;
        self.seen.until(|facts| !facts.updated.is_empty()).await;
        self.service.unsubscribe(serde_json::from_value(params.clone())?).await?;
        self.call("touch", params).await?;
        self.says("echo", json!({ "text": "after" }), "after").await?;
        equal(&self.seen.with(|facts| json!(facts.updated)), &json!([URI]))
    }

    async fn tool_changes(&self) -> Outcome {
        if self.is_modern {
            let filter = SubscriptionFilter::builder().tools_list_changed().build();
            let mut listening = self.service.listen(filter).await?;
            self.call("change_tools", json!({})).await?;
            let told = serde_json::to_value(listening.next().await?)?;
            equal(&told["method"], &"notifications/tools/list_changed".into())?;
            return Ok(listening.cancel().await?);
        }
        self.call("change_tools", json!({})).await?;
        self.seen.until(|facts| facts.tools > 0).await;
        Ok(())
    }

    async fn prompts(&self) -> Outcome {
        let listed = serde_json::to_value(self.service.list_all_prompts().await?)?;
        equal(&listed[0]["name"], &"greet".into())?;
        let params: GetPromptRequestParams =
            serde_json::from_value(json!({ "name": "greet", "arguments": { "name": "Ada" } }))?;
        let prompt = serde_json::to_value(self.service.get_prompt(params).await?)?;
        equal(&prompt["messages"][0]["content"]["text"], &"Please write a friendly greeting for Ada.".into())
    }

    async fn completion(&self) -> Outcome {
        for reference in [
            json!({ "type": "ref/prompt", "name": "greet" }),
            json!({ "type": "ref/resource", "uri": "demo://greeting/{name}" }),
        ] {
            let params = json!({ "ref": reference, "argument": { "name": "name", "value": "A" } });
            let params: CompleteRequestParams = serde_json::from_value(params)?;
            let found = self.service.complete(params).await?.completion.values;
            equal(&json!(found), &json!(["Ada", "Alan"]))?;
        }
        Ok(())
    }
}

async fn connect(is_modern: bool, revision: &str, name: &str, command: &[String]) -> Outcome<Client> {
    let seen = Arc::new(Seen::default());
    let lifecycle = if is_modern {
        ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
    } else {
        ClientLifecycleMode::Initialize
    };
    let handler = Handler(Arc::clone(&seen));
    let service = if command[0].starts_with("http") {
        let transport = StreamableHttpClientTransport::from_uri(command[0].as_str());
        handler.serve_with_lifecycle(transport, lifecycle).await?
    } else {
        let mut server = tokio::process::Command::new(&command[0]);
        server.args(&command[1..]);
        handler.serve_with_lifecycle(TokioChildProcess::new(server)?, lifecycle).await?
    };
    let opened = service.peer_info().map(|info| format!("{info:?}")).unwrap_or_default();
    for wanted in [name, "instructions: Some(", revision] {
        if !opened.contains(wanted) {
            return Err(format!("{wanted} is not in {opened}").into());
        }
    }
    Ok(Client { service, seen, is_modern })
}

async fn told(name: &str, feature: impl Future<Output = Outcome>) {
    match tokio::time::timeout(LIMIT, feature).await {
        Ok(Ok(())) => println!("ok {name}"),
        Ok(Err(error)) => println!("failed {name}: {}", error.to_string().replace('\n', " ")),
        Err(_) => println!("failed {name}: no outcome within {LIMIT:?}"),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [era, revision, name, command @ ..] = arguments.as_slice() else {
        return Err("too few arguments".into());
    };
    let client = match tokio::time::timeout(LIMIT, connect(era == "modern", revision, name, command)).await {
        Ok(Ok(client)) => client,
        Ok(Err(error)) => {
            println!("failed connect: {error}");
            return Ok(());
        }
        Err(_) => {
            println!("failed connect: no outcome within {LIMIT:?}");
            return Ok(());
        }
    };
    println!("ok connect");
    let c = &client;
    told("ping", c.ping()).await;
    told("tools: pages", c.pages()).await;
    let said = "Grüße, 世界 🦀 \u{2028}";
    told("tools: call", c.says("echo", json!({ "text": said }), said)).await;
    told("tools: structured result", async {
        equal(&c.call("add", json!({ "a": 2, "b": 3 })).await?["structuredContent"], &json!({ "sum": 5 }))
    })
    .await;
    told("tools: failure", async {
        let result = c.call("fail", json!({})).await?;
        equal(
            &json!([result["isError"], result["content"][0]["text"]]),
            &json!([true, "This tool always fails"]),
        )
    })
    .await;
    told("tools: wrong arguments", async {
        equal(&c.call("add", json!({ "a": "two", "b": 3 })).await?["isError"], &true.into())
    })
    .await;
    told("tools: unknown", async {
        refused(-32602, c.service.call_tool(Client::params("nothing", json!({}))).await)
    })
    .await;
    told("tools: large result", async {
        equal(&c.text("big", json!({ "bytes": 3_000_000 })).await?.len().into(), &3_000_000.into())
    })
    .await;
    told("tools: printing handler", c.says("print", json!({ "text": "printed\n" }), "printed")).await;
    told("progress", c.progress()).await;
    told("cancellation", c.cancellation()).await;
    told("log", c.log()).await;
    told("resources: list", c.resources()).await;
    told("resources: templates", c.templates()).await;
    told("resources: read", c.reads()).await;
    told("resources: unknown", async {
        refused(if c.is_modern { -32602 } else { -32002 }, c.read("demo://nothing").await)
    })
    .await;
    told("resources: updates", c.updates()).await;
    told("tools: list changes", c.tool_changes()).await;
    told("prompts", c.prompts()).await;
    told("completion", c.completion()).await;
    told("sampling", c.says("sample", json!({ "prompt": "Hi" }), "sampled: Hi")).await;
    told("elicitation", c.says("ask", json!({ "question": "Who?" }), "answered: Who?")).await;
    told("roots", c.says("roots", json!({}), "file:///interop")).await;
    let is_http = command[0].starts_with("http");
    if is_http && !c.is_modern {
        told("http: broken stream", c.broken_stream()).await;
    }
    let pid = client.text("pid", json!({})).await?;
    told("close", async {
        client.service.cancel().await?;
        // The kernel's entry of the process is there until it was waited for.
        while !is_http
            && std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
        {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Ok(())
    })
    .await;
    Ok(())
}
