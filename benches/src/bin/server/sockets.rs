//! A Unix socket: each connection is what standard input and output are else. One thread serves them all, which takes one `poll` for
//! those that have sent something, and for each of them one `read` and one `write`.

use crate::answer::Era;
use crate::lines::Lines;
use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::net::UnixListener;

/// Says that it listens at this path, and serves until the input ends.
pub fn serve(era: Era, path: &str, mut input: &File, mut output: &File) -> Result<()> {
    let listener = UnixListener::bind(path)?;
    output.write_all(b"listening\n")?;
    let mut watched = vec![watch(input), watch(&listener)];
    let own = watched.len();
    let mut connections: Vec<(File, Lines)> = Vec::new();
    loop {
        wait(&mut watched)?;
        // It is never written to: the end of it is what is waited for.
        if watched[0].revents != 0 && input.read(&mut [0])? == 0 {
            return Ok(());
        }
        for at in (0..connections.len()).rev() {
            let (connection, lines) = &mut connections[at];
            // A connection that the client ends in the middle is over, which is not a fault of this server.
            if watched[own + at].revents != 0 && !lines.serve(connection, connection).unwrap_or(false) {
                watched.swap_remove(own + at);
                connections.swap_remove(at);
            }
        }
        if watched[1].revents != 0 {
            let connection = File::from(OwnedFd::from(listener.accept()?.0));
            watched.push(watch(&connection));
            connections.push((connection, Lines::new(era)));
        }
    }
}

fn watch(what: &impl AsFd) -> libc::pollfd {
    libc::pollfd { fd: what.as_fd().as_raw_fd(), events: libc::POLLIN, revents: 0 }
}

/// Waits until something can be read.
fn wait(watched: &mut [libc::pollfd]) -> Result<()> {
    let count = libc::nfds_t::try_from(watched.len()).unwrap_or(libc::nfds_t::MAX);
    // SAFETY: the pointer is to as many entries as are said, which the call only writes into.
    while unsafe { libc::poll(watched.as_mut_ptr(), count, -1) } < 0 {
        let error = Error::last_os_error();
        if error.kind() != ErrorKind::Interrupted {
            return Err(error);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader};
    use std::os::unix::net::UnixStream;

    #[test]
    fn connections_are_answered_beside_each_other_until_the_input_ends() {
        let path = std::env::temp_dir().join(format!("mcp-bench-server-{}", std::process::id()));
        let path = path.to_str().expect("a plain path");
        let (lifeline, input) = UnixStream::pair().expect("a pair");
        let (said, output) = UnixStream::pair().expect("a pair");
        let (input, output) = (File::from(OwnedFd::from(input)), File::from(OwnedFd::from(output)));
        std::thread::scope(|scope| {
            let server = scope.spawn(move || serve(Era::Legacy, path, &input, &output));
            let mut line = String::new();
            BufReader::new(said).read_line(&mut line).expect("a line");
            assert_eq!(line, "listening\n");
            let mut clients: Vec<_> = (0..3).map(|_| UnixStream::connect(path).expect("connected")).collect();
            // One ends before it has asked for anything.
            clients.remove(1);
            for (id, client) in clients.iter_mut().enumerate() {
                let call =
                    format!("{{\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"text\":\"hello\"}}}}\n");
                client.write_all(call.as_bytes()).expect("written");
            }
            for (id, client) in clients.iter().enumerate().rev() {
                let mut answer = String::new();
                BufReader::new(client).read_line(&mut answer).expect("an answer");
                assert!(
                    answer.contains(&format!("\"id\":{id},")) && answer.contains("\"hello\""),
                    "{answer}"
                );
            }
            drop(lifeline);
            server.join().expect("no panic").expect("served");
        });
        std::fs::remove_file(path).expect("the socket is there");
    }
}
