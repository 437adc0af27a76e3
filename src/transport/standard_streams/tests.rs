use super::*;
use crate::transport::Framing;
use crate::transport::framing::Piece;
use crate::transport::process::forked::{close, holds_in_child, in_child, put, run_ignored, terminal};
use crate::transport::stream::{Access, Incoming, Outgoing, Read};
use crate::transport::stream::{Direction, StreamEnd};
use crate::transport::system::io::file_identity;
use rustix::fd::{AsFd, AsRawFd, OwnedFd};
use rustix::fs::{OFlags, fstat};
use rustix::io::{Errno, FdFlags, fcntl_dupfd_cloexec};
use rustix::pipe::pipe;
use rustix::stdio::{stderr, stdin, stdout};

#[test]
fn standard_streams_are_tested_in_a_process_of_their_own() {
    run_ignored("transport::standard_streams::tests::");
}

/// Fails the check with what was expected.
macro_rules! expect {
    ($holds:expr) => {
        if !$holds {
            return Err(format!("line {}: {}", line!(), stringify!($holds)));
        }
    };
}

/// The other ends of this process's standard streams.
struct Around {
    client_out: OwnedFd,
    client_in: OwnedFd,
    errors: OwnedFd,
}

/// Gives this process pipes as standard streams.
fn pipes() -> Result<Around, String> {
    let text = |errno: Errno| format!("a pipe: {errno}");
    let (input, client_out) = pipe().map_err(text)?;
    let (client_in, output) = pipe().map_err(text)?;
    let (errors, printed) = pipe().map_err(text)?;
    for (end, number) in [(&input, 0), (&output, 1), (&printed, 2)] {
        put(end, number)?;
    }
    for end in [&client_in, &errors] {
        rustix::fs::fcntl_setfl(end, OFlags::NONBLOCK).map_err(text)?;
    }
    Ok(Around { client_out, client_in, errors })
}

fn say(fd: impl AsFd, text: &str) -> bool {
    rustix::io::write(fd, text.as_bytes()) == Ok(text.len())
}

/// What can be read now; `None` where that is nothing.
fn heard(fd: impl AsFd) -> Option<String> {
    let mut bytes = [0; 256];
    let length = rustix::io::read(fd, &mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes[..length]).into_owned())
}

fn take(protect: bool) -> Result<TakenStreams<StandardStreams>, String> {
    StandardStreams::take(protect).map_err(|refused| refused.message)
}

fn next_frame(incoming: &mut Incoming) -> Option<String> {
    while incoming.read() != Read::Ended {
        if let Some(Piece::Frame(frame)) = incoming.next_piece() {
            return String::from_utf8(frame).ok();
        }
    }
    None
}

fn incoming(end: StreamEnd) -> Incoming {
    Incoming::on(end, Framing::Newline, 1024, 1024)
}

#[test]
#[ignore = "run by standard_streams_are_tested_in_a_process_of_their_own"]
fn what_the_program_prints_and_reads_stays_apart_from_the_messages() {
    in_child(|| {
        let around = pipes()?;
        let taken = take(true)?;
        for end in [&taken.input.fd, &taken.output.fd] {
            expect!(end.as_raw_fd() > 2);
            expect!(rustix::io::fcntl_getfd(end).is_ok_and(|flags| flags.contains(FdFlags::CLOEXEC)));
        }
        expect!(say(&around.client_out, "one\ntwo\n"));
        // A library that reads standard input, and one that prints.
        expect!(heard(stdin()).as_deref() == Some(""));
        expect!(say(stdout(), "printed"));
        expect!(heard(&around.errors).as_deref() == Some("printed"));
        let mut input = incoming(taken.input);
        let mut output = Outgoing::on(taken.output, Framing::Newline);
        expect!(next_frame(&mut input).as_deref() == Some("one"));
        output.push(b"answer".to_vec());
        expect!(output.flush().is_ok());
        expect!(heard(&around.client_in).as_deref() == Some("answer\n"));
        drop((input, output, taken.streams));
        expect!(say(stdout(), "after"));
        expect!(heard(&around.client_in).as_deref() == Some("after"));
        expect!(say(&around.client_out, "later"));
        expect!(heard(stdin()).as_deref() == Some("later"));
        expect!(heard(&around.errors).is_none());
        Ok(())
    });
}

#[test]
#[ignore = "run by standard_streams_are_tested_in_a_process_of_their_own"]
fn without_protection_the_descriptors_stay_as_they_are() {
    in_child(|| {
        let around = pipes()?;
        let taken = take(false)?;
        expect!(say(stdout(), "printed"));
        expect!(heard(&around.client_in).as_deref() == Some("printed"));
        drop(taken);
        expect!(say(stdout(), "again"));
        expect!(heard(&around.client_in).as_deref() == Some("again"));
        Ok(())
    });
}

