//! The earliest time at which a connection has something to do.

use super::check;
use crate::runtime::background::earliest::Earliest;
use crate::runtime::sync::atomic::{AtomicU64, Ordering};
use loom::thread;
use std::sync::Arc;

/// A connection writes a time down while the background thread looks at all of them.
#[test]
fn a_time_is_seen_or_included() {
    check(&[], || {
        // An earlier time of this connection has come, and it has none now.
        let shared = Arc::new((Earliest::default(), AtomicU64::new(u64::MAX)));
        shared.0.include(3);
        let theirs = Arc::clone(&shared);
        let connection = thread::spawn(move || {
            theirs.1.store(5, Ordering::SeqCst);
            theirs.0.include(5);
        });
        let (earliest, due) = &*shared;
        earliest.forget();
        earliest.include(due.load(Ordering::SeqCst));
        connection.join().expect("no panic");
        assert!(earliest.get() <= due.load(Ordering::SeqCst));
    });
}
