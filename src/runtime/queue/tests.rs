//! What a queue keeps, drops, and tells.

use super::wake_state::Shown;
use super::*;
use crate::engine::Status;

fn reply(tag: u64) -> Message {
    let error = Error::new(Status::Timeout, "x", "y");
    Message::reply(1, 1, tag, Err(error))
}

fn notification(number: u64) -> Message {
    of_method(1, "x", &format!(r#"{{"number":{number}}}"#))
}

fn of_method(client: u64, method: &str, params: &str) -> Message {
    let frame = format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params}}}"#).into_bytes();
    let Ok(crate::protocol::Incoming::Notification { method, params, .. }) =
        crate::protocol::envelope::parse(&frame, 16)
    else {
        panic!("a notification")
    };
    let event = crate::engine::Event::Notification { frame, method, params };
    Message::event(client, event, || panic!("no request"))
}

fn tags(queue: &Queue) -> Vec<(Kind, u64, String)> {
    let mut seen = Vec::new();
    while let Look::Message(message) = queue.take(Take::All) {
        seen.push((message.kind(), message.tag(), message.json().to_owned()));
    }
    seen
}

#[test]
fn outcomes_survive_a_flood_of_news_and_the_loss_is_counted() {
    let queue = Queue::new(QueueLimits { messages: 3, ..QueueLimits::default() });
    queue.push(reply(7), None);
    for _ in 0..10 {
        queue.push(Message::log(1, "line"), None);
    }
    queue.push(reply(8), None);
    let seen = tags(&queue);
    let kinds: Vec<Kind> = seen.iter().map(|(kind, _, _)| *kind).collect();
    assert_eq!(kinds, [Kind::Lost, Kind::Reply, Kind::Stderr, Kind::Reply]);
    assert_eq!(seen[0].2, "{\"count\":9}");
    assert!(matches!(queue.take(Take::All), Look::Nothing));
}

#[test]
fn the_newest_can_be_dropped_instead_and_the_mark_stands_where_it_was() {
    let queue =
        Queue::new(QueueLimits { messages: 2, overflow: Overflow::DropNewest, ..QueueLimits::default() });
    for line in ["a", "b", "c", "d"] {
        queue.push(Message::log(1, line), None);
    }
    queue.push(reply(7), None);
    let seen: Vec<(Kind, String)> = tags(&queue).into_iter().map(|(kind, _, json)| (kind, json)).collect();
    assert_eq!(seen.len(), 4, "{seen:?}");
    assert!(seen[0].1.contains("\"a\"") && seen[1].1.contains("\"b\""), "{seen:?}");
    assert_eq!(seen[2], (Kind::Lost, "{\"count\":2}".to_owned()));
    assert_eq!(seen[3].0, Kind::Reply);
}

#[test]
fn a_full_queue_can_hold_up_its_connections_and_lets_them_go_when_there_is_room() {
    struct Counted(std::sync::atomic::AtomicUsize);
    impl Resume for Counted {
        fn resume(&self) {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
    }
    let counted = Arc::new(Counted(0.into()));
    let strong: Arc<dyn Resume> = counted.clone();
    let connection = Arc::downgrade(&strong);
    let queue = Queue::new(QueueLimits { messages: 2, overflow: Overflow::Block, ..QueueLimits::default() });
    assert!(!queue.holds_up(&connection));
    queue.push(Message::log(1, "a"), None);
    queue.push(Message::log(1, "b"), None);
    assert!(queue.holds_up(&connection));
    assert!(matches!(queue.take(Take::All), Look::Message(_)));
    assert_eq!(counted.0.load(std::sync::atomic::Ordering::Relaxed), 1);
    assert!(!queue.holds_up(&connection));
}

#[test]
fn the_byte_bound_holds_too() {
    let queue = Queue::new(QueueLimits { bytes: 4000, ..QueueLimits::default() });
    for _ in 0..100 {
        queue.push(Message::log(1, &"x".repeat(100)), None);
    }
    assert!(lock(&queue.inside).bytes <= 4000);
}

#[test]
fn a_wake_is_sticky_and_a_close_comes_after_the_last_message() {
    let queue = Queue::new(QueueLimits::default());
    queue.wake();
    // Several count as one.
    queue.wake();
    queue.push(reply(1), None);
    queue.close();
    assert!(matches!(queue.take(Take::All), Look::Message(_)));
    assert!(matches!(queue.take(Take::All), Look::Woken));
    assert!(matches!(queue.take(Take::All), Look::Closed));
}

/// A wake that is taken before it has set the descriptor leaves it readable; the next look that finds nothing clears it.
#[test]
fn the_descriptor_is_not_left_readable_by_wakes_on_other_threads() {
    let queue = Queue::new(QueueLimits::default());
    queue.fd().expect("a descriptor");
    for _ in 0..50 {
        let waking = Arc::clone(queue.wake_state());
        let thread = std::thread::spawn(move || (0..1000).for_each(|_| waking.wake()));
        while !thread.is_finished() {
            let _either_way = queue.take(Take::All);
        }
        thread.join().expect("no panic");
        while matches!(queue.take(Take::All), Look::Woken) {}
        assert!(!queue.wake_state().is_readable());
    }
}

#[test]
fn each_wake_ends_one_of_several_waits() {
    let queue = Queue::new(QueueLimits::default());
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let queue = Arc::clone(&queue);
            std::thread::spawn(move || crate::runtime::polling::poll_queue(&queue, None))
        })
        .collect();
    for over in 1..=threads.len() {
        queue.wake_state().wake();
        while threads.iter().filter(|thread| thread.is_finished()).count() < over {
            std::thread::yield_now();
        }
    }
    assert!(matches!(queue.take(Take::All), Look::Nothing));
}