#[test]
#[ignore = "run by standard_streams_are_tested_in_a_process_of_their_own"]
fn a_shared_pipe_is_not_made_non_blocking() {
    in_child(|| {
        let around = pipes()?;
        let taken = take(true)?;
        expect!(taken.input.access == Access::Direct && taken.output.access == Access::Direct);
        expect!(incoming(taken.input).read() == Read::Nothing);
        drop(taken.streams);
        for fd in [stdin(), stdout()] {
            expect!(rustix::fs::fcntl_getfl(fd).is_ok_and(|flags| !flags.contains(OFlags::NONBLOCK)));
        }
        drop(around);
        Ok(())
    });
}

#[test]
#[ignore = "run by standard_streams_are_tested_in_a_process_of_their_own"]
fn one_connection_of_a_process_has_them_at_a_time() {
    in_child(|| {
        let around = pipes()?;
        let first = take(true)?;
        let refused = StandardStreams::take(true).map_err(|refused| refused.message);
        expect!(refused.is_err_and(|message| message.contains("another server of this process has them")));
        expect!(say(stdout(), "printed") && heard(&around.errors).as_deref() == Some("printed"));
        drop(first);
        drop(take(true)?);
        Ok(())
    });
}

#[test]
#[ignore = "run by standard_streams_are_tested_in_a_process_of_their_own"]
fn a_closed_descriptor_is_refused_and_a_closed_standard_error_is_not() {
    for (number, name) in [(0, "standard input"), (1, "standard output")] {
        in_child(|| {
            let _around = pipes()?;
            close(number);
            let refused =
                StandardStreams::take(true).map(drop).map_err(|refused| (refused.message, refused.errno));
            expect!(
                refused
                    == Err((
                        format!(
                            "cannot serve on the standard streams: descriptor {number} ({name}) is closed; let the \
                             client start this program with pipes to it as standard input and output"
                        ),
                        Some(Errno::BADF.raw_os_error())
                    ))
            );
            Ok(())
        });
    }
    in_child(|| {
        let around = pipes()?;
        close(2);
        let taken = take(true)?;
        expect!(taken.input.fd.as_raw_fd() > 2 && taken.output.fd.as_raw_fd() > 2);
        expect!(fstat(stderr()).is_err());
        expect!(say(stdout(), "printed"));
        expect!(heard(&around.client_in).is_none());
        drop(taken);
        expect!(say(stdout(), "after"));
        expect!(heard(&around.client_in).as_deref() == Some("after"));
        Ok(())
    });
}

#[test]
#[ignore = "run by standard_streams_are_tested_in_a_process_of_their_own"]
fn prints_do_not_reach_the_client_through_a_standard_error_that_is_the_same_pipe() {
    in_child(|| {
        let around = pipes()?;
        dup_stdout_to_stderr()?;
        let taken = take(true)?;
        expect!(say(stdout(), "printed"));
        expect!(heard(&around.client_in).is_none());
        drop(taken);
        expect!(say(stdout(), "after") && heard(&around.client_in).as_deref() == Some("after"));
        Ok(())
    });
}

#[test]
#[ignore = "run by standard_streams_are_tested_in_a_process_of_their_own"]
fn what_is_opened_again_never_becomes_a_standard_stream() {
    in_child(|| {
        let (reader, writer) = pipe().map_err(|errno| errno.to_string())?;
        close(2);
        for (end, direction) in [(&reader, Direction::Input), (&writer, Direction::Output)] {
            let end = StreamEnd::of_shared(copy_of(end)?, direction).map_err(|errno| errno.to_string())?;
            expect!(end.access == Access::Direct && end.fd.as_raw_fd() > 2);
        }
        expect!(fstat(stderr()).is_err());
        Ok(())
    });
}

fn dup_stdout_to_stderr() -> Result<(), String> {
    rustix::stdio::dup2_stderr(stdout()).map_err(|errno| errno.to_string())
}

