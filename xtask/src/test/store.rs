//! Servers that share a store, against a `redis-server` that the tests start, kill, stop, empty and fill (`src/server/store_tests.rs`,
//! `store_http_tests.rs`). Three processes of a server are killed and stopped behind a balancer, too (`src/server/store_chaos_tests.rs`), during
//! 10,000 calls, and with `--deep` 1,000,000. The workspace is compiled as in the step `rust`: the program `mcp` brings the feature `redis`. Then the stores of the folder
//! `stores`, each with the engine that it is for (`tests/store`).

use super::{Stage, pytest, rust};
use crate::machine::{HAPROXY, REDIS};

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let redis = stage.tally.need(&REDIS, "servers that share a store in Redis");
    let haproxy = stage.tally.need(&HAPROXY, "processes with a store behind HAProxy");
    if let (Some(redis), Some(haproxy)) = (redis, haproxy) {
        let mut cargo = stage.checkout.cargo();
        cargo.args(["test", "--workspace", "--exclude", "libmcp", "--lib", "--target-dir"]);
        cargo.arg(&stage.checkout.target);
        cargo.args(["--", "server::store_", "runtime::server::store"]);
        cargo.env("MCP_REDIS_SERVER", redis).env("MCP_HAPROXY", haproxy);
        if stage.options.deep {
            cargo.env("MCP_STORE_CALLS", "1000000");
        }
        rust::counted(stage, &mut cargo)?;
    }
    pytest::step(stage)
}
