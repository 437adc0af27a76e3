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

mod peer;

use super::background::shared::NextDeadline;
use super::message::Message;
use super::polling::{Polled, poll, poll_queue};
use super::queue::{Queue, QueueLimits, Take};
use super::sync::atomic::{AtomicU64, Ordering};
use super::waiter::Arrival;
use crate::transport::poller::model::{Plant, plant};
use loom::thread;
use peer::Peer;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

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

fn calling(peer: &Arc<Peer>, number: usize) -> thread::JoinHandle<()> {
    let peer = Arc::clone(peer);
    thread::spawn(move || peer.call(number))
}

fn in_background(peer: &Arc<Peer>) -> thread::JoinHandle<()> {
    let peer = Arc::clone(peer);
    thread::spawn(move || peer.reads_in_background())
}

/// The thread that drives completes the other's call, or hands the role on when its own is complete.
#[test]
fn two_callers_hand_the_role_on() {
    check(&[Plant::LookWithoutLock, Plant::LostNotification], || {
        let peer = Peer::new(2);
        let callers = [calling(&peer, 0), calling(&peer, 1)];
        peer.says(0);
        peer.says(1);
        callers.into_iter().for_each(|caller| caller.join().expect("no panic"));
    });
}

/// The call of the thread that drives is cancelled: the other one takes the role.
#[test]
fn a_cancelled_driver_hands_the_role_on() {
    check(&[Plant::LookWithoutLock, Plant::LostNotification], || {
        let peer = Peer::new(2);
        let callers = [calling(&peer, 0), calling(&peer, 1)];
        peer.waiter(0).arrive(Arrival::Look, None);
        peer.says(1);
        callers.into_iter().for_each(|caller| caller.join().expect("no panic"));
    });
}

/// A close ends the wait of the thread that drives and of those that stand in line.
#[test]
fn a_close_ends_every_wait() {
    check(&[Plant::LookWithoutLock, Plant::LostNotification], || {
        let peer = Peer::new(2);
        let callers = [calling(&peer, 0), calling(&peer, 1)];
        for number in 0..2 {
            peer.waiter(number).arrive(Arrival::Look, None);
        }
        peer.pipes.close(1, 1);
        peer.pipe.stop();
        callers.into_iter().for_each(|caller| caller.join().expect("no panic"));
    });
}

/// What comes after the last call is read by the background thread, and what comes while it reads reaches the caller.
#[test]
fn the_background_thread_takes_over() {
    check(&[Plant::LookWithoutLock], || {
        let peer = Peer::new(1);
        let background = in_background(&peer);
        let caller = calling(&peer, 0);
        peer.says(0);
        peer.says(7);
        peer.until_unclaimed(1);
        caller.join().expect("no panic");
        peer.end_background();
        background.join().expect("no panic");
    });
}

fn in_a_loop(peer: &Arc<Peer>, count: usize) -> thread::JoinHandle<()> {
    let peer = Arc::clone(peer);
    thread::spawn(move || peer.loops(count))
}

/// A loop gets what comes, though the background thread listens as well, and reads in its stead when it is late.
#[test]
fn a_loop_gets_what_comes_beside_the_background_thread() {
    check(&[Plant::LookWithoutLock], || {
        let peer = Peer::with_loop(0);
        let background = in_background(&peer);
        let looping = in_a_loop(&peer, 2);
        peer.says(7);
        peer.says(7);
        looping.join().expect("no panic");
        peer.end_background();
        background.join().expect("no panic");
    });
}

/// A thread that calls and a loop share the connection, and no thread of the library's reads.
#[test]
fn a_loop_gets_what_comes_beside_a_caller() {
    check(&[Plant::LookWithoutLock], || {
        let peer = Peer::with_loop(1);
        let looping = in_a_loop(&peer, 1);
        let caller = calling(&peer, 0);
        peer.says(7);
        peer.says(0);
        caller.join().expect("no panic");
        looping.join().expect("no panic");
    });
}

/// A close takes the pipe from the loop, which would wake again and again for what no thread reads, until the background thread
/// comes to stop it.
#[test]
fn a_close_takes_the_pipe_from_the_loop() {
    check(&[], || {
        let peer = Peer::with_loop(0);
        assert!(peer.pipe.is_shown());
        let looping = in_a_loop(&peer, 1);
        peer.says(7);
        looping.join().expect("no panic");
        assert!(peer.pipe.is_shown());
        peer.says(7);
        peer.pipes.close(1, 1);
        assert!(!peer.pipe.is_shown());
        assert!(!peer.is_ready());
    });
}

/// A loop of which it is known that it starts many calls in a turn: the next is held back.
fn with_a_busy_loop() -> peer::OpenedPeer {
    let peer = Peer::with_loop(0);
    for _ in 0..3 {
        peer.starts();
    }
    assert_eq!(peer.reads_frames(), 2, "the third waits for others");
    assert!(peer.is_ready(), "the loop is told");
    peer.loops_once();
    assert_eq!(peer.reads_frames(), 1);
    assert!(!peer.is_ready());
    peer
}