#[test]
#[ignore = "run by standard_streams_are_tested_in_a_process_of_their_own"]
fn the_wrong_direction_and_what_is_no_stream_are_refused() {
    let refused = |number: i32, why: &'static str, fd: fn() -> OwnedFd| {
        in_child(move || {
            let _around = pipes()?;
            put(&fd(), number)?;
            let refused = StandardStreams::take(true).map(drop).map_err(|refused| refused.message);
            expect!(refused.is_err_and(|message| message.contains(why)));
            // Nothing is held: with streams of the right kind it works.
            let _around = pipes()?;
            drop(take(true)?);
            Ok(())
        });
    };
    refused(0, "descriptor 0 (standard input) is open for writing only", || pipe().expect("a pipe").1);
    refused(1, "descriptor 1 (standard output) is open for reading only", || pipe().expect("a pipe").0);
    refused(0, "is not a byte stream", || std::fs::File::open("/").expect("the folder").into());
    refused(1, "is a socket for datagrams", || {
        std::os::unix::net::UnixDatagram::unbound().expect("a socket").into()
    });
}

#[test]
#[ignore = "run by standard_streams_are_tested_in_a_process_of_their_own"]
fn files_sockets_and_terminals_are_streams_too() {
    in_child(|| {
        let _around = pipes()?;
        let text = |error: std::io::Error| error.to_string();
        let path = std::env::temp_dir().join(format!("mcp-streams-{}", std::process::id()));
        std::fs::write(&path, "one\n").map_err(text)?;
        let answers = path.with_extension("out");
        put(&std::fs::File::open(&path).map_err(text)?.into(), 0)?;
        put(&std::fs::File::create(&answers).map_err(text)?.into(), 1)?;
        let taken = take(true)?;
        expect!(taken.input.is_always_ready && taken.output.is_always_ready);
        let mut input = incoming(taken.input);
        let mut output = Outgoing::on(taken.output, Framing::Newline);
        expect!(next_frame(&mut input).as_deref() == Some("one"));
        expect!(input.read() == Read::Ended);
        output.push(b"answer".to_vec());
        expect!(output.flush().is_ok() && output.has_been_read() != Some(false));
        expect!(say(stdout(), "printed"));
        let written = std::fs::read_to_string(&answers).map_err(text)?;
        std::fs::remove_file(&path).and_then(|()| std::fs::remove_file(&answers)).map_err(text)?;
        expect!(written == "answer\n");
        Ok(())
    });
    in_child(|| {
        let _around = pipes()?;
        let (ours, theirs) = std::os::unix::net::UnixStream::pair().map_err(|error| error.to_string())?;
        let (ours, theirs) = (OwnedFd::from(ours), OwnedFd::from(theirs));
        put(&ours, 0)?;
        put(&ours, 1)?;
        let taken = take(true)?;
        expect!(say(&theirs, "one\n"));
        let mut output = Outgoing::on(taken.output, Framing::Newline);
        expect!(next_frame(&mut incoming(taken.input)).as_deref() == Some("one"));
        output.push(b"answer".to_vec());
        expect!(output.flush().is_ok() && heard(&theirs).as_deref() == Some("answer\n"));
        expect!(rustix::fs::fcntl_getfl(&ours).is_ok_and(|flags| !flags.contains(OFlags::NONBLOCK)));
        drop(theirs);
        output.push(b"no reader".to_vec());
        expect!(output.flush() == Err(Errno::PIPE));
        Ok(())
    });
    in_child(|| {
        let _around = pipes()?;
        let (person, program) = terminal();
        for number in [0, 1, 2] {
            put(&program, number)?;
        }
        let taken = take(true)?;
        expect!(!taken.input.is_always_ready);
        expect!(
            incoming(
                StreamEnd::of_shared(copy_of(&taken.input.fd)?, Direction::Input)
                    .map_err(|e| e.to_string())?
            )
            .read()
                == Read::Nothing
        );
        expect!(say(&person, "one\n"));
        let mut input = incoming(taken.input);
        expect!(next_frame(&mut input).as_deref() == Some("one"));
        let mut output = Outgoing::on(taken.output, Framing::Newline);
        output.push(b"answer".to_vec());
        expect!(output.flush().is_ok());
        // The terminal echoes what the person typed; a person reads what is printed, too.
        expect!(say(stdout(), "printed"));
        let mut screen = String::new();
        while !screen.contains("printed") {
            screen += &heard(&person).ok_or("no terminal")?;
        }
        expect!(screen.contains("answer\r\n"));
        expect!(rustix::fs::fcntl_getfl(&program).is_ok_and(|flags| !flags.contains(OFlags::NONBLOCK)));
        Ok(())
    });
}

fn copy_of(fd: &OwnedFd) -> Result<OwnedFd, String> {
    fcntl_dupfd_cloexec(fd, 3).map_err(|errno| errno.to_string())
}

