//! A server with clients over sockets, in which a thread of the application takes its time between two steps.

#[cfg(feature = "http")]
use super::Admitted;
#[cfg(feature = "http")]
use super::http::RequestStream;
use super::{Serving, ServingParts, StreamLimits};
use crate::engine::Status;
use crate::engine::seal::KeyRing;
#[cfg(feature = "http")]
use crate::engine::server::SingleRequest;
use crate::engine::server::{Outcome, Server, Settings, Stream};
#[cfg(feature = "http")]
use crate::protocol::envelope;
use crate::runtime::message::{Handler, Message};
use crate::runtime::queue::{Look, Queue, QueueLimits, Take};
use crate::runtime::waiter::Waiter;
use crate::shares::Holder;
use crate::transport::Framing;
use crate::transport::process::Credentials;
use crate::transport::socket::listen::RemotePeer;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

const LONG: Duration = Duration::from_secs(60);

/// A tool whose schema asks for more than one pass over the text can answer.
const POSITIVE: &str =
    r#"{"name":"positive","inputSchema":{"type":"object","properties":{"n":{"minimum":1}}}}"#;

/// The handshake of a client of the legacy era.
const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;

fn serving() -> Arc<Serving> {
    serving_limited(|_| ())
}

fn serving_with(settings: Settings, queue: QueueLimits) -> Arc<Serving> {
    serving_for(settings, queue, |_| ())
}

/// A server whose sessions have other bounds.
fn serving_limited(change: impl FnOnce(&mut StreamLimits)) -> Arc<Serving> {
    serving_for(Settings::new("slow", "1"), QueueLimits::default(), change)
}

fn serving_for(
    settings: Settings,
    queue: QueueLimits,
    change: impl FnOnce(&mut StreamLimits),
) -> Arc<Serving> {
    let ring = KeyRing::new(vec![[7; 32]], Box::new(|_| true)).expect("a key was given");
    let mut engine = Server::new(settings, ring);
    engine.add_tool(Serving::now(), POSITIVE, Handler::queue()).expect("a tool");
    let mut limits = StreamLimits {
        framing: Framing::default(),
        frame_bytes: 1 << 20,
        discard_bytes: 1 << 20,
        outgoing_bytes: 1 << 20,
        shared_bytes: 64 << 20,
        write: LONG,
        silent: LONG,
        finish: LONG,
        close: LONG,
        notice: Duration::ZERO,
        drain: Duration::ZERO,
        workers: 0,
    };
    change(&mut limits);
    let queue = Queue::new(queue);
    let made = ServingParts { number: 1, name: "slow".to_owned(), engine, limits, queue, owns_queue: true };
    Serving::new(made).expect("descriptors are left")
}

struct Client(BufReader<UnixStream>);

impl Client {
    /// One that says nothing.
    fn silent(serving: &Serving, holder: Holder) -> Client {
        let (ours, theirs) = UnixStream::pair().expect("a pair of sockets");
        ours.set_read_timeout(Some(LONG)).expect("a bound");
        serving.add_socket(theirs.into(), holder);
        Client(BufReader::new(ours))
    }

    fn of(serving: &Serving) -> Client {
        Client::of_holder(serving, Holder::Unknown)
    }

    fn of_holder(serving: &Serving, holder: Holder) -> Client {
        let mut client = Client::silent(serving, holder);
        client.send(INITIALIZE);
        assert!(client.receive().contains("\"id\":0"));
        client
    }

    fn send(&mut self, frame: &str) {
        self.0.get_mut().write_all(format!("{frame}\n").as_bytes()).expect("the server reads");
    }

