//! Panics at the C boundary: a panic inside an export becomes its return value, and nothing is printed.
//!
//! The panic hook prints, and each copy of the standard library has one hook. In `libmcp.so` and `libmcp.a` only the library uses
//! that copy. A Rust program that links the crate shares it. Therefore:
//!
//! - only an export installs the library's hook, when the first export is called; the functions for Rust (`mcp::client`) never do;
//! - the hook suppresses only panics of the library's own code: inside an export or on a thread of the library, and not in a
//!   callback of the program. It passes every other panic to the previous hook;
//! - [`report_panics`] prevents the installation, or makes the hook pass on everything.

use crate::transport::process::per_process::kept_for_process;
use crate::transport::process::thread;
use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whose code a thread runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Code {
    /// Not marked: code of the library on its own threads, code of the program on all others.
    Unsaid,
    Library,
    Program,
}

thread_local! {
    static RUNS: Cell<(Code, &'static str)> = const { Cell::new((Code::Unsaid, "")) };
}

/// The export that this thread runs, where [`caught`] was told.
pub(super) fn export() -> &'static str {
    RUNS.get().1
}

/// Not a lock: a child of `fork` would wait for ever for a thread that was about to set the hook.
static INSTALLED: AtomicBool = AtomicBool::new(false);
static REPORTED: AtomicBool = AtomicBool::new(false);

/// Has panics inside the C functions told by the process's panic hook, as all others are. For Rust programs that call
/// `mcp::ffi`; call it before the first function of it, and the hook stays untouched. They become
/// `MCP_ERROR_INTERNAL` all the same.
pub fn report_panics() {
    REPORTED.store(true, Ordering::SeqCst);
}

fn install_hook() {
    // The hook cannot be changed by a thread that panics: a destructor of a Rust program may be what calls us.
    if INSTALLED.load(Ordering::Relaxed) || REPORTED.load(Ordering::SeqCst) || std::thread::panicking() {
        return;
    }
    if INSTALLED.swap(true, Ordering::Relaxed) {
        return;
    }
    kept_for_process(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if REPORTED.load(Ordering::SeqCst) || !is_ours() {
                before(info);
            }
        }));
    });
}

/// Whether this thread runs the library's code.
fn is_ours() -> bool {
    match RUNS.get().0 {
        Code::Library => true,
        Code::Program => false,
        Code::Unsaid => thread::is_ours(),
    }
}

