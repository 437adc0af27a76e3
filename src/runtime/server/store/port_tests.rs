//! The port alone: a store whose answers the test gives, when and how often it likes.

use super::{Adapter, Bound, Call, Port, Purpose, StoreUser, Watch};
use crate::engine::seal::{KEY, KeyRing};
use crate::engine::server::{Expected, Operation, STORE_VALUE_BYTES, StoreOutcome, StoreStatus, Ticket};
use crate::runtime::lock;
use ring::rand::{SecureRandom as _, SystemRandom};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const TIMEOUT: Duration = Duration::from_secs(60);

/// What has been begun.
#[derive(Default)]
struct Begun {
    calls: Vec<Arc<Call>>,
    watches: Vec<Arc<Watch>>,
    late: usize,
    ended: usize,
    /// Answers inside `begin`.
    at_once: bool,
    refuses: Option<StoreStatus>,
}

#[derive(Clone, Default)]
struct Scripted(Arc<Mutex<Begun>>);

impl Adapter for Scripted {
    fn begin(&self, call: &Arc<Call>) -> Result<(), StoreStatus> {
        let mut begun = lock(&self.0);
        begun.calls.push(Arc::clone(call));
        if let Some(status) = begun.refuses {
            return Err(status);
        }
        if begun.at_once {
            drop(begun);
            assert!(call.done(StoreStatus::Done, 7, 0));
        }
        Ok(())
    }

    fn watch(&self, watch: &Arc<Watch>) -> Result<(), StoreStatus> {
        lock(&self.0).watches.push(Arc::clone(watch));
        watch.missed();
        Ok(())
    }

    fn unwatch(&self, watch: &Arc<Watch>) {
        lock(&self.0).watches.retain(|other| !Arc::ptr_eq(other, watch));
    }

    fn ended(&self, _call: &Arc<Call>, is_late: bool) {
        let mut begun = lock(&self.0);
        begun.ended += 1;
        begun.late += usize::from(is_late);
    }
}

impl Scripted {
    fn call(&self, at: usize) -> Arc<Call> {
        Arc::clone(&lock(&self.0).calls[at])
    }

    fn value(&self, at: usize) -> Vec<u8> {
        match self.call(at).operation() {
            Operation::Put { value: Some(value), .. } => value.clone(),
            Operation::Append { entry, .. } => entry.clone(),
            Operation::Publish { data, .. } => data.clone(),
            other => panic!("it has no value: {other:?}"),
        }
    }
}

/// What the server was told.
#[derive(Default)]
struct Told {
    ends: Vec<(u64, StoreOutcome)>,
    events: Vec<(String, Option<Vec<u8>>)>,
    ready: Vec<Result<String, String>>,
    /// Begins one more at each end, so often.
    chain: usize,
}

#[derive(Clone, Default)]
struct Listening(Arc<Mutex<Told>>, Arc<Mutex<std::sync::Weak<Port>>>);

impl StoreUser for Listening {
    fn stored(&self, purpose: Purpose, outcome: StoreOutcome) {
        let Purpose::Asked(Ticket(ticket)) = purpose else { panic!("{purpose:?}") };
        let mut told = lock(&self.0);
        told.ends.push((ticket, outcome));
        if told.chain > 0 {
            told.chain -= 1;
            drop(told);
            let port = lock(&self.1).upgrade().expect("it is there");
            port.start([(Purpose::Asked(Ticket(ticket + 1)), get())]);
        }
    }

    fn event(&self, channel: &str, data: Option<&[u8]>) {
        lock(&self.0).events.push((channel.to_owned(), data.map(<[u8]>::to_vec)));
    }

    fn ready(&self, is: Result<&str, &str>) {
        lock(&self.0).ready.push(is.map(str::to_owned).map_err(str::to_owned));
    }
}

impl Listening {
    fn statuses(&self) -> Vec<StoreStatus> {
        lock(&self.0).ends.iter().map(|(_, outcome)| outcome.status).collect()
    }

