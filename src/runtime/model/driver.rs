//! Threads that call share one connection with the background thread: each line reaches its waiter, whichever thread reads it.

use super::check;
use super::peer::Peer;
use crate::runtime::waiter::Arrival;
use crate::transport::poller::model::Plant;
use loom::thread;
use std::sync::Arc;

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
fn with_a_busy_loop() -> super::peer::Opened {
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
