//! Standing before the functions of Rust's standard library that `ThreadSanitizer` cannot see into, and before two of the
//! C library that it does not follow.
//!
//! `locks.c` says what and why. Here its functions are given the symbols of the standard library at hand, and the
//! linker is told to put them in front.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;

use crate::checkout::{Checkout, read, stem};
use crate::compiler;

/// A function of std: its name in `locks.c`, the module and the name in its symbol. Both ways in which Rust has written
/// symbols hold these parts.
type Wrapped = (&'static str, &'static str, &'static str);

const WRAPPED: [Wrapped; 6] = [
    ("MUTEX_LOCK_CONTENDED", "3std3sys4sync5mutex5futex", "5Mutex14lock_contended"),
    ("RWLOCK_READ_CONTENDED", "3std3sys4sync6rwlock5futex", "6RwLock14read_contended"),
    ("RWLOCK_WRITE_CONTENDED", "3std3sys4sync6rwlock5futex", "6RwLock15write_contended"),
    ("CONDVAR_WAIT", "3std3sys4sync7condvar5futex", "7Condvar4wait"),
    ("CONDVAR_WAIT_TIMEOUT", "3std3sys4sync7condvar5futex", "7Condvar12wait_timeout"),
    ("ONCE_CALL", "3std3sys4sync4once5futex", "4Once4call"),
];

/// Not of std: what `Arc` calls to count down, and what mio calls to register sockets and to wait for them.
const BY_THEIR_NAMES: [&str; 3] = ["__tsan_atomic64_fetch_sub", "epoll_ctl", "epoll_wait"];

/// Compiles `locks.c`; gives the arguments for rustc that link it into the library.
pub fn link_arguments(checkout: &Checkout, rust_libraries: &Path) -> Result<Vec<String>, String> {
    let library = standard_library(rust_libraries)?;
    let source = checkout.root.join("xtask/src/test/sanitize/locks.c");
    // Cargo links again only when an argument changes, so the file's name has to change with its text.
    let mut hasher = DefaultHasher::new();
    read(&source)?.hash(&mut hasher);
    let object = checkout.scratch("tsan")?.join(format!("locks-{:016x}.o", hasher.finish()));
    let mut compile = compiler::command(checkout, &compiler::c_compiler()?);
    compile.args(["-O1", "-fPIC", "-c"]).arg(source);
    let mut arguments = vec![format!("-Clink-arg={}", object.display())];
    for (name, module, function) in WRAPPED {
        let symbol = symbol(&library, module, function).ok_or_else(|| {
            format!("this Rust's standard library has no …{module}…{function}: see how it locks now, and change {name} in locks.c")
        })?;
        compile.arg(format!("-D{name}={symbol}"));
        arguments.push(format!("-Clink-arg=-Wl,--wrap={symbol}"));
    }
    arguments.extend(BY_THEIR_NAMES.map(|name| format!("-Clink-arg=-Wl,--wrap={name}")));
    compiler::compile(compile.arg("-o").arg(&object), &object.with_extension("compile"))?;
    Ok(arguments)
}

fn standard_library(folder: &Path) -> Result<Vec<u8>, String> {
    let wrong = |error| format!("cannot read {}: {error}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        let is_std = stem(&path).starts_with("libstd-");
        if is_std && path.extension().is_some_and(|extension| extension == "rlib") {
            return std::fs::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()));
        }
    }
    Err(format!("there is no libstd-*.rlib in {}", folder.display()))
}

/// The symbol of a function, found as text: nm of a C toolchain may stumble over what a newer LLVM left in the archive.
fn symbol<'a>(library: &'a [u8], module: &str, function: &str) -> Option<&'a str> {
    library
        .split(|byte| *byte == 0)
        .filter(|name| name.starts_with(b"_") && name.len() < 200)
        .filter_map(|name| std::str::from_utf8(name).ok())
        .find(|name| {
            let Some((_, rest)) = name.split_once(module) else { return false };
            rest.split_once(function).is_some_and(|(_, end)| end.is_empty() || is_legacy_end(end))
        })
}

/// `17h`, sixteen digits of a hash, `E`.
fn is_legacy_end(end: &str) -> bool {
    end.len() == 20 && end.starts_with("17h") && end.ends_with('E')
}
