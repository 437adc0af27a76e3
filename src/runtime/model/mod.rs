//! The role of driver, waits and the queue under the model checker `loom`: it runs every order in which threads can come to a
//! lock, a condition, an atomic number or a descriptor, up to a number of preemptions (`LOOM_MAX_PREEMPTIONS`). A wake that is
//! missed in one of them is a deadlock, which loom reports with that order.
//!
//! ```sh
//! RUSTFLAGS="--cfg mcp_loom" cargo test -p mcp --lib --no-default-features --features client --target-dir target/loom runtime::model
//! ```
//!
//! The code is the library's own; only `crate::runtime::sync` and the waits in `crate::transport::poller` are loom's. The
//! descriptors are real. Faults are planted in these two first, and have to be found.
//!
//! The files:
//!
//! * `peer`: a connection and its server, which writes lines
//! * `driver`: who reads the connection, and who is woken
//! * `earliest`: when the background thread looks at all connections
//! * `queue`: messages, wakes and the end of a queue

mod driver;
mod earliest;
mod peer;
mod queue;

use crate::transport::poller::model::{Plant, plant};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The plant of a process that has to find it.
const PLANTED: &str = "MCP_LOOM_PLANT";

/// Runs `model`, which is in the test that calls this, in every order, after each of the plants was found in it.
fn check<M: Fn() + Copy + Send + Sync + 'static>(plants: &[Plant], model: M) {
    if let Ok(name) = std::env::var(PLANTED) {
        plant(*plants.iter().find(|plant| format!("{plant:?}") == name).expect("a plant of this test"));
        loom::model(model);
        return;
    }
    let path = std::any::type_name::<M>();
    let test = path.trim_start_matches("mcp::").trim_end_matches("::{{closure}}");
    for plant in plants {
        // Loom ends the process when a thread of a model waits for ever.
        let run = Command::new(std::env::current_exe().expect("this program"))
            .args([test, "--exact", "--nocapture", "--test-threads=1"])
            .env(PLANTED, format!("{plant:?}"))
            .output()
            .expect("this program runs");
        let told = String::from_utf8_lossy(&run.stderr);
        let is_found = !run.status.success() && told.contains("deadlock; threads =");
        assert!(is_found, "{test}: {plant:?} was not found: {}, {told}", run.status);
    }
    let orders = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&orders);
    loom::model(move || {
        count.fetch_add(1, Ordering::Relaxed);
        model();
    });
    println!("{test}: {} orders", orders.load(Ordering::Relaxed));
}
