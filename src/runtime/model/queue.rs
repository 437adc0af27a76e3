//! Threads that wait for messages: each message, wake and close ends a wait that it is for.

use super::check;
use crate::runtime::message::Message;
use crate::runtime::polling::{Polled, poll, poll_queue};
use crate::runtime::queue::{Queue, QueueLimits, Take};
use crate::transport::poller::model::Plant;
use loom::thread;
use std::sync::Arc;

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