    fn last(&self) -> StoreOutcome {
        lock(&self.0).ends.last().expect("an end").1.clone()
    }
}

fn ring(keys: &[u8]) -> KeyRing {
    let random = SystemRandom::new();
    let keys = keys.iter().map(|key| [*key; KEY]).collect();
    KeyRing::new(keys, Box::new(move |bytes| random.fill(bytes).is_ok())).expect("a ring")
}

fn bound(user: &Listening, space: &str, keys: &[u8], timeout: Duration) -> Bound {
    Bound { user: Box::new(user.clone()), prefix: format!("mcp1:{{{space}}}:"), ring: ring(keys), timeout }
}

fn port_of(space: &str, keys: &[u8], timeout: Duration) -> (Arc<Port>, Scripted, Listening) {
    let (store, user) = (Scripted::default(), Listening::default());
    let port = Port::new(Box::new(store.clone()));
    *lock(&user.1) = Arc::downgrade(&port);
    port.bind(bound(&user, space, keys, timeout)).and_then(|()| port.begin_use()).expect("bound");
    (port, store, user)
}

fn made() -> (Arc<Port>, Scripted, Listening) {
    let (port, store, user) = port_of("s", &[1], TIMEOUT);
    assert!(port.ready("first"));
    (port, store, user)
}

fn get() -> Operation {
    Operation::Get { key: "k".into() }
}

fn put(expected: Expected) -> Operation {
    let value = Some(b"secret".to_vec());
    Operation::Put { key: "k".into(), value, expected, life: Duration::from_secs(1) }
}

fn append(place: u64) -> Operation {
    let life = Duration::from_secs(1);
    Operation::Append { stream: "k".into(), entry: b"secret".to_vec(), place, most: 9, life }
}

fn publish() -> Operation {
    Operation::Publish { channel: "k".into(), data: b"secret".to_vec() }
}

fn start(port: &Port, operations: impl IntoIterator<Item = Operation>) {
    port.start((0..).map(|number| Purpose::Asked(Ticket(number))).zip(operations));
}

#[test]
fn names_are_whole_and_values_sealed_and_bound_to_them() {
    let (port, store, user) = made();
    start(&port, [put(Expected::Any), append(0), publish(), get()]);
    assert_eq!(store.call(3).operation(), &Operation::Get { key: "mcp1:{s}:k".into() });
    for at in 0..3 {
        let value = store.value(at);
        assert!(!value.windows(6).any(|part| part == b"secret"), "{at}");
    }
    let (sealed, last) = (store.value(0), store.call(3));
    assert!(last.found(&sealed, 5) && last.done(StoreStatus::Done, 0, 9));
    let outcome = user.last();
    assert_eq!((outcome.value.as_deref(), outcome.version, outcome.unix_ms), (Some(&b"secret"[..]), 5, 9));
    // Under another key, of another space, of another form, cut, and without the key that sealed it, it is not opened, and not there
    // for anything to overwrite.
    let mut other_form = sealed.clone();
    other_form[0] = 2;
    type Row<'a> = (&'a str, &'a str, &'a [u8], &'a [u8], StoreStatus);
    let rows: [Row<'_>; 6] = [
        ("s", "k", &[1], &sealed, StoreStatus::Done),
        ("s", "k", &[2, 1], &sealed, StoreStatus::Done),
        ("s", "other", &[1], &sealed, StoreStatus::Unavailable),
        ("t", "k", &[1], &sealed, StoreStatus::Unavailable),
        ("s", "k", &[2], &sealed, StoreStatus::Unavailable),
        ("s", "k", &[1], &other_form, StoreStatus::Unavailable),
    ];
    for (space, key, keys, value, status) in rows {
        let (port, store, user) = port_of(space, keys, TIMEOUT);
        port.ready("g");
        start(&port, [Operation::Get { key: key.into() }]);
        assert!(store.call(0).found(value, 1) && store.call(0).done(StoreStatus::Done, 0, 0));
        assert_eq!((user.last().status, user.last().value.is_some()), (status, status == StoreStatus::Done));
    }
    for length in 0..sealed.len() {
        start(&port, [get()]);
        let call = Arc::clone(lock(&store.0).calls.last().expect("a call"));
        assert!(call.found(&sealed[..length], 1) && call.done(StoreStatus::Done, 0, 0));
        assert_eq!(user.last(), StoreOutcome::of(StoreStatus::Unavailable), "{length}");
    }
}