/// A loop is told of each frame that is held back for it, also while it writes those before, and writes it.
#[test]
fn a_loop_writes_what_is_held_back_for_it() {
    check(&[Plant::LookWithoutLock], || {
        let peer = with_a_busy_loop();
        for _ in 0..3 {
            peer.starts();
        }
        let looping = {
            let peer = Arc::clone(&peer);
            thread::spawn(move || peer.loops_and_writes(0, 4))
        };
        peer.starts();
        looping.join().expect("no panic");
        // It may be told once more of a frame that it has written with the ones before.
        peer.loops_once();
        assert!(!peer.is_ready());
    });
}

/// What is held back does not keep the loop from what arrives meanwhile, nor that from what is held back.
#[test]
fn a_loop_gets_what_comes_beside_what_is_held_back() {
    check(&[Plant::LookWithoutLock], || {
        let peer = with_a_busy_loop();
        let looping = {
            let peer = Arc::clone(&peer);
            thread::spawn(move || peer.loops_and_writes(1, 1))
        };
        peer.starts();
        peer.says(7);
        looping.join().expect("no panic");
        // It may be told once more of a frame that it has written with the one before.
        peer.loops_once();
        assert!(!peer.is_ready());
    });
}

/// A connection writes a time down while the background thread looks at all of them.
#[test]
fn a_time_is_seen_or_included() {
    check(&[], || {
        // An earlier time of this connection has come, and it has none now.
        let shared = Arc::new((NextDeadline::default(), AtomicU64::new(u64::MAX)));
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

fn queue() -> Arc<Queue> {
    Queue::new(QueueLimits::default())
}

/// A thread that waits on a shared queue.
fn polling(queue: &Arc<Queue>) -> thread::JoinHandle<Polled> {
    let queue = Arc::clone(queue);
    thread::spawn(move || poll_queue(&queue, None))
}

/// A thread that waits on the queue of a client which is not connected.
fn waiting(queue: &Arc<Queue>) -> thread::JoinHandle<Polled> {
    let queue = Arc::clone(queue);
    thread::spawn(move || poll(&queue, None, Take::All, |waiter, until| waiter.park(until)))
}

#[test]
fn a_message_ends_a_wait_on_a_shared_queue() {
    check(&[Plant::SleepWithoutLook], || {
        let queue = queue();
        let poller = polling(&queue);
        queue.push(Message::log(1, "a"), None);
        assert!(matches!(poller.join().expect("no panic"), Polled::Message(_)));
    });
}

/// One of the two gets the message and the other the wake.
#[test]
fn a_message_and_a_wake_end_two_waits() {
    check(&[Plant::SleepWithoutLook], || {
        let queue = queue();
        let pollers = [polling(&queue), polling(&queue)];
        queue.push(Message::log(1, "a"), None);
        queue.wake_state().wake();
        let ends = pollers.map(|poller| poller.join().expect("no panic"));
        assert_eq!(ends.iter().filter(|end| matches!(end, Polled::Message(_))).count(), 1);
        assert_eq!(ends.iter().filter(|end| matches!(end, Polled::Woken)).count(), 1);
    });
}

#[test]
fn a_close_ends_two_waits_on_a_shared_queue() {
    check(&[Plant::SleepWithoutLook], || {
        let queue = queue();
        let pollers = [polling(&queue), polling(&queue)];
        queue.close();
        for poller in pollers {
            assert!(matches!(poller.join().expect("no panic"), Polled::Closed));
        }
    });
}

#[test]
fn a_message_and_a_wake_end_two_waits_of_a_client() {
    check(&[Plant::LostNotification], || {
        let queue = queue();
        let waiters = [waiting(&queue), waiting(&queue)];
        queue.push(Message::log(1, "a"), None);
        queue.wake();
        let ends = waiters.map(|waiter| waiter.join().expect("no panic"));
        assert_eq!(ends.iter().filter(|end| matches!(end, Polled::Message(_))).count(), 1);
        assert_eq!(ends.iter().filter(|end| matches!(end, Polled::Woken)).count(), 1);
    });
}

#[test]
fn a_close_ends_the_waits_of_a_client_after_the_last_message() {
    check(&[Plant::LostNotification], || {
        let queue = queue();
        let waiters = [waiting(&queue), waiting(&queue)];
        queue.push(Message::log(1, "a"), None);
        queue.close();
        let ends = waiters.map(|waiter| waiter.join().expect("no panic"));
        let messages = ends.iter().filter(|end| matches!(end, Polled::Message(_))).count();
        let closed = ends.iter().filter(|end| matches!(end, Polled::Closed)).count();
        assert_eq!((messages, closed), (1, 1));
    });
}