/// Puts back what a thread ran before.
struct Before((Code, &'static str));

impl Before {
    fn now_runs(code: Code, export: &'static str) -> Before {
        Before(RUNS.replace((code, export)))
    }
}

impl Drop for Before {
    fn drop(&mut self) {
        RUNS.set(self.0);
    }
}

/// Runs the body of an export of that name, which may be empty; `None` if it panicked.
pub(super) fn caught<R>(export: &'static str, body: impl FnOnce() -> R) -> Option<R> {
    install_hook();
    let _before = Before::now_runs(Code::Library, export);
    catch_unwind(AssertUnwindSafe(body)).map_err(drop_payload).ok()
}

/// As [`caught`], where a signal handler may be what calls: no hook is installed, which takes a lock, and nothing says whose
/// code runs, since the first use of thread-local storage on a thread may allocate it. A panic would be printed.
pub(super) fn caught_in_handler<R>(body: impl FnOnce() -> R) -> Option<R> {
    catch_unwind(AssertUnwindSafe(body)).map_err(drop_payload).ok()
}

/// What a panic carries is the program's if a callback of it panicked, and so is what dropping it does.
fn drop_payload(payload: Box<dyn Any + Send>) {
    let _dropped_or_not = catch_unwind(AssertUnwindSafe(move || drop(payload)));
}

/// Runs a callback of the program.
pub(super) fn of_program<R>(callback: impl FnOnce() -> R) -> R {
    let _before = Before::now_runs(Code::Program, "");
    callback()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// Runs one of the ignored tests below in a process of its own, since a hook is the whole process's; gives what it
    /// wrote to its standard error.
    fn in_a_process_of_its_own(test: &str) -> String {
        let program = std::env::current_exe().unwrap();
        let name = format!("ffi::panics::tests::{test}");
        let output =
            Command::new(program).args(["--exact", &name, "--ignored", "--nocapture"]).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && stdout.contains("1 passed"), "{stdout}\n{stderr}");
        stderr
    }

    fn panic_as(what: &str) {
        panic!("{what} panics");
    }

    fn panic_on_a_thread(name: &str) {
        let thread = std::thread::Builder::new().name(name.to_owned());
        let what = format!("thread {name}");
        assert!(thread.spawn(move || panic_as(&what)).unwrap().join().is_err());
    }

    fn panic_on_a_thread_of_ours() {
        thread::start("worker", thread::STACK, || panic_as("own thread")).unwrap().join();
    }

    #[test]
    fn panics_of_the_library_are_silent_and_those_of_the_program_are_not() {
        let told = in_a_process_of_its_own("of_everyone");
        for silent in ["export", "own thread", "nested export"] {
            assert!(!told.contains(&format!("{silent} panics")), "{silent}: {told}");
        }
        for loud in ["program", "callback", "program between", "thread libmcp"] {
            assert_eq!(told.matches(&format!("\n{loud} panics")).count(), 1, "{loud}: {told}");
        }
    }

    #[test]
    #[ignore = "run by another test in a process of its own"]
    fn of_everyone() {
        assert!(caught("", || panic_as("export")).is_none());
        assert!(catch_unwind(|| panic_as("program")).is_err());
        let seen = caught("", || {
            let callback = of_program(|| {
                assert!(caught("", || panic_as("nested export")).is_none());
                catch_unwind(|| panic_as("callback")).is_err()
            });
            panic_as("export");
            callback
        });
        assert_eq!(seen, None);
        // A callback that unwinds through the library leaves the thread as it was.
        let through: Option<()> =
            caught("", || of_program(|| std::panic::resume_unwind(Box::new("through"))));
        assert_eq!(through, None);
        assert!(catch_unwind(|| panic_as("program between")).is_err());
        panic_on_a_thread_of_ours();
        panic_on_a_thread("libmcp");
    }

    #[test]
    fn a_rust_program_may_have_its_hook_told_of_everything() {
        for test in ["reported_from_the_start", "reported_later"] {
            let told = in_a_process_of_its_own(test);
            assert!(told.contains("\nexport panics") && !told.contains("earlier panics"), "{test}: {told}");
        }
    }

    #[test]
    #[ignore = "run by another test in a process of its own"]
    fn reported_from_the_start() {
        report_panics();
        assert!(caught("", || panic_as("export")).is_none());
        assert!(!INSTALLED.load(Ordering::Relaxed));
    }

    #[test]
    #[ignore = "run by another test in a process of its own"]
    fn reported_later() {
        assert!(caught("", || panic_as("earlier")).is_none());
        report_panics();
        assert!(caught("", || panic_as("export")).is_none());
    }

    #[test]
    fn an_export_may_be_called_first_by_a_thread_that_panics() {
        in_a_process_of_its_own("first_in_a_destructor");
    }

    #[test]
    #[ignore = "run by another test in a process of its own"]
    fn first_in_a_destructor() {
        struct Calls;
        impl Drop for Calls {
            fn drop(&mut self) {
                assert_eq!(caught("", || 7), Some(7));
            }
        }
        let panicked = catch_unwind(|| {
            let _calls = Calls;
            panic_as("program");
        });
        assert!(panicked.is_err());
    }

    #[test]
    fn the_functions_for_rust_touch_no_hook() {
        in_a_process_of_its_own("a_client_of_rust");
    }

    #[test]
    #[ignore = "run by another test in a process of its own"]
    fn a_client_of_rust() {
        drop(crate::client::Client::new(r#"{"command":"true"}"#, None).unwrap());
        assert!(!INSTALLED.load(Ordering::Relaxed));
    }
}
