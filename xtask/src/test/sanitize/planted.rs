//! Faults planted on purpose: a check that can only pass proves nothing.

use super::{Bench, FOUND};

/// How often a program runs at most.
const RUNS: usize = 20;

/// A program with one fault, and what must stand in the report.
pub struct Planted {
    pub what: &'static str,
    file: &'static str,
    report_holds: &'static [&'static str],
}

pub const ADDRESS: [Planted; 4] = [
    Planted {
        what: "a planted use after free in C",
        file: "use_after_free.c",
        report_holds: &["heap-use-after-free", "use_after_free.c"],
    },
    Planted {
        what: "a planted use after free in the library's Rust",
        file: "use_after_free_in_the_library.c",
        report_holds: &["heap-use-after-free", "src/ffi/pointer.rs"],
    },
    Planted {
        what: "a planted leak of the library's memory",
        file: "leak.c",
        report_holds: &["detected memory leaks", "mcp_json_quote"],
    },
    Planted {
        what: "planted undefined behaviour in C",
        file: "undefined.c",
        report_holds: &["runtime error: signed integer overflow", "undefined.c"],
    },
];

pub const THREAD: [Planted; 4] = [
    Planted { what: "a planted data race in C", file: "race.c", report_holds: &["data race", "race.c"] },
    Planted {
        what: "a planted data race in the library's Rust",
        file: "race_in_the_library.c",
        report_holds: &["data race", "src/ffi/pointer.rs"],
    },
    Planted {
        what: "a planted data race in a callback of an application that uses HTTP",
        file: "race_in_a_callback.c",
        report_holds: &["data race", "race_in_a_callback.c", "#0 ready"],
    },
    // What is known of tokio's own order must not hide what tokio calls.
    Planted {
        what: "a planted data race that tokio reaches, under its `Driver::turn`",
        file: "race_reached_from_tokio.c",
        report_holds: &[
            "data race",
            "race_reached_from_tokio.c",
            "tokio::runtime::io::driver::Driver>::turn",
        ],
    },
];

impl Planted {
    /// Whether the tool reports the fault, in one of several runs: `ThreadSanitizer` says nothing of a race whose first access it
    /// has forgotten, which depends on how the system runs the two threads.
    pub fn is_found(&self, bench: &Bench) -> Result<(), String> {
        let source = bench.checkout.root.join("xtask/src/test/sanitize/planted").join(self.file);
        let mut story = String::new();
        let program = bench.program(&source)?;
        for _ in 0..RUNS {
            let finished = bench.run_with(&source, &program, bench.sanitizer.planted_options)?;
            let is_reported = self.report_holds.iter().all(|text| finished.stderr.contains(text));
            match finished.status.and_then(|status| status.code()) {
                Some(FOUND) if is_reported => return Ok(()),
                _ => story = finished.story(),
            }
        }
        Err(format!("in {RUNS} runs it did not, or said no more than this: {story}"))
    }
}
