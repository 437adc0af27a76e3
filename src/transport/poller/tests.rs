//! What every poller and wake does, whichever the system or the build has.

use super::*;
use crate::transport::system::io::connected_pair;
use rustix::fd::{AsFd as _, OwnedFd};
use std::sync::Arc;
use std::time::Instant;

const LONG: Option<Duration> = Some(Duration::from_secs(60));
const NOW: Option<Duration> = Some(Duration::ZERO);

/// Makes the other one readable.
fn put(theirs: &OwnedFd) {
    assert_eq!(rustix::io::write(theirs, b"x"), Ok(1));
}

fn waited(poller: &Poller, timeout: Option<Duration>) -> Vec<u64> {
    let mut ready = vec![99];
    poller.wait(&mut ready, timeout);
    ready.sort_unstable();
    ready
}

/// Waits until something is ready: a change of the watches may end a wait without.
fn ready(poller: &Poller) -> Vec<u64> {
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let ready = waited(poller, LONG);
        if !ready.is_empty() || Instant::now() > until {
            return ready;
        }
    }
}

/// Whether nothing is ready, however often it is asked.
fn is_quiet(poller: &Poller) -> bool {
    (0..3).all(|_| waited(poller, NOW).is_empty())
}

#[test]
fn a_wake_is_readable_from_its_setting_to_its_clearing() {
    let wake = Wake::new().expect("a wake");
    assert!(!wait_for_wake(&wake, Duration::ZERO));
    for _ in 0..100_000 {
        wake.set();
    }
    assert!(wait_for_wake(&wake, Duration::from_secs(60)));
    assert!(wait_for_wake(&wake, Duration::from_secs(60)), "it stays so");
    wake.clear();
    assert!(!wait_for_wake(&wake, Duration::ZERO));
    wake.set();
    assert!(wait_for_wake(&wake, Duration::from_secs(60)));
}

#[test]
fn what_is_readable_is_told_until_it_was_read() {
    let (ours, theirs) = connected_pair().expect("a pair");
    let poller = Poller::new().expect("a poller");
    poller.watch(&ours, 7, Interest::Readable).expect("watched");
    assert!(is_quiet(&poller));
    put(&theirs);
    assert_eq!((ready(&poller), ready(&poller)), (vec![7], vec![7]));
    assert_eq!(rustix::io::read(&ours, &mut [0; 1]), Ok(1));
    assert!(is_quiet(&poller));
    drop(theirs);
    assert_eq!(ready(&poller), [7], "the end counts");
    poller.unwatch(&ours);
    assert!(is_quiet(&poller));
}

#[test]
fn what_is_watched_once_is_told_once_and_again_when_it_is_armed_again() {
    let (ours, theirs) = connected_pair().expect("a pair");
    let poller = Poller::new().expect("a poller");
    poller.watch(&ours, 1, Interest::None).expect("watched");
    put(&theirs);
    assert!(is_quiet(&poller));
    for token in [2, 3] {
        poller.rearm(&ours, token, Interest::ReadableOnce).expect("armed");
        assert_eq!(ready(&poller), [token]);
        assert!(is_quiet(&poller));
    }
    poller.rearm(&ours, 4, Interest::WritableOnce).expect("armed");
    assert_eq!(ready(&poller), [4]);
    assert!(is_quiet(&poller));
    poller.rearm(&ours, 5, Interest::Readable).expect("armed");
    assert_eq!((ready(&poller), ready(&poller)), (vec![5], vec![5]));
}

#[test]
fn a_hang_up_of_what_is_watched_for_nothing_keeps_no_thread_busy() {
    let (ours, theirs) = connected_pair().expect("a pair");
    let poller = Poller::new().expect("a poller");
    poller.watch(&ours, 1, Interest::None).expect("watched");
    drop(theirs);
    // Told at most once.
    let _once = waited(&poller, NOW);
    assert!(is_quiet(&poller));
}

#[test]
fn several_that_are_ready_are_told_together() {
    let poller = Poller::new().expect("a poller");
    let pairs: Vec<_> = (0..40).map(|_| connected_pair().expect("a pair")).collect();
    for (token, (ours, theirs)) in (0..).zip(&pairs) {
        poller.watch(ours, token, Interest::Readable).expect("watched");
        put(theirs);
    }
    assert_eq!(ready(&poller), (0..40).collect::<Vec<u64>>());
}

#[test]
fn a_wait_is_ended_by_a_wake_by_the_time_and_by_a_descriptor_that_another_thread_adds() {
    let poller = Arc::new(Poller::new().expect("a poller"));
    let begun = Instant::now();
    assert_eq!(waited(&poller, Some(Duration::from_millis(20))), [0; 0]);
    assert!(begun.elapsed() >= Duration::from_millis(19));
    poller.wake();
    assert_eq!(waited(&poller, LONG), [0; 0], "a wake before the wait ends it");
    let (ours, theirs) = connected_pair().expect("a pair");
    let waiting = {
        let poller = Arc::clone(&poller);
        std::thread::spawn(move || ready(&poller))
    };
    poller.watch(&ours, 8, Interest::Readable).expect("watched");
    put(&theirs);
    assert_eq!(waiting.join().expect("no panic"), [8]);
    assert!(begun.elapsed() < Duration::from_secs(30));
}

#[cfg(all(test, unix))]
#[test]
fn a_descriptor_is_watched_once_and_files_never() {
    use crate::transport::system::poller::is_watchable;
    let (ours, _theirs) = connected_pair().expect("a pair");
    let file = std::fs::File::open(std::env::current_exe().expect("a path")).expect("this program");
    let null = std::fs::File::open("/dev/null").expect("the device");
    assert_eq!(is_watchable(&ours), Ok(true));
    assert_eq!(is_watchable(&file), Ok(false));
    assert_eq!(is_watchable(&null), Ok(false));
}

#[test]
fn one_thread_waits_for_its_input_and_its_wake() {
    let (ours, theirs) = connected_pair().expect("a pair");
    let wake = Wake::new().expect("a wake");
    let found = wait_for(ours.as_fd(), &wake, NOW);
    assert!(!found.readable && !found.woken);
    assert!(wait_to_write(ours.as_fd(), &wake, LONG).ready);
    put(&theirs);
    wake.set();
    let found = wait_for(ours.as_fd(), &wake, LONG);
    assert!(found.readable && found.woken);
}

#[test]
fn the_descriptor_of_a_loop_is_readable_for_its_wake_and_for_what_it_shows() {
    let host = HostDescriptor::new().expect("a descriptor");
    assert!(!wait_for_wake(host.wake(), Duration::ZERO));
    host.set();
    assert!(wait_for_wake(host.wake(), Duration::ZERO));
    assert_eq!(host.readable().count(), 0, "the wake is nothing to read");
    host.clear();
    let (ours, theirs) = connected_pair().expect("a pair");
    let (others, _idle) = connected_pair().expect("a pair");
    if host.show(&ours, 5).is_err() {
        // The system has no set with a descriptor.
        return;
    }
    host.show(&others, 6).expect("shown");
    assert!(host.show(&ours, 5).is_err(), "shown twice");
    assert_eq!(host.readable().count(), 0);
    put(&theirs);
    assert_eq!(host.readable().collect::<Vec<_>>(), [5]);
    assert_eq!(host.readable().collect::<Vec<_>>(), [5], "until it was read");
    host.hide(&ours);
    assert_eq!(host.readable().count(), 0);
}
