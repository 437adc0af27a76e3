//! `mcp tasks` and `--detach`, with a server at a URL; one on stdio has golden files.

use super::Scene;
use crate::process::Served;

pub fn run(scene: &Scene) -> Result<(), String> {
    // A server at a URL keeps tasks when its clients have gone: the bridge keeps the one that is started.
    let mut command = scene.command();
    command.args(["bridge", "--listen", "http://127.0.0.1:0/mcp", "--protocol", "modern", "--"]);
    command.arg(&scene.built.scripted_server).args(["--era", "modern"]);
    let mut bridge = Served::start(&mut command, &scene.folder.join("tasks-bridge"))?;
    let url = bridge.first_line()?;
    let detach = || -> Result<String, String> {
        let words = ["call", &url, "research", "topic=bees", "--detach"];
        let finished = scene.run("tasks-detach-url", &words)?.well()?;
        // `task     NAME` is the first line.
        let task = finished.stdout.split_whitespace().nth(1).map(str::to_owned);
        task.ok_or_else(|| finished.story())
    };
    let task = detach()?;
    let got = scene.run("tasks-get", &["tasks", "get", &url, &task, "-o", "json"])?.well()?;
    let waited = scene.run("tasks-wait", &["tasks", "wait", &url, &task])?.well()?;
    let task = detach()?;
    let cancelled = scene.run("tasks-cancel", &["tasks", "cancel", &url, &task])?.well()?;
    let after = scene.run("tasks-get-cancelled", &["tasks", "get", &url, &task, "-o", "json"])?;
    // It does not end with its standard input, which it has no use for at an address.
    drop(bridge);
    for (finished, fact) in [(got, "\"status\""), (waited, "bees"), (cancelled, ""), (after, "\"cancelled\"")]
    {
        if !finished.stdout.contains(fact) {
            return Err(format!("'{fact}' is missing: {}", finished.story()));
        }
    }
    Ok(())
}