#[test]
fn what_one_writes_to_a_store_is_good_as_what_it_was_and_where_it_was() {
    let (port, store, user) = made();
    start(&port, [put(Expected::Any), publish(), append(0), append(1), append(2)]);
    let [kept, message, free, first, second] = [0, 1, 2, 3, 4].map(|at| store.value(at));
    let mut at = 5;
    let mut given = |operation: Operation, place: u64, value: &[u8]| {
        let is_reading = matches!(operation, Operation::Read { .. });
        start(&port, [operation]);
        let call = store.call(at);
        at += 1;
        assert!(if is_reading { call.entry(place, value) } else { call.found(value, place) });
        assert!(call.done(StoreStatus::Conflict, place, 0));
        user.last().status == StoreStatus::Conflict
    };
    let read = || Operation::Read { stream: "k".into(), after: 0, most: 9, bytes: 100_000 };
    for (what, value, is_good) in [
        ("kept", &kept, [true, false, false, false]),
        ("a message", &message, [false, false, false, false]),
        ("an entry of the next place", &free, [false, true, true, true]),
        ("an entry of place 1", &first, [false, true, false, true]),
        ("an entry of place 2", &second, [false, false, true, false]),
    ] {
        let found = [
            given(get(), 1, value),
            given(read(), 1, value),
            given(read(), 2, value),
            given(append(9), 1, value),
        ];
        assert_eq!(found, is_good, "{what}");
    }
    start(&port, [Operation::Watch { channel: "k".into() }]);
    let watch = Arc::clone(&lock(&store.0).watches[0]);
    for value in [&kept, &free, &first, &message] {
        watch.event(value);
    }
    assert_eq!(lock(&user.0).events, [("k".to_owned(), None), ("k".to_owned(), Some(b"secret".to_vec()))]);
}

#[test]
fn an_operation_ends_once_and_later_ends_are_dropped_and_counted() {
    let (port, store, user) = made();
    start(&port, [get()]);
    let call = store.call(0);
    assert!(call.done(StoreStatus::Empty, 0, 0));
    for _ in 0..3 {
        assert!(!call.done(StoreStatus::Done, 1, 1) && !call.found(b"x", 1) && !call.entry(1, b"x"));
    }
    assert_eq!((user.statuses(), port.late(), port.open()), (vec![StoreStatus::Empty], 3, 0));
    // Also from several threads at once.
    start(&port, (0..100).map(|_| get()));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for at in 1..=100 {
                    store.call(at).done(StoreStatus::Done, 0, 0);
                }
            });
        }
    });
    assert_eq!((user.statuses().len(), port.late(), port.open()), (101, 3 + 700, 0));
}

#[test]
fn an_end_inside_the_call_begins_the_next_without_a_deeper_stack() {
    let (port, store, user) = made();
    lock(&store.0).at_once = true;
    lock(&user.0).chain = 100_000;
    start(&port, [get()]);
    assert_eq!(user.statuses().len(), 100_001);
    assert!(user.statuses().iter().all(|status| *status == StoreStatus::Done));
}

