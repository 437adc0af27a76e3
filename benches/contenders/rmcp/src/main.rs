//! The Rust SDK through its high-level client: `()` as the handler, `call_tool` for each call.
//!
//! As it comes, it has tokio's default runtime and the SDK's own HTTP client, which keeps no connection. `tuned=1` takes a
//! runtime on the one thread and an HTTP client that keeps its connections.

use rmcp::model::{CallToolRequestParams, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, RoleClient, RunningService};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use std::collections::HashMap;
use std::error::Error;
use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

const SLOTS: usize = 64;

type Client = Arc<RunningService<RoleClient, ()>>;
type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Outcome<()> {
    let options: HashMap<String, String> = std::env::args()
        .skip(1)
        .filter_map(|word| word.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned())))
        .collect();
    let runtime = if options.contains_key("tuned") {
        tokio::runtime::Builder::new_current_thread().enable_all().build()?
    } else {
        tokio::runtime::Runtime::new()?
    };
    runtime.block_on(bench(&options))
}

async fn connect(options: &HashMap<String, String>) -> Outcome<Client> {
    let lifecycle = if options["era"] == "modern" {
        ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
    } else {
        ClientLifecycleMode::Initialize
    };
    let Some(url) = options.get("url") else {
        let mut command = tokio::process::Command::new(&options["server"]);
        command.args(["--era", &options["era"]]);
        let transport = TokioChildProcess::new(command)?;
        return Ok(Arc::new(().serve_with_lifecycle(transport, lifecycle).await?));
    };
    let transport = if options.contains_key("tuned") {
        let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
        config.max_concurrent_requests = SLOTS;
        let client = reqwest::Client::builder().tcp_nodelay(true).pool_max_idle_per_host(SLOTS).build()?;
        StreamableHttpClientTransport::with_client(client, config)
    } else {
        StreamableHttpClientTransport::from_uri(url.as_str())
    };
    Ok(Arc::new(().serve_with_lifecycle(transport, lifecycle).await?))
}

async fn bench(options: &HashMap<String, String>) -> Outcome<()> {
    let client = connect(options).await?;
    let calls: usize = options["calls"].parse()?;
    let workload = options["workload"].as_str();
    if workload == "start" {
        call(&client, 0).await?;
        return say("first");
    }
    let is_pipe = workload.ends_with("pipe");
    run(&client, is_pipe, calls / 20 + 1, None).await?;
    say("ready version=3.9.0")?;
    wait()?;
    let start = Instant::now();
    run(&client, is_pipe, calls, None).await?;
    let ns = start.elapsed().as_nanos();
    say(&format!("done calls={calls} ns={ns}"))?;
    wait()?;
    let mut samples = Vec::new();
    run(&client, is_pipe, if calls / 10 < 100 { calls } else { calls / 10 }, Some(&mut samples)).await?;
    samples.sort_unstable();
    say(&format!("latency p50={} p99={}", samples[samples.len() / 2], samples[samples.len() * 99 / 100]))?;
    if let Ok(client) = Arc::try_unwrap(client) {
        client.cancel().await?;
    }
    Ok(())
}

async fn run(client: &Client, is_pipe: bool, calls: usize, samples: Option<&mut Vec<u128>>) -> Outcome<()> {
    let timed = samples.is_some();
    let mut times = Vec::new();
    if is_pipe {
        // One task for each call in flight, since a call of this client is a future.
        let tasks: Vec<_> = (0..SLOTS)
            .map(|slot| {
                let client = Arc::clone(client);
                let share = calls * (slot + 1) / SLOTS - calls * slot / SLOTS;
                tokio::spawn(async move { work(&client, slot, 0, share, timed).await })
            })
            .collect();
        for task in tasks {
            times.extend(task.await??);
        }
    } else {
        times = work(client, 0, 1, calls, timed).await?;
    }
    if let Some(samples) = samples {
        *samples = times;
    }
    Ok(())
}

/// Calls one after another, beginning with a slot and going on by `step`.
async fn work(client: &Client, first: usize, step: usize, calls: usize, timed: bool) -> Outcome<Vec<u128>> {
    let mut times = Vec::new();
    for i in 0..calls {
        let start = timed.then(Instant::now);
        call(client, (first + i * step) % SLOTS).await?;
        times.extend(start.map(|start| start.elapsed().as_nanos()));
    }
    Ok(times)
}

async fn call(client: &Client, slot: usize) -> Outcome<()> {
    let text = format!("call {slot:02} of the benchmark, with enough words to be sixty-four now");
    let mut arguments = serde_json::Map::new();
    arguments.insert("text".to_owned(), text.as_str().into());
    let result = client.call_tool(CallToolRequestParams::new("echo").with_arguments(arguments)).await?;
    match result.content.first().and_then(|content| content.as_text()) {
        Some(answer) if answer.text == text => Ok(()),
        _ => Err(format!("wrong answer: {result:?}").into()),
    }
}

fn say(line: &str) -> Outcome<()> {
    let mut out = std::io::stdout();
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}

fn wait() -> Outcome<()> {
    let mut line = String::new();
    match std::io::stdin().read_line(&mut line)? {
        0 => Err("the runner is gone".into()),
        _ => Ok(()),
    }
}