#[test]
#[ignore = "run by standard_streams_are_tested_in_a_process_of_their_own"]
fn the_end_of_input_and_a_reader_that_is_gone_are_told() {
    in_child(|| {
        let around = pipes()?;
        let taken = take(true)?;
        expect!(say(&around.client_out, "{\"half\":"));
        drop(around);
        let mut input = incoming(taken.input);
        while input.read() != Read::Ended {}
        expect!(input.error().is_none() && input.is_partial());
        let mut output = Outgoing::on(taken.output, Framing::Newline);
        output.push(b"answer".to_vec());
        expect!(output.flush() == Err(Errno::PIPE));
        Ok(())
    });
    in_child(|| {
        // The reader is gone before the streams are taken.
        let around = pipes()?;
        drop(around.client_in);
        let taken = take(true)?;
        let mut output = Outgoing::on(taken.output, Framing::Newline);
        output.push(b"answer".to_vec());
        expect!(output.flush() == Err(Errno::PIPE));
        Ok(())
    });
}

#[test]
#[ignore = "run by standard_streams_are_tested_in_a_process_of_their_own"]
fn a_reader_that_is_gone_is_told_to_a_writer_that_asks_first() {
    in_child(|| {
        let (reader, writer) = pipe().map_err(|errno| errno.to_string())?;
        let end = StreamEnd { fd: writer, access: Access::AskFirst, is_always_ready: false, is_pipe: true };
        let mut output = Outgoing::on(end, Framing::Newline);
        drop(reader);
        output.push(b"answer".to_vec());
        expect!(output.flush() == Err(Errno::PIPE));
        Ok(())
    });
}

#[test]
#[ignore = "run by standard_streams_are_tested_in_a_process_of_their_own"]
fn a_child_of_fork_restores_nothing_and_may_take_its_own() {
    in_child(|| {
        let around = pipes()?;
        let mut taken = Some(take(true)?);
        let errors = file_identity(&fstat(stderr()).map_err(|errno| errno.to_string())?);
        let leads_to_errors = || fstat(stdout()).is_ok_and(|stat| file_identity(&stat) == errors);
        expect!(leads_to_errors());
        expect!(holds_in_child(|| {
            let kept = taken
                .as_ref()
                .and_then(|taken| taken.streams.output.as_ref())
                .map(|o| o.original.as_raw_fd());
            drop(taken.take());
            let still_open =
                kept.is_some_and(|fd| std::fs::exists(format!("/proc/self/fd/{fd}")).unwrap_or(false));
            still_open && leads_to_errors() && StandardStreams::take(true).is_ok()
        }));
        expect!(leads_to_errors());
        drop(taken);
        expect!(say(stdout(), "after") && heard(&around.client_in).as_deref() == Some("after"));
        Ok(())
    });
}

#[test]
#[ignore = "run by standard_streams_are_tested_in_a_process_of_their_own"]
fn what_the_program_has_changed_since_stays() {
    in_child(|| {
        let around = pipes()?;
        let taken = take(true)?;
        let (reader, own) = pipe().map_err(|errno| errno.to_string())?;
        put(&own, 1)?;
        drop(taken);
        expect!(say(stdout(), "for the program") && heard(&reader).as_deref() == Some("for the program"));
        // The end: no descriptor leads there any more.
        expect!(heard(&around.client_in).as_deref() == Some(""));
        expect!(say(&around.client_out, "input") && heard(stdin()).as_deref() == Some("input"));
        Ok(())
    });
}

#[test]
#[ignore = "run by standard_streams_are_tested_in_a_process_of_their_own"]
fn without_descriptors_it_is_refused_and_nothing_has_changed() {
    in_child(|| {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let around = pipes()?;
        let before = getrlimit(Resource::Nofile);
        // With each number of descriptors that is too few, it stops in another place.
        let mut refusals = 0;
        for spare in 0..16 {
            let lowest_free =
                fcntl_dupfd_cloexec(stderr(), 3).map_err(|errno| errno.to_string())?.as_raw_fd();
            let most = u64::try_from(lowest_free + spare).map_err(|error| error.to_string())?;
            let lowered = Rlimit { current: Some(most), maximum: before.maximum };
            setrlimit(Resource::Nofile, lowered).map_err(|errno| errno.to_string())?;
            let taken = StandardStreams::take(true);
            setrlimit(Resource::Nofile, before).map_err(|errno| errno.to_string())?;
            if let Err(refused) = &taken {
                refusals += 1;
                expect!(refused.errno == Some(Errno::MFILE.raw_os_error()));
                // Each C library has its own words for it.
                expect!(refused.message.contains("could not be duplicated ("));
            }
            drop(taken);
            expect!(say(stdout(), "print") && heard(&around.client_in).as_deref() == Some("print"));
        }
        expect!((5..16).contains(&refusals));
        Ok(())
    });
}
