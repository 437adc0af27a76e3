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
const READY: &str = "ready version=3.9.0";

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
    if options["workload"] == "rss" {
        return idle(options).await;
    }
    let client = connect(options).await?;
    let calls: usize = options["calls"].parse()?;
    if options["workload"] == "start" {
        call(&client, 0).await?;
        return say("first");
    }
    let work = Work::new(options)?;
    run(&client, &work, calls / 20 + 1, None).await?;
    say(READY)?;
    wait()?;
    let start = Instant::now();
    run(&client, &work, calls, None).await?;
    let ns = start.elapsed().as_nanos();
    say(&format!("done calls={calls} ns={ns}"))?;
    wait()?;
    let mut samples = Vec::new();
    run(&client, &work, if calls / 10 < 100 { calls } else { calls / 10 }, Some(&mut samples)).await?;
    samples.sort_unstable();
    say(&format!("latency p50={} p99={}", samples[samples.len() / 2], samples[samples.len() * 99 / 100]))?;
    if let Ok(client) = Arc::try_unwrap(client) {
        client.cancel().await?;
    }
    Ok(())
}

/// Many servers that wait.
async fn idle(options: &HashMap<String, String>) -> Outcome<()> {
    let mut clients = Vec::new();
    for _ in 0..options["clients"].parse()? {
        let client = connect(options).await?;
        call(&client, 0).await?;
        clients.push(client);
    }
    say(READY)?;
    // The runtime is free for what the clients do meanwhile.
    tokio::task::spawn_blocking(wait).await??;
    for client in clients.into_iter().filter_map(Arc::into_inner) {
        client.cancel().await?;
    }
    Ok(())
}

/// What the measured section is made of.
enum Work {
    Seq,
    Pipe,
    Big(Big),
}

struct Big {
    bytes: usize,
    escapes: bool,
    block: String,
}

impl Work {
    fn new(options: &HashMap<String, String>) -> Outcome<Self> {
        let workload = options["workload"].as_str();
        if workload.starts_with("big") {
            let (bytes, escapes) = (options["bytes"].parse()?, workload == "big-escapes");
            return Ok(Self::Big(Big { bytes, escapes, block: std::fs::read_to_string(&options["block"])? }));
        }
        Ok(if workload.ends_with("pipe") { Self::Pipe } else { Self::Seq })
    }
}

async fn run(client: &Client, what: &Work, calls: usize, samples: Option<&mut Vec<u128>>) -> Outcome<()> {
    let timed = samples.is_some();
    let mut times = Vec::new();
    if let Work::Big(big) = what {
        for _ in 0..calls {
            let start = timed.then(Instant::now);
            call_big(client, big).await?;
            times.extend(start.map(|start| start.elapsed().as_nanos()));
        }
    } else if matches!(what, Work::Pipe) {
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

async fn call_big(client: &Client, big: &Big) -> Outcome<()> {
    let mut arguments = serde_json::Map::new();
    arguments.insert("bytes".to_owned(), big.bytes.into());
    arguments.insert("escapes".to_owned(), big.escapes.into());
    let result = client.call_tool(CallToolRequestParams::new("big").with_arguments(arguments)).await?;
    let text =
        result.content.first().and_then(|content| content.as_text()).map_or("", |content| &content.text);
    let is_repeated =
        text.as_bytes().chunks(big.block.len()).all(|part| big.block.as_bytes().starts_with(part));
    if text.len() == big.bytes && is_repeated {
        return Ok(());
    }
    Err(format!("wrong big answer of {} bytes", text.len()).into())
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