#[test]
fn what_is_not_answered_in_time_ends_as_what_may_have_become_of_it() {
    let (port, store, user) = made();
    start(&port, [get(), put(Expected::Absent), append(0), publish()]);
    let due = port.due().expect("they are waited for");
    assert!(due <= Instant::now() + TIMEOUT);
    port.tick(due.checked_sub(Duration::from_secs(1)).expect("a time"));
    assert!(user.statuses().is_empty());
    port.tick(due + TIMEOUT);
    let perhaps = StoreStatus::PerhapsDone;
    assert_eq!(user.statuses(), [StoreStatus::Unavailable, perhaps, perhaps, perhaps]);
    assert_eq!((lock(&store.0).late, port.due(), port.open()), (4, None, 0));
    assert!(!store.call(1).done(StoreStatus::Done, 1, 1));
    assert_eq!(port.late(), 1);
}

#[test]
fn a_store_that_is_away_or_has_too_much_to_do_is_asked_nothing() {
    let (port, store, user) = port_of("s", &[1], TIMEOUT);
    start(&port, [get()]);
    assert_eq!(user.statuses(), [StoreStatus::Unavailable], "it was never ready");
    assert!(port.ready("g") && !port.ready("") && !port.ready(&"g".repeat(201)));
    start(&port, [get()]);
    port.lost("why");
    port.lost("again");
    start(&port, [get()]);
    assert_eq!(
        (user.statuses().len(), lock(&store.0).calls.len()),
        (2, 1),
        "what has begun is still answered"
    );
    let ready = lock(&user.0).ready.clone();
    assert_eq!(ready, [Ok("g".to_owned()), Err("why".to_owned())]);
    port.ready("g");
    start(&port, (0..super::port::MOST_OPEN).map(|_| get()));
    assert_eq!((port.open(), user.statuses().len()), (super::port::MOST_OPEN, 3));
    lock(&store.0).refuses = Some(StoreStatus::TooLarge);
    assert!(store.call(0).done(StoreStatus::Done, 0, 0));
    start(&port, [get()]);
    assert_eq!(user.last().status, StoreStatus::TooLarge, "the store did not begin it");
}

#[test]
fn what_is_perhaps_done_is_tried_once_more_and_known_by_its_writer() {
    // Whether the store is away meanwhile; what the second attempt comes to, with the value of the first one or another's; the end.
    let done = StoreStatus::Done;
    let rows = [
        (put(Expected::Absent), StoreStatus::Done, None, done),
        (put(Expected::Absent), StoreStatus::Conflict, Some(true), done),
        (put(Expected::Version(3)), StoreStatus::Conflict, Some(true), done),
        (put(Expected::Absent), StoreStatus::Conflict, Some(false), StoreStatus::PerhapsDone),
        (put(Expected::Absent), StoreStatus::Conflict, None, StoreStatus::PerhapsDone),
        (append(4), StoreStatus::Conflict, Some(true), done),
        (put(Expected::Absent), StoreStatus::PerhapsDone, None, StoreStatus::PerhapsDone),
        (get(), StoreStatus::Empty, None, StoreStatus::Empty),
    ];
    for is_away in [false, true] {
        for (operation, second, found, end) in rows.clone() {
            let (port, store, user) = made();
            start(&port, [put(Expected::Any), operation.clone()]);
            let foreign = store.value(0);
            if is_away {
                port.lost("why");
            }
            assert!(store.call(1).done(StoreStatus::PerhapsDone, 0, 0));
            if is_away {
                assert_eq!(lock(&store.0).calls.len(), 2);
                port.ready("first");
            }
            let again = store.call(2);
            let version = if let Operation::Append { place, .. } = operation { place } else { 9 };
            match found {
                Some(true) => again.found(&store.value(1), version),
                Some(false) => again.found(&foreign, version),
                None => true,
            };
            assert!(again.done(second, 9, 0));
            assert_eq!(user.last().status, end, "{operation:?} {second:?} {found:?}");
            assert_eq!(lock(&store.0).calls.len(), 3, "no third time");
        }
    }
    // What has no version to tell by is not tried again, and nothing is by a store that may have forgotten the first attempt.
    for operation in [put(Expected::Any), append(0), publish()] {
        let (port, store, user) = made();
        start(&port, [operation]);
        assert!(store.call(0).done(StoreStatus::PerhapsDone, 0, 0));
        assert_eq!((user.statuses(), lock(&store.0).calls.len()), (vec![StoreStatus::PerhapsDone], 1));
    }
    let (port, store, user) = made();
    start(&port, [put(Expected::Absent)]);
    port.lost("why");
    store.call(0).done(StoreStatus::PerhapsDone, 0, 0);
    port.ready("second");
    assert_eq!((user.statuses(), lock(&store.0).calls.len()), (vec![StoreStatus::PerhapsDone], 1));
    // Nor is one waited for beyond its time.
    let (port, store, user) = made();
    start(&port, [put(Expected::Absent)]);
    let due = port.due().expect("it is waited for");
    port.lost("why");
    store.call(0).done(StoreStatus::PerhapsDone, 0, 0);
    assert_eq!(port.due(), Some(due));
    port.tick(due);
    assert_eq!((user.statuses(), port.due()), (vec![StoreStatus::PerhapsDone], None));
}

