//! Against a server of sockets that does what the test says.

use super::*;
use crate::transport::http::address::Address;
use crate::transport::http::body::Body;
use crate::transport::http::settings::{HttpSettings, TlsSettings};
use crate::transport::system::io::ACKNOWLEDGES;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;

const ANSWER: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/// Takes connections one after another and has each served by the next of `roles`; tells of each that has ended.
fn server(roles: Vec<fn(TcpStream)>) -> (Uri, mpsc::Receiver<usize>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let to = format!("http://{}/", listener.local_addr().expect("an address")).parse().expect("a URL");
    let (ended, hears) = mpsc::channel();
    std::thread::spawn(move || {
        for (number, role) in roles.into_iter().enumerate() {
            let (stream, _) = listener.accept().expect("a connection");
            let ended = ended.clone();
            std::thread::spawn(move || {
                role(stream);
                ended.send(number).expect("the channel is open");
            });
        }
    });
    (to, hears)
}

/// Reads one request; none at the end of the connection.
fn request(stream: &mut TcpStream) -> Option<String> {
    let mut text = Vec::new();
    let mut byte = [0];
    while !text.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte) {
            Ok(1) => text.push(byte[0]),
            _ => return None,
        }
    }
    String::from_utf8(text).ok()
}

fn answers_all(mut stream: TcpStream) {
    while request(&mut stream).is_some() {
        stream.write_all(ANSWER.as_bytes()).expect("written");
    }
}

fn answers_once(mut stream: TcpStream) {
    request(&mut stream);
    stream.write_all(ANSWER.as_bytes()).expect("written");
}

