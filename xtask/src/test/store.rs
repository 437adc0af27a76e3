//! Servers that share a store, against a `redis-server` that the tests start, kill, stop, empty and fill (`src/server/store_tests.rs`).
//! The library is built with the feature `redis` for it. Then the stores of the folder `stores`, each with the engine that it is for
//! (`tests/store`).

use super::{Stage, pytest, rust};
use crate::machine::REDIS;

pub fn run(stage: &mut Stage) -> Result<(), String> {
    if let Some(redis) = stage.tally.need(&REDIS, "servers that share a store in Redis") {
        let mut cargo = stage.checkout.cargo();
        cargo.args(["test", "--package", "mcp", "--features", "redis", "--lib", "--target-dir"]);
        cargo.arg(&stage.checkout.target).args(["--", "server::store"]);
        cargo.env("MCP_REDIS_SERVER", redis);
        rust::counted(stage, &mut cargo)?;
    }
    pytest::step(stage)
}