    fn is_served(&mut self) -> bool {
        self.send(r#"{"jsonrpc":"2.0","id":9,"method":"ping"}"#);
        self.receive().contains("\"result\":{}")
    }

    fn receive(&mut self) -> String {
        let mut line = String::new();
        self.0.read_line(&mut line).expect("the server answers");
        line
    }

    /// Whether the server ends it without a word. It may not have read all.
    fn is_ended(&mut self) -> bool {
        let mut line = String::new();
        match self.0.read_line(&mut line) {
            Ok(_) => line.is_empty(),
            Err(error) => error.kind() == ErrorKind::ConnectionReset,
        }
    }
}

/// The next message, as it is before the library has done its part.
fn taken(serving: &Serving) -> Message {
    let waiter = Arc::new(Waiter::default());
    serving.queue.add_waiter(&waiter);
    let until = Instant::now() + LONG;
    let message = loop {
        match serving.queue.take(Take::All) {
            Look::Message(message) => break message,
            _ => assert!(Instant::now() < until, "no request arrived"),
        }
        waiter.park(Some(until));
        drop(waiter.take());
    };
    serving.queue.remove_waiter(&waiter);
    message
}

#[test]
fn a_check_of_arguments_holds_up_no_other_client() {
    let serving = serving();
    let (mut slow, mut other) = (Client::of(&serving), Client::of(&serving));
    slow.send(
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"positive","arguments":{"n":0}}}"#,
    );
    // This thread has the request, and its check takes as long as the test wants.
    let message = taken(&serving);
    assert!(message.has_work() && !message.has_handler());
    other.send(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
    assert!(other.receive().contains("\"result\":{}"));
    assert!(message.work().is_none(), "the application does not see it");
    let answer = slow.receive();
    assert!(answer.contains("\"isError\":true") && answer.contains("/n"), "{answer}");
    // One that is cancelled meanwhile leaves nothing behind: neither an answer nor a notification of its end.
    let call =
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"positive","arguments":{"n":-1}}}"#;
    slow.send(call);
    let message = taken(&serving);
    slow.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#);
    slow.send(r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#);
    assert!(slow.receive().contains("\"id\":3"), "the cancellation was read");
    assert!(message.work().is_none());
    assert!(matches!(serving.queue.take(Take::All), Look::Nothing));
    slow.send(&call.replace("-1", "1").replace("\"id\":2", "\"id\":4"));
    let message = taken(&serving).work().expect("it is for the application");
    assert!(!message.has_work());
    drop(message);
    assert!(slow.receive().contains("\"id\":4"), "it was freed without an answer");
    drop((slow, other));
    serving.close(None);
    serving.release();
}

/// A call of the tool that is so large.
fn call(id: usize, bytes: usize) -> String {
    let padding = "x".repeat(bytes);
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"positive","arguments":{{"n":1,"x":"{padding}"}}}}}}"#
    )
}

const CALLS: usize = 3000;

/// One client sends many large calls at once, and reads all answers, which are errors: the test frees each request.
fn serves_many_calls(serving: &Arc<Serving>) -> crate::engine::server::Counters {
    let (mut many, mut other) = (Client::of(serving), Client::of(serving));
    let mut sending = many.0.get_ref().try_clone().expect("descriptors are left");
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for id in 1..=CALLS {
                let call = call(id, 1000);
                sending.write_all(format!("{call}\n").as_bytes()).expect("the server reads on in the end");
            }
        });
        let reader = scope.spawn(move || (0..CALLS).map(|_| many.receive()).collect::<Vec<String>>());
        let mut held = Vec::new();
        for number in 0..CALLS {
            if number == 10 {
                other.send(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
                assert!(other.receive().contains("\"result\":{}"), "others are served");
            }
            held.push(taken(serving).work().expect("it is for the application"));
            // Some wait together, so that as many as may be are under way.
            if held.len() == 2 || number + 1 == CALLS {
                held.clear();
            }
        }
        let answers = reader.join().expect("all answers");
        for id in 1..=CALLS {
            assert!(answers.iter().any(|answer| answer.contains(&format!("\"id\":{id},"))), "{id}");
        }
        assert!(answers.iter().all(|answer| !answer.contains("-32010")), "none is refused");
    });
    let counters = serving.inside().engine.counters();
    serving.close(None);
    serving.release();
    counters
}

#[test]
fn a_client_with_more_requests_than_places_is_not_read_until_there_are_some() {
    let mut settings = Settings::new("slow", "1");
    (settings.limits.requests_per_session, settings.limits.waiting_per_session) = (2, 2);
    let counters = serves_many_calls(&serving_with(settings, QueueLimits::default()));
    assert!(counters.held > 0 && counters.busy == 0, "{counters:?}");
}

#[test]
fn requests_wait_for_room_in_the_queue() {
    let queue = QueueLimits { bytes: 4000, ..QueueLimits::default() };
    let counters = serves_many_calls(&serving_with(Settings::new("slow", "1"), queue));
    assert!(counters.busy == 0 && counters.runs == CALLS as u64, "{counters:?}");
}

#[test]
fn room_in_the_queue_is_seen_before_another_thread_has_told_that_requests_wait() {
    let queue = QueueLimits { bytes: 4000, ..QueueLimits::default() };
    let serving = serving_with(Settings::new("slow", "1"), queue);
    // No thread of the server runs: this one does the parts of each.
    serving.with_engine(|engine, now| {
        let session = engine.open(false).expect("there is room");
        let stream = Stream { session, number: 0 };
        engine.frame(now, stream, INITIALIZE.as_bytes());
        for id in 1..=6 {
            engine.frame(now, stream, call(id, 1000).as_bytes());
        }
    });
    let mut seen = Vec::new();
    loop {
        // As a thread sees it whose turn begins while another one registers with the queue.
        serving.is_holding.store(false, Ordering::Release);
        let Look::Message(message) = serving.queue.take(Take::All) else { break };
        // None is answered, which would have its thread look as well.
        seen.push(message);
        serving.turn(None, Some(Instant::now()), &mut Vec::new(), &|| {});
    }
    assert_eq!(seen.len(), 6);
    drop(seen);
    serving.close(None);
    serving.release();
}