fn pool(to: &Uri, most: usize, time: Duration) -> Pool {
    let settings = HttpSettings {
        url: Address::parse(&to.to_string()).expect("a URL"),
        headers: Vec::new(),
        unix_socket: None,
        proxy: None,
        tls: TlsSettings::default(),
        header_bytes: 65536,
        message_bytes: 65536,
        connect: Duration::from_secs(10),
        compression: false,
        cookies: false,
        idle_connections: most,
        idle_time: time,
        ping: Duration::from_secs(10),
        remember_era: true,
        resume_attempts: 0,
        draft: crate::protocol::draft::Drafts::default(),
    };
    let connector = Connector::new(&settings).expect("a connector");
    let mut builder = Builder::new();
    builder.writev(false);
    Pool::new(connector, to.clone(), builder, 65_536, most, time)
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

async fn head(pool: &Pool) -> Result<Body, Unanswered> {
    let mut request = Request::new(Full::new(Bytes::new()));
    *request.uri_mut() = Uri::from_static("/mcp");
    let (response, lease) = pool.request(request, false).await?;
    Ok(Body::new(response.into_body(), Some(lease), None, 65536).expect("no encoding"))
}

async fn ask(pool: &Pool) -> Result<String, Unanswered> {
    let bytes = head(pool).await?.whole(65536).await.expect("a body");
    Ok(String::from_utf8(bytes).expect("text"))
}

#[test]
fn a_connection_is_used_again_for_the_next_request() {
    let (to, _hears) = server(vec![answers_all]);
    let pool = pool(&to, 8, Duration::from_secs(60));
    runtime().block_on(async {
        for _ in 0..3 {
            // A second connection would not be accepted.
            assert_eq!(ask(&pool).await.as_deref(), Ok("ok"));
        }
    });
    assert_eq!(pool.idle.state().idle.len(), 1);
}

#[test]
fn an_answer_says_where_it_came_from() {
    let (to, _hears) = server(vec![answers_all]);
    let pool = pool(&to, 8, Duration::from_secs(60));
    runtime().block_on(async {
        for _ in 0..2 {
            let mut request = Request::new(Full::new(Bytes::new()));
            *request.uri_mut() = Uri::from_static("/mcp");
            let (response, lease) = pool.request(request, false).await.expect("an answer");
            assert_eq!(
                lease.peer().map(|RemoteAddr(address)| address.to_string()).as_deref(),
                Some("127.0.0.1")
            );
            let mut body = Body::new(response.into_body(), Some(lease), None, 65536).expect("no encoding");
            assert_eq!(body.whole(65536).await.as_deref(), Ok(&b"ok"[..]));
        }
    });
}

#[test]
fn a_kept_connection_that_the_server_closed_is_replaced_and_not_reported() {
    let (to, hears) = server(vec![answers_once, answers_all]);
    let pool = pool(&to, 8, Duration::from_secs(60));
    runtime().block_on(async {
        assert_eq!(ask(&pool).await.as_deref(), Ok("ok"));
        assert_eq!(hears.recv(), Ok(0), "the server has closed it");
        // The runtime looks at its sockets, as it does while an application is busy with something else.
        tokio::task::yield_now().await;
        assert_eq!(ask(&pool).await.as_deref(), Ok("ok"));
    });
}

#[test]
fn a_request_whose_connection_breaks_is_not_sent_twice() {
    fn answers_once_and_leaves_with_the_second(mut stream: TcpStream) {
        request(&mut stream);
        stream.write_all(ANSWER.as_bytes()).expect("written");
        request(&mut stream);
    }
    let (to, _hears) = server(vec![answers_once_and_leaves_with_the_second, answers_all]);
    let pool = pool(&to, 8, Duration::from_secs(60));
    runtime().block_on(async {
        assert_eq!(ask(&pool).await.as_deref(), Ok("ok"));
        let outcome = ask(&pool).await;
        assert!(matches!(outcome, Err(Unanswered::Lost(_))), "{outcome:?}");
    });
}

#[test]
fn a_request_that_is_let_go_before_its_answer_takes_its_connection_along() {
    static ARRIVED: Notify = Notify::const_new();
    fn says_nothing(mut stream: TcpStream) {
        assert!(request(&mut stream).is_some());
        ARRIVED.notify_one();
        // Until the other side closes.
        assert_eq!(request(&mut stream), None);
    }
    let (to, hears) = server(vec![says_nothing]);
    let pool = pool(&to, 8, Duration::from_secs(60));
    let runtime = runtime();
    runtime.block_on(async {
        let (mut answer, mut arrived) = (pin!(head(&pool)), pin!(ARRIVED.notified()));
        poll_fn(|cx| {
            assert!(answer.as_mut().poll(cx).is_pending(), "nothing was answered");
            arrived.as_mut().poll(cx)
        })
        .await;
    });
    assert!(pool.idle.state().idle.is_empty());
    assert_eq!(hears.recv_timeout(Duration::from_secs(60)), Ok(0));
}

#[test]
fn an_answer_that_is_let_go_takes_its_connection_along() {
    fn promises_more(mut stream: TcpStream) {
        request(&mut stream);
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nok").expect("written");
        // Until the other side closes.
        assert_eq!(request(&mut stream), None);
    }
    let (to, hears) = server(vec![promises_more]);
    let pool = pool(&to, 8, Duration::from_secs(60));
    runtime().block_on(async {
        let body = head(&pool).await;
        assert!(body.is_ok());
        drop(body);
        assert!(pool.idle.state().idle.is_empty());
    });
    assert_eq!(hears.recv_timeout(Duration::from_secs(60)), Ok(0));
}

#[test]
fn no_more_are_kept_than_the_bound_and_none_for_longer_than_its_time() {
    let (to, hears) = server(vec![answers_all, answers_all, answers_all]);
    let pool = pool(&to, 2, Duration::from_millis(50));
    runtime().block_on(async {
        let mut bodies = Vec::new();
        for _ in 0..3 {
            bodies.push(head(&pool).await.expect("an answer"));
        }
        for mut body in bodies {
            assert_eq!(body.whole(65536).await.as_deref(), Ok(&b"ok"[..]));
        }
        assert_eq!(pool.idle.state().idle.len(), 2);
        // On another thread, so that the runtime continues meanwhile.
        let all_closed = move || (0..3).all(|_| hears.recv_timeout(Duration::from_secs(60)).is_ok());
        assert!(
            tokio::task::spawn_blocking(all_closed).await.expect("no panic"),
            "every connection was closed"
        );
        assert!(pool.idle.state().idle.is_empty());
    });
}

/// As `ask`, for a request that may be sent twice.
async fn ask_again(pool: &Pool) -> Result<String, Unanswered> {
    let mut request = Request::new(Full::new(Bytes::new()));
    *request.uri_mut() = Uri::from_static("/mcp");
    let (response, lease) = pool.request(request, true).await?;
    let mut body = Body::new(response.into_body(), Some(lease), None, 65536).expect("no encoding");
    Ok(String::from_utf8(body.whole(65536).await.expect("a body")).expect("text"))
}

fn answers_once_and_leaves_with_the_second(mut stream: TcpStream) {
    request(&mut stream);
    stream.write_all(ANSWER.as_bytes()).expect("written");
    request(&mut stream);
}

#[test]
fn a_request_that_may_be_repeated_gets_a_new_connection_when_kept_ones_end_under_it() {
    // Two are kept, and both end with the next request: the second is not tried.
    fn waits_for_its_like(mut stream: TcpStream) {
        request(&mut stream);
        BOTH.wait();
        stream.write_all(ANSWER.as_bytes()).expect("written");
        request(&mut stream);
    }
    static BOTH: std::sync::Barrier = std::sync::Barrier::new(2);
    let (to, _hears) = server(vec![waits_for_its_like, waits_for_its_like, answers_all]);
    let pool = pool(&to, 8, Duration::from_secs(60));
    runtime().block_on(async {
        let (one, other) = futures_of_two(&pool).await;
        assert_eq!((one.as_deref(), other.as_deref()), (Ok("ok"), Ok("ok")));
        assert_eq!(pool.idle.state().idle.len(), 2);
        assert_eq!(ask_again(&pool).await.as_deref(), Ok("ok"));
    });
    assert_eq!(pool.idle.state().idle.len(), 2, "the one that was not tried, and the new one");
}

async fn futures_of_two(pool: &Pool) -> (Result<String, Unanswered>, Result<String, Unanswered>) {
    let (mut one, mut other) = (pin!(ask(pool)), pin!(ask(pool)));
    let (mut first, mut second) = (None, None);
    poll_fn(|cx| {
        if first.is_none()
            && let Poll::Ready(answer) = one.as_mut().poll(cx)
        {
            first = Some(answer);
        }
        if second.is_none()
            && let Poll::Ready(answer) = other.as_mut().poll(cx)
        {
            second = Some(answer);
        }
        if first.is_some() && second.is_some() { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    (first.expect("an answer"), second.expect("an answer"))
}

#[test]
fn a_new_connection_that_ends_without_an_answer_is_reported_also_for_what_may_be_repeated() {
    fn leaves(mut stream: TcpStream) {
        request(&mut stream);
    }
    let (to, _hears) = server(vec![answers_once_and_leaves_with_the_second, leaves, answers_all]);
    let pool = pool(&to, 8, Duration::from_secs(60));
    runtime().block_on(async {
        assert_eq!(ask(&pool).await.as_deref(), Ok("ok"));
        let outcome = ask_again(&pool).await;
        assert!(matches!(outcome, Err(Unanswered::Lost(_))), "{outcome:?}");
    });
}

#[test]
fn bytes_on_a_kept_connection_make_it_unusable_though_the_runtime_has_not_looked() {
    static MORE: std::sync::Barrier = std::sync::Barrier::new(2);
    fn says_more(mut stream: TcpStream) {
        request(&mut stream);
        stream.write_all(ANSWER.as_bytes()).expect("written");
        MORE.wait();
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray").expect("written");
        MORE.wait();
        // Until the other side closes.
        assert_eq!(request(&mut stream), None);
    }
    let (to, hears) = server(vec![says_more, answers_all]);
    let pool = pool(&to, 8, Duration::from_secs(60));
    runtime().block_on(async {
        assert_eq!(ask(&pool).await.as_deref(), Ok("ok"));
        // This blocks the runtime, which does not learn of the bytes.
        MORE.wait();
        MORE.wait();
        assert_eq!(ask(&pool).await.as_deref(), Ok("ok"));
    });
    assert_eq!(hears.recv_timeout(Duration::from_secs(60)), Ok(0));
}

/// How often the system was asked to acknowledge at once, after so many answers in the way of `role`.
fn acknowledged(role: fn(TcpStream)) -> usize {
    let (to, _hears) = server(vec![role]);
    let pool = pool(&to, 8, Duration::from_secs(60));
    runtime().block_on(async {
        for _ in 0..10 {
            assert_eq!(ask(&pool).await.as_deref(), Ok("ok"));
        }
    });
    let state = pool.idle.state();
    let (_, connection) = state.idle.first().expect("it is kept");
    connection.read_counter.acknowledged.load(std::sync::atomic::Ordering::Relaxed)
}

#[test]
fn only_an_answer_that_comes_in_pieces_is_acknowledged_at_once() {
    fn in_two_pieces(mut stream: TcpStream) {
        stream.set_nodelay(false).expect("an option");
        let (head, body) = ANSWER.split_at(ANSWER.len() - 2);
        while request(&mut stream).is_some() {
            stream.write_all(head.as_bytes()).expect("written");
            stream.write_all(body.as_bytes()).expect("written");
        }
    }
    // Whole answers cost no system call more.
    assert_eq!(acknowledged(answers_all), 0);
    // The system may hand over two pieces at once, but for each that it does not there is one, where it can be asked.
    let times = acknowledged(in_two_pieces);
    let expected = if ACKNOWLEDGES { 1..=10 } else { 0..=0 };
    assert!(expected.contains(&times), "{times}");
}