#[test]
fn only_notifications_are_taken_when_asked_and_the_rest_stays_in_order() {
    let queue = Queue::new(QueueLimits::default());
    queue.push(notification(1), None);
    queue.push(reply(1), None);
    queue.push(notification(2), None);
    queue.push(reply(2), None);
    for number in 1..=2 {
        let Look::Message(message) = queue.take(Take::Notifications) else { panic!("a notification") };
        assert_eq!(message.json(), format!(r#"{{"number":{number}}}"#));
    }
    assert!(matches!(queue.take(Take::Notifications), Look::Nothing));
    assert_eq!(tags(&queue).iter().map(|(_, tag, _)| *tag).collect::<Vec<_>>(), [1, 2]);
}

/// An application that takes notifications only may wait for the descriptor: what it leaves does not keep that readable.
#[test]
fn what_a_look_for_notifications_leaves_does_not_keep_the_descriptor_readable() {
    let queue = Queue::new(QueueLimits::default());
    queue.fd().expect("a descriptor");
    let is_readable = || queue.wake_state().is_readable();
    queue.push(reply(1), None);
    queue.push(reply(2), None);
    assert!(is_readable());
    assert!(matches!(queue.take(Take::OnlyNotifications), Look::Nothing));
    assert!(!is_readable());
    queue.push(reply(3), None);
    assert!(is_readable(), "something has arrived");
    assert!(matches!(queue.take(Take::OnlyNotifications), Look::Nothing));
    assert!(!is_readable());
    // A wake is told all the same.
    queue.wake_state().wake();
    assert!(is_readable());
    assert!(matches!(queue.take(Take::OnlyNotifications), Look::Woken));
    // One that takes all of them is told of those that are left.
    assert!(matches!(queue.take(Take::All), Look::Message(_)));
    assert!(is_readable());
    assert_eq!(tags(&queue).len(), 2);
    assert!(!is_readable());
    // A thread that waits for notifications leaves the others to the loop.
    queue.push(reply(4), None);
    assert!(matches!(queue.take(Take::Notifications), Look::Nothing));
    assert!(is_readable());
}

#[test]
fn a_freed_client_leaves_nothing_behind() {
    let queue = Queue::new(QueueLimits::default());
    queue.push(Message::log(1, "a"), None);
    queue.push(Message::log(2, "b"), None);
    queue.add_client();
    queue.forget(1);
    assert_eq!(tags(&queue).len(), 1);
    assert_eq!(lock(&queue.inside).bytes, 0);
}

#[test]
fn room_made_by_a_freed_client_lets_the_others_go() {
    struct Counted(std::sync::atomic::AtomicUsize);
    impl Resume for Counted {
        fn resume(&self) {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
    }
    let counted = Arc::new(Counted(0.into()));
    let strong: Arc<dyn Resume> = counted.clone();
    let connection = Arc::downgrade(&strong);
    let queue = Queue::new(QueueLimits { messages: 1, overflow: Overflow::Block, ..QueueLimits::default() });
    queue.push(Message::log(1, "a"), None);
    assert!(queue.holds_up(&connection) && queue.holds_up(&connection));
    queue.add_client();
    queue.forget(1);
    assert_eq!(counted.0.load(std::sync::atomic::Ordering::Relaxed), 1, "once, however often it was held up");
}

/// A connection that delivers so many messages when it is read, and counts how often it was.
struct Delivers {
    queue: std::sync::Weak<Queue>,
    messages: u64,
    reads: std::sync::atomic::AtomicUsize,
    writes: std::sync::atomic::AtomicUsize,
}

impl Shown for Delivers {
    fn read_now(&self) {
        self.reads.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let queue = self.queue.upgrade().expect("the queue");
        for tag in 0..self.messages {
            queue.push(reply(tag), None);
        }
    }

    fn write_now(&self) {
        self.writes.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    }
}

impl Delivers {
    fn new(queue: &Arc<Queue>, messages: u64) -> Arc<Delivers> {
        Arc::new(Delivers { queue: Arc::downgrade(queue), messages, reads: 0.into(), writes: 0.into() })
    }

    fn weak(self: &Arc<Self>) -> Weak<dyn Shown> {
        let this: Arc<dyn Shown> = self.clone();
        Arc::downgrade(&this)
    }

    fn reads(&self) -> usize {
        self.reads.load(std::sync::atomic::Ordering::Relaxed)
    }

    fn writes(&self) -> usize {
        self.writes.load(std::sync::atomic::Ordering::Relaxed)
    }
}

#[test]
fn the_look_of_a_loop_reads_and_the_descriptor_is_set_only_for_what_it_leaves() {
    let queue = Queue::new(QueueLimits::default());
    let wake = || crate::transport::poller::Wake::new().expect("a wake");
    let (one, two, three) = (wake(), wake(), wake());
    let (first, many, gone) = (Delivers::new(&queue, 1), Delivers::new(&queue, 2), Delivers::new(&queue, 1));
    assert!(queue.host().is_none());
    assert_eq!(queue.watch(), QueueWatch::Not);
    queue.fd().expect("a descriptor");
    let host = queue.host().expect("a set");
    assert_eq!(queue.watch(), QueueWatch::Loop);
    let is_set = || queue.wake_state().is_readable();
    let tag = || match queue.take_shown(Take::All) {
        Look::Message(message) => Some(message.tag()),
        _ => None,
    };

    if !host.show(1, one.fd(), first.weak()) {
        // The system has no set with a descriptor.
        return;
    }
    assert_eq!((tag(), is_set()), (Some(0), false), "the only one is read without a question");
    assert!(host.show(2, two.fd(), many.weak()));
    assert!(host.show(3, three.fd(), gone.weak()));
    assert_eq!(tag(), None, "of several only those that are readable");
    two.set();
    three.set();
    drop(gone);
    assert_eq!((tag(), is_set()), (Some(0), true), "one is left");
    assert_eq!((first.reads(), many.reads()), (1, 1));
    assert!(matches!(queue.take(Take::All), Look::Message(_)));
    assert!(!is_set());
    host.hide(2, two.fd());
    host.hide(3, three.fd());
    assert!(matches!(queue.take_shown(Take::OnlyNotifications), Look::Nothing));
    assert!(!is_set(), "a reply that is passed over sets nothing");
    assert!(matches!(queue.take(Take::All), Look::Message(_)));
    queue.set_ready(Some(Arc::new(|| {})));
    assert_eq!(queue.watch(), QueueWatch::Callback);
}

/// A loop that takes one message each time the descriptor is readable is told of frames that wait for its look as well.
#[test]
fn what_is_held_back_keeps_the_descriptor_readable_until_a_look_finds_nothing() {
    let queue = Queue::new(QueueLimits::default());
    queue.fd().expect("a descriptor");
    let is_readable = || queue.wake_state().is_readable();
    let [first, second] = [Delivers::new(&queue, 0), Delivers::new(&queue, 0)];
    let turn = || match queue.attention() {
        Attention::Loop { turn } => turn,
        other => panic!("{other:?}"),
    };
    let begin = turn();
    queue.tell_host_of_held_back(first.weak());
    assert!(is_readable());
    queue.tell_host_of_held_back(second.weak());
    queue.push(reply(1), None);
    queue.wake();
    assert!(matches!(queue.take(Take::All), Look::Message(_)));
    assert!(is_readable());
    assert!(matches!(queue.take(Take::All), Look::Woken));
    assert!(is_readable());
    assert_eq!((first.writes(), second.writes(), turn()), (0, 0, begin));
    assert!(matches!(queue.take(Take::All), Look::Nothing));
    queue.end_turn();
    assert!(!is_readable());
    assert_eq!((first.writes(), second.writes(), turn()), (1, 1, begin + 1));
    // Told after a message that is left for others, and before one.
    queue.push(reply(2), None);
    assert!(matches!(queue.take(Take::OnlyNotifications), Look::Nothing));
    assert!(!is_readable());
    queue.tell_host_of_held_back(first.weak());
    assert!(is_readable());
    queue.end_turn();
    assert!(!is_readable());
    queue.tell_host_of_held_back(first.weak());
    queue.push(reply(3), None);
    queue.end_turn();
    assert!(is_readable(), "there are messages");
    assert_eq!(tags(&queue).len(), 2);
    assert!(!is_readable());
    // Of a connection that is gone nothing is left to be written.
    queue.tell_host_of_held_back(second.weak());
    drop(second);
    queue.end_turn();
    assert!(!is_readable());
    assert_eq!(first.writes(), 3);
}

#[cfg(feature = "server")]
#[test]
fn requests_of_different_holders_are_taken_by_turns() {
    use crate::engine::server::FrameText;
    use crate::runtime::message::Handler;
    use crate::runtime::server::Serving;
    let request = |server: u64, holder: u64, number: u64| {
        let by: Weak<Serving> = Weak::new();
        let handler = Handler::function(Arc::new(drop));
        Message::served(server, number, "tools/call", FrameText::copied("{}"), handler, None, (holder, by))
    };
    let numbers = |queue: &Queue, which: Take, most: usize| -> Vec<u64> {
        let next = |_| match queue.take(which) {
            Look::Message(message) => Some(message.call()),
            _ => None,
        };
        (0..most).map_while(next).collect()
    };
    let queue = Queue::new(QueueLimits::default());
    for number in 0..5 {
        queue.push(request(1, 1, number), None);
    }
    queue.push(Message::withdrawn(1, 50, "x"), None);
    assert_eq!(numbers(&queue, Take::All, 1), [0], "one alone has its own order");
    queue.push(request(1, 2, 10), None);
    queue.push(request(1, 2, 11), None);
    queue.push(request(1, 3, 20), None);
    queue.push(request(2, 1, 30), None);
    assert_eq!(numbers(&queue, Take::Handled(2), 9), [30], "of that server only");
    assert_eq!(numbers(&queue, Take::Handled(1), 3), [1, 10, 20]);
    assert_eq!(queue.take_back(1, 2).map(|message| message.call()), Some(2));
    assert!(queue.take_back(2, 3).is_none());
    assert_eq!(numbers(&queue, Take::All, 9), [3, 50, 11, 4], "what comes without a holder keeps its place");
    for number in 0..3 {
        queue.push(request(1, number, number), None);
        queue.push(request(2, number, 10 + number), None);
    }
    queue.add_client();
    queue.forget(1);
    assert_eq!(numbers(&queue, Take::All, 9), [10, 11, 12]);
    let inside = lock(&queue.inside);
    assert!(inside.is_empty() && inside.bytes == 0 && inside.waiting.request_bytes() == 0, "nothing is left");
}

#[cfg(feature = "server")]
#[test]
fn a_client_of_a_server_fills_its_share_of_the_queue_only() {
    use crate::engine::server::FrameText;
    use crate::runtime::message::Handler;
    use crate::runtime::server::Serving;
    for overflow in [Overflow::DropOldest, Overflow::DropNewest] {
        let queue = Queue::new(QueueLimits { bytes: 100_000, overflow, ..QueueLimits::default() });
        let mut number = 0;
        let mut send = |holder: u64, bytes: usize| {
            let has_room = queue.has_room_for_request_of((1, holder), bytes);
            if has_room {
                number += 1;
                let (handler, by): (_, Weak<Serving>) = (Handler::function(Arc::new(drop)), Weak::new());
                let params = FrameText::copied(&" ".repeat(bytes));
                queue.push(Message::served(1, number, "m", params, handler, None, (holder, by)), None);
            }
            has_room
        };
        assert!(send(1, 90_000), "nothing else is there");
        assert!(!send(2, 20_000) && send(2, 4_000), "until it is taken");
        for _ in 0..2 {
            assert!(matches!(queue.take(Take::All), Look::Message(_)));
        }
        let taken = (0..100).filter(|_| send(1, 5_000)).count();
        assert!((8..=10).contains(&taken), "half: {taken}");
        assert!(send(2, 20_000) && send(3, 10_000));
        // What wants room is told when there is some.
        let nothing: Weak<Serving> = Weak::new();
        let nothing: Weak<dyn Resume> = nothing;
        assert!(queue.tell_when_room(&[((1, 1), 5_000), ((1, 2), 60_000)], &nothing));
        assert!(!queue.tell_when_room(&[((1, 1), 5_000), ((1, 4), 5_000)], &nothing));
        queue.forget(1);
        assert_eq!(lock(&queue.inside).waiting.request_bytes(), 0);
    }
}

#[test]
fn a_burst_of_changes_of_a_list_is_one_message_until_it_is_taken() {
    let tools = "notifications/tools/list_changed";
    let queue = Queue::new(QueueLimits { messages: 8, ..QueueLimits::default() });
    let burst = || {
        for _ in 0..100 {
            queue.push(of_method(1, tools, "{}"), None);
        }
    };
    burst();
    assert_eq!(tags(&queue).len(), 1);
    burst();
    // Of another list, of another server, or with something else to say.
    for (client, method, params) in [
        (1, "notifications/prompts/list_changed", "{}"),
        (1, "notifications/resources/list_changed", "{}"),
        (2, tools, "{}"),
        (1, tools, r#"{"_meta":{"a":1}}"#),
    ] {
        queue.push(of_method(client, method, params), None);
    }
    burst();
    assert_eq!(tags(&queue).len(), 5);
    // A resource that changed says which: each is one more.
    for _ in 0..2 {
        queue.push(of_method(1, "notifications/resources/updated", r#"{"uri":"a:b"}"#), None);
    }
    assert_eq!(tags(&queue).len(), 2);
    // One that was dropped, and one of a client that is gone, stand for no other.
    burst();
    for number in 0..8 {
        queue.push(notification(number), None);
    }
    burst();
    let kinds: Vec<Kind> = tags(&queue).iter().map(|(kind, ..)| *kind).collect();
    assert_eq!((kinds[0], kinds.len()), (Kind::Lost, 9));
    burst();
    queue.forget(1);
    burst();
    assert_eq!(tags(&queue).len(), 1);
    let full =
        Queue::new(QueueLimits { messages: 1, overflow: Overflow::DropNewest, ..QueueLimits::default() });
    full.push(notification(1), None);
    full.push(of_method(1, tools, "{}"), None);
    assert!(matches!(full.take(Take::All), Look::Message(_)));
    assert!(matches!(full.take(Take::All), Look::Message(lost) if lost.kind() == Kind::Lost));
    full.push(of_method(1, tools, "{}"), None);
    assert_eq!(tags(&full).len(), 1);
}

#[test]
fn one_that_floods_neither_holds_up_nor_pushes_out_what_others_send() {
    let line = "x".repeat(1000);
    for limits in [
        QueueLimits { messages: 100, ..QueueLimits::default() },
        QueueLimits { bytes: 100_000, ..QueueLimits::default() },
        QueueLimits { messages: 100, overflow: Overflow::Block, ..QueueLimits::default() },
    ] {
        let queue = Queue::new(limits);
        let flood = || (0..6000).for_each(|_| drop(queue.push(Message::log(2, &line), None)));
        flood();
        for number in 0..3 {
            queue.push(notification(number), None);
        }
        queue.push(reply(1), None);
        flood();
        let seen: Vec<(Kind, u64, String)> = std::iter::from_fn(|| match queue.take(Take::All) {
            Look::Message(message) => Some((message.kind(), message.client(), message.json().to_owned())),
            _ => None,
        })
        .collect();
        let first: Vec<&str> = seen
            .iter()
            .take(9)
            .filter(|(_, client, _)| *client == 1)
            .map(|(.., json)| json.as_str())
            .collect();
        let numbers = ["{\"number\":0}", "{\"number\":1}", "{\"number\":2}"];
        assert_eq!(first[..3], numbers, "by turns, each in its order: {limits:?}");
        assert!(first[3].contains("timeout"), "{first:?}");
        assert_eq!(seen[0].0, Kind::Lost);
        let of_flood = seen.iter().filter(|(_, client, _)| *client == 2).count() as u64;
        assert_eq!(seen[0].2, format!("{{\"count\":{}}}", 12_000 - of_flood));
        assert!(of_flood > 50, "it has what is left: {of_flood}");
        assert_eq!(lock(&queue.inside).bytes, 0);
    }
}

/// Thousands of clients come and go at one queue: what is kept for each goes with its last message.
#[test]
fn lanes_that_are_empty_are_not_kept() {
    let queue = Queue::new(QueueLimits::default());
    for client in 0..1000 {
        queue.push(Message::log(client, "x"), None);
    }
    assert_eq!(tags(&queue).len(), 1000);
    for client in 0..1000 {
        queue.push(Message::log(client, "x"), None);
        assert_eq!(tags(&queue).len(), 1);
    }
    assert!(lock(&queue.inside).waiting.lanes() <= 20);
}