#[cfg(feature = "http")]
#[test]
fn a_server_ends_with_its_last_request_where_no_client_can_connect_any_more() {
    let serving = serving();
    let params = r#"{"name":"positive","arguments":{"n":1},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}"#;
    let frame = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
    let scanned = envelope::parse(frame.as_bytes(), 64).expect("a request");
    let (holder, frame) = (Holder::Unknown, frame.into_bytes());
    let tool = Some(("positive".to_owned(), |_: &[u8], _: &[_]| Ok(())));
    let request = SingleRequest { holder, principal: None, frame, scanned, tool, takes_answer: true };
    serving.inside().has_served = true;
    let admitted =
        serving.http_request(request, None, RequestStream::of_tests, |_| panic!("no scope is needed"));
    let Ok(Admitted::Stream(source)) = admitted else { panic!("its answer follows") };
    let message = taken(&serving).work().expect("it is for the application");
    assert!(!serving.role.has_ended());
    let (request, by) = message.request().expect("a request");
    by.respond(request, Outcome::Text("done")).expect("it is under way");
    assert!(serving.role.has_ended() && serving.inside().sessions.is_empty());
    assert!(matches!(serving.queue.take(Take::All), Look::Closed));
    drop((message, by, source));
    serving.close(None);
    serving.release();
}

#[test]
fn clients_that_say_nothing_give_way_and_of_others_those_of_the_largest() {
    let mut settings = Settings::new("slow", "1");
    settings.limits.sessions = 4;
    let serving = serving_with(settings, QueueLimits::default());
    let (flood, calm) = (Holder::process(2), Holder::process(3));
    let mut first = Client::of(&serving);
    let mut silent: Vec<Client> = (0..20).map(|_| Client::silent(&serving, flood.clone())).collect();
    let mut second = Client::of_holder(&serving, calm.clone());
    assert!(first.is_served() && second.is_served());
    for gone in &mut silent[..18] {
        assert_eq!(gone.receive(), "", "the oldest ended");
    }
    // The same with clients that were served, and that come without end.
    let mut served: Vec<Client> = (0..20).map(|_| Client::of_holder(&serving, flood.clone())).collect();
    let mut third = Client::of_holder(&serving, calm);
    assert!(first.is_served() && second.is_served() && third.is_served());
    assert!(served.pop().is_some_and(|mut last| last.is_served()), "the newest of the largest is there");
    assert_eq!(served.pop().map(|mut gone| gone.receive()), Some(String::new()));
    serving.close(None);
    serving.release();
}

#[test]
fn sessions_over_a_socket_from_one_peer_have_one_share() {
    let mut settings = Settings::new("slow", "1");
    settings.limits.requests = 8;
    let serving = serving_with(settings, QueueLimits::default());
    let mut flood: Vec<Client> = (0..6).map(|_| Client::of_holder(&serving, Holder::process(2))).collect();
    let mut calm = Client::of_holder(&serving, Holder::process(3));
    for client in &mut flood {
        for id in 1..=3 {
            client.send(&call(id, 1));
        }
        assert!(client.is_served(), "its requests were read");
    }
    let mut under_way: Vec<Message> = (0..4).map(|_| taken(&serving)).collect();
    assert!(matches!(serving.queue.take(Take::All), Look::Nothing), "half of them");
    calm.send(&call(1, 1));
    assert!(calm.is_served());
    under_way.push(taken(&serving));
    assert_eq!(serving.inside().engine.counters().held, 14);
    drop(under_way);
    serving.close(None);
    serving.release();
}

#[test]
fn the_share_of_a_process_lasts_as_long_as_its_sessions() {
    let serving = serving();
    let came = |process| {
        let credentials = Credentials { user: 1000, group: 0, process: Some(process) };
        serving.holder_of(&RemotePeer::Process(Some(credentials)))
    };
    let mut clients: Vec<Client> =
        (1..=16).map(|process| Client::of_holder(&serving, came(process))).collect();
    assert_eq!(came(17), Holder::User(1000), "though none of these processes is there");
    clients.truncate(15);
    let until = Instant::now() + LONG;
    while came(17) == Holder::User(1000) {
        assert!(Instant::now() < until, "the share of a session that ended is held");
        std::thread::yield_now();
    }
    assert!(clients.iter_mut().all(Client::is_served));
    serving.close(None);
    serving.release();
}