#[test]
fn sizes_have_bounds_on_both_ways() {
    let (port, store, user) = made();
    let of = |length: usize| Operation::Publish { channel: "k".into(), data: vec![0; length] };
    start(&port, [of(STORE_VALUE_BYTES)]);
    assert_eq!(user.statuses(), [StoreStatus::TooLarge]);
    start(&port, [of(STORE_VALUE_BYTES - 100)]);
    assert!(store.value(0).len() <= STORE_VALUE_BYTES);
    start(&port, [get()]);
    assert!(
        store.call(1).found(&vec![0; STORE_VALUE_BYTES + 1], 1)
            && store.call(1).done(StoreStatus::Done, 0, 0)
    );
    assert_eq!(user.last(), StoreOutcome::of(StoreStatus::Unavailable));
    start(&port, [append(0)]);
    let entry = store.value(2);
    // How many entries, of how many bytes, are asked for; how many come of five.
    let two = 2 * entry.len();
    for (most, bytes, come) in
        [(9, 1000, 5), (3, 1000, 3), (9, two - 1, 1), (9, two, 2), (9, 0, 1), (0, 99, 0)]
    {
        start(&port, [Operation::Read { stream: "k".into(), after: 10, most, bytes }]);
        let call = Arc::clone(lock(&store.0).calls.last().expect("a call"));
        for place in 11..16 {
            assert!(call.entry(place, &entry));
        }
        assert!(call.done(StoreStatus::Done, 0, 0));
        let places: Vec<u64> = user.last().entries.iter().map(|(place, _)| *place).collect();
        assert_eq!(places, (11..11 + come).collect::<Vec<u64>>(), "{most} {bytes}");
    }
    // Places that do not rise are no stream.
    start(&port, [Operation::Read { stream: "k".into(), after: 10, most: 9, bytes: 1000 }]);
    let call = Arc::clone(lock(&store.0).calls.last().expect("a call"));
    assert!(call.entry(10, &entry) && call.done(StoreStatus::Done, 0, 0));
    assert_eq!(user.last(), StoreOutcome::of(StoreStatus::Unavailable));
}

#[test]
fn messages_reach_who_watches_if_this_server_sealed_them() {
    let (port, store, user) = made();
    let channel = || "k".into();
    start(
        &port,
        [Operation::Watch { channel: channel() }, Operation::Watch { channel: channel() }, publish()],
    );
    assert_eq!(user.statuses(), [StoreStatus::Done; 2]);
    let watch = Arc::clone(&lock(&store.0).watches[0]);
    assert_eq!((watch.whole_name(), lock(&store.0).watches.len()), ("mcp1:{s}:k", 1), "it is watched once");
    watch.event(&store.value(0));
    watch.event(b"not sealed");
    watch.missed();
    let k = || "k".to_owned();
    let expected = [(k(), None), (k(), Some(b"secret".to_vec())), (k(), None)];
    assert_eq!(lock(&user.0).events, expected);
    start(&port, [Operation::Unwatch { channel: channel() }, Operation::Unwatch { channel: channel() }]);
    assert!(lock(&store.0).watches.is_empty());
}

