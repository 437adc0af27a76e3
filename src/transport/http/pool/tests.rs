//! Against a server of sockets that does what the test says.

use super::*;
use crate::transport::http::address::Address;
use crate::transport::http::body::Body;
use crate::transport::http::settings::{HttpSettings, TlsSettings};
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
                ended.send(number).expect("somebody hears");
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
        idle_connections: most,
        idle_time: time,
        ping: Duration::from_secs(10),
        remember_era: true,
        resume_attempts: 0,
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
    let (response, lease) = pool.request(request).await?;
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
            // A second connection would find nobody who takes it.
            assert_eq!(ask(&pool).await.as_deref(), Ok("ok"));
        }
    });
    assert_eq!(pool.shelf.state().idle.len(), 1);
}

#[test]
fn an_answer_says_where_it_came_from() {
    let (to, _hears) = server(vec![answers_all]);
    let pool = pool(&to, 8, Duration::from_secs(60));
    runtime().block_on(async {
        for _ in 0..2 {
            let mut request = Request::new(Full::new(Bytes::new()));
            *request.uri_mut() = Uri::from_static("/mcp");
            let (response, lease) = pool.request(request).await.expect("an answer");
            assert_eq!(lease.peer().map(|Peer(address)| address.to_string()).as_deref(), Some("127.0.0.1"));
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
        assert!(pool.shelf.state().idle.is_empty());
    });
    assert_eq!(hears.recv_timeout(Duration::from_secs(10)), Ok(0));
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
        assert_eq!(pool.shelf.state().idle.len(), 2);
        while pool.shelf.state().is_watched {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert!(pool.shelf.state().idle.is_empty());
    });
    for _ in 0..3 {
        assert!(hears.recv_timeout(Duration::from_secs(10)).is_ok(), "every connection was closed");
    }
}