#[test]
fn a_client_that_says_nothing_ends_after_its_time_and_one_that_spoke_does_not() {
    let serving = serving_limited(|limits| limits.silent = Duration::from_millis(30));
    let mut spoke = Client::of(&serving);
    let mut half = Client::silent(&serving, Holder::Unknown);
    half.0.get_mut().write_all(b"{\"jsonrpc\"").expect("the server reads");
    let mut silent = Client::silent(&serving, Holder::Unknown);
    assert_eq!((half.receive(), silent.receive()), (String::new(), String::new()));
    assert!(spoke.is_served());
    serving.close(None);
    serving.release();
}

#[test]
fn a_byte_order_mark_may_stand_before_a_message() {
    let serving = serving();
    let mut client = Client::silent(&serving, Holder::Unknown);
    client.send(&format!("\u{feff}{INITIALIZE}"));
    assert!(client.receive().contains("\"id\":0"));
    client.send("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
    assert!(client.receive().contains("\"id\":1,\"result\":{}"));
    assert!(client.is_served());
    // What is not valid JSON behind the mark is refused as it is without.
    let mut page = Client::silent(&serving, Holder::Unknown);
    page.send("\u{feff}GET / HTTP/1.1");
    assert!(page.is_ended());
    serving.close(None);
    serving.release();
}

#[test]
fn pages_in_a_browser_call_no_tool() {
    let call =
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"positive","arguments":{"n":1}}}"#;
    let head =
        "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4000\r\nContent-Type: text/plain\r\n\r\n";
    let requests = [
        format!("{head}{INITIALIZE}\n{call}\n"),
        format!("\r\n{head}{INITIALIZE}\n{call}\n"),
        format!("{head}Content-Length: 500\r\n\r\n{INITIALIZE}{call}"),
        format!("GET /?{call} HTTP/1.1\r\n\r\n{call}\n"),
    ];
    for framing in [Framing::Newline, Framing::ContentLength] {
        let serving = serving_limited(|limits| limits.framing = framing);
        // A server whose last client leaves ends.
        let other = Client::silent(&serving, Holder::Unknown);
        for request in &requests {
            let mut page = Client::silent(&serving, Holder::Unknown);
            page.0.get_mut().write_all(request.as_bytes()).expect("the server reads");
            assert!(page.is_ended(), "{framing:?}: {request}");
        }
        let inside = serving.inside();
        let counters = inside.engine.counters();
        assert_eq!((inside.sessions.len(), counters.sessions_ended, counters.frames), (1, 4, 0));
        drop(inside);
        assert!(matches!(serving.queue.take(Take::All), Look::Nothing));
        drop(other);
        serving.close(None);
        serving.release();
    }
}

#[test]
fn requests_that_outlast_their_input_are_over_after_a_time() {
    let finish = Duration::from_millis(50);
    let serving = serving_limited(|limits| limits.finish = finish);
    // A server whose last client leaves ends.
    let (mut client, mut other) = (Client::of(&serving), Client::of(&serving));
    client.send(
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"positive","arguments":{"n":1}}}"#,
    );
    let message = taken(&serving).work().expect("it is for the application");
    let before = Instant::now();
    client.0.get_ref().shutdown(Shutdown::Write).expect("it ends its input");
    assert_eq!(client.receive(), "", "no answer");
    assert!(before.elapsed() >= finish, "not at once");
    let told = taken(&serving);
    assert_eq!(
        (told.method(), told.call(), told.json()),
        (Some("notifications/cancelled"), message.call(), r#"{"reason":"session_ended"}"#)
    );
    let (request, by) = message.request().expect("a request");
    assert!(!by.is_under_way(request));
    let late = by.respond(request, Outcome::Text("late")).expect_err("it is over");
    assert_eq!(late.status, Status::Cancelled);
    assert!(other.is_served());
    drop((message, by, other));
    serving.close(None);
    serving.release();
}

#[test]
fn requests_that_are_cancelled_leave_the_queue() {
    let queue = QueueLimits { bytes: 1_000_000, ..QueueLimits::default() };
    let serving = serving_with(Settings::new("slow", "1"), queue);
    let mut client = Client::of(&serving);
    for id in 100..130 {
        client.send(&call(id, 100_000));
        let params = format!(r#"{{"requestId":{id}}}"#);
        client.send(&format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{params}}}"#));
    }
    assert!(client.is_served(), "none of them is answered");
    let inside = serving.inside();
    assert_eq!((inside.engine.counters().cancelled, inside.engine.open_counts()[1]), (30, 0));
    drop(inside);
    assert!(matches!(serving.queue.take(Take::All), Look::Nothing));
    // All their bytes are free again.
    for id in 1..10 {
        client.send(&call(id, 100_000));
    }
    for id in 1..10 {
        drop(taken(&serving).work().expect("it is for the application"));
        assert!(client.receive().contains(&format!("\"id\":{id},")));
    }
    serving.close(None);
    serving.release();
}