#[test]
fn a_store_has_one_server_and_tells_it_what_was_said_before() {
    let (store, user) = (Scripted::default(), Listening::default());
    let port = Port::new(Box::new(store));
    port.lost("not yet");
    port.bind(bound(&user, "s", &[1], TIMEOUT)).expect("bound");
    assert_eq!(lock(&user.0).ready, [], "the server has no store yet");
    port.begin_use().expect("used");
    assert_eq!(lock(&user.0).ready, [Err("not yet".to_owned())]);
    port.bind(bound(&user, "s", &[1], TIMEOUT)).expect_err("it has a server");
    for (is_lost, told) in [(false, Ok("g".to_owned())), (true, Err("gone".to_owned()))] {
        let user = Listening::default();
        let port = Port::new(Box::new(Scripted::default()));
        port.ready("g");
        port.bind(bound(&user, "s", &[1], TIMEOUT)).expect("bound");
        if is_lost {
            port.lost("gone");
        }
        port.begin_use().expect("used");
        assert_eq!(lock(&user.0).ready, [told], "what is so now");
    }
}

#[test]
fn a_store_that_is_lost_is_known_by_what_it_was() {
    let (port, _, _) = made();
    assert_eq!((port.generation(), port.last_generation()), (Some("first".into()), Some("first".into())));
    port.lost("gone");
    assert_eq!((port.generation(), port.last_generation()), (None, Some("first".into())));
    port.ready("second");
    assert_eq!(port.last_generation(), Some("second".into()));
}

/// A store in memory, for many threads.
#[derive(Default)]
struct Memory(Mutex<BTreeMap<Box<str>, Vec<u8>>>);

impl Adapter for Memory {
    fn begin(&self, call: &Arc<Call>) -> Result<(), StoreStatus> {
        let Operation::Put { key, value: Some(value), .. } = call.operation() else { panic!("only puts") };
        let status = match lock(&self.0).entry(key.clone()) {
            std::collections::btree_map::Entry::Occupied(_) => StoreStatus::Conflict,
            std::collections::btree_map::Entry::Vacant(free) => {
                free.insert(value.clone());
                StoreStatus::Done
            }
        };
        call.done(status, 1, 0);
        Ok(())
    }

    fn watch(&self, _: &Arc<Watch>) -> Result<(), StoreStatus> {
        Err(StoreStatus::Unavailable)
    }

    fn unwatch(&self, _: &Arc<Watch>) {}

    fn ended(&self, _: &Arc<Call>, _: bool) {}
}

#[test]
fn eight_threads_put_a_key_once() {
    let user = Listening::default();
    let port = Port::new(Box::<Memory>::default());
    port.bind(bound(&user, "s", &[1], TIMEOUT)).and_then(|()| port.begin_use()).expect("bound");
    port.ready("g");
    std::thread::scope(|scope| {
        for thread in 0..8_u64 {
            let port = &port;
            scope.spawn(move || {
                for number in 0..500_u64 {
                    let life = Duration::from_secs(9);
                    let key = format!("k{number}").into();
                    let put =
                        Operation::Put { key, value: Some(Vec::new()), expected: Expected::Absent, life };
                    port.start([(Purpose::Asked(Ticket(thread * 1000 + number)), put)]);
                }
            });
        }
    });
    let statuses = user.statuses();
    let count = |wanted| statuses.iter().filter(|status| **status == wanted).count();
    assert_eq!((statuses.len(), count(StoreStatus::Done), count(StoreStatus::Conflict)), (4000, 500, 3500));
}
