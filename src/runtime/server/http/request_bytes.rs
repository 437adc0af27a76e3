//! `RequestBytes`: what a connection of HTTP/1.1 receives: lines that cannot be mistaken, and an end that is no end yet while the
//! client may still read.

use super::progress::ConnectionProgress;
use crate::transport::http_server::heads::Heads;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// How long a client that sends nothing more counts as one that still reads: it may have closed one half of its connection (RFC 9112,
/// section 9.6) or all of it, which only a write tells apart.
pub(super) const HALF_CLOSED: Duration = Duration::from_secs(2);

/// A connection of HTTP/1.1.
#[derive(Debug)]
pub(super) struct RequestBytes<S> {
    io: S,
    heads: Heads,
    progress: Arc<ConnectionProgress>,
    /// The client has sent everything, and was heard for as long as that.
    ended: Option<Pin<Box<Sleep>>>,
    /// Something was written since then. A client that is gone makes one of the next writes fail.
    was_written: bool,
}

impl<S> RequestBytes<S> {
    pub(super) fn new(io: S, progress: Arc<ConnectionProgress>) -> RequestBytes<S> {
        RequestBytes { io, heads: Heads::new(), progress, ended: None, was_written: false }
    }

    /// The client sends nothing more. While an answer is due to it the connection goes on.
    fn poll_ended(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.heads.is_between() || !self.progress.is_busy() {
            return Poll::Ready(Ok(()));
        }
        let timer = self.ended.get_or_insert_with(|| Box::pin(tokio::time::sleep(HALF_CLOSED)));
        if timer.as_mut().poll(context).is_pending() || self.was_written {
            return Poll::Pending;
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for RequestBytes<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.ended.is_some() {
            return self.poll_ended(context);
        }
        if self.heads.has_refused() {
            return Poll::Ready(Ok(()));
        }
        let before = into.filled().len();
        ready!(Pin::new(&mut self.io).poll_read(context, into))?;
        let received = &mut into.filled_mut()[before..];
        if received.is_empty() {
            return self.poll_ended(context);
        }
        let passed = self.heads.pass(received);
        into.set_filled(before + passed);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for RequestBytes<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.io).poll_write(context, bytes);
        self.was_written |= self.ended.is_some() && polled.is_ready();
        polled
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.io).poll_write_vectored(context, parts);
        self.was_written |= self.ended.is_some() && polled.is_ready();
        polled
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::server::http::progress::ProgressStep;
    use std::future::poll_fn;
    use tokio::runtime::Builder;
    use tokio::time::{Instant, timeout};

    /// A client that has sent something and then nothing more, and takes what is written.
    #[derive(Debug)]
    struct Sent(&'static [u8]);

    impl AsyncRead for Sent {
        fn poll_read(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            into: &mut ReadBuf<'_>,
        ) -> Poll<io::Result<()>> {
            into.put_slice(std::mem::take(&mut self.0));
            Poll::Ready(Ok(()))
        }
    }

    impl AsyncWrite for Sent {
        fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
            Poll::Ready(Ok(bytes.len()))
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }

    async fn read(bytes: &mut RequestBytes<Sent>) -> usize {
        let mut buffer = [0; 64];
        let mut into = ReadBuf::new(&mut buffer);
        poll_fn(|context| Pin::new(&mut *bytes).poll_read(context, &mut into)).await.expect("no error");
        into.filled().len()
    }

    /// A connection that has read what its client sent, while a request is under way or not.
    async fn after(sent: &'static str, is_busy: bool) -> (RequestBytes<Sent>, Option<ProgressStep>) {
        let progress = ConnectionProgress::new();
        let step = is_busy.then(|| progress.begin());
        let mut bytes = RequestBytes::new(Sent(sent.as_bytes()), progress);
        assert_eq!(read(&mut bytes).await, sent.len());
        (bytes, step)
    }

    const REQUEST: &str = "GET / HTTP/1.1\r\n\r\n";

    #[test]
    fn a_client_that_sends_nothing_more_may_still_read() {
        let runtime =
            Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
        runtime.block_on(async {
            // Nothing is due to it, or it has left in the middle of what it sent.
            for (sent, is_busy) in [(REQUEST, false), ("GET / HT", true)] {
                let (mut bytes, _step) = after(sent, is_busy).await;
                let begun = Instant::now();
                assert_eq!(read(&mut bytes).await, 0);
                assert_eq!(begun.elapsed(), Duration::ZERO, "{sent}");
            }
            // Nothing behind what is refused is waited for.
            let (mut bytes, _step) = after("GET / HTTP/1.1\0", true).await;
            assert!(bytes.heads.has_refused());
            assert_eq!(read(&mut bytes).await, 0);
            // It may be gone: nothing is written that would tell.
            let (mut bytes, _step) = after(REQUEST, true).await;
            let begun = Instant::now();
            assert_eq!(read(&mut bytes).await, 0);
            assert!(begun.elapsed() >= HALF_CLOSED && begun.elapsed() < HALF_CLOSED * 2);
            // What is written finds it, or finds that it is gone.
            let (mut bytes, step) = after(REQUEST, true).await;
            assert!(timeout(HALF_CLOSED / 2, read(&mut bytes)).await.is_err());
            let written = poll_fn(|context| Pin::new(&mut bytes).poll_write(context, b"x")).await;
            assert_eq!(written.expect("it takes it"), 1);
            assert!(timeout(HALF_CLOSED * 1000, read(&mut bytes)).await.is_err());
            drop(step);
            assert_eq!(read(&mut bytes).await, 0, "the answer is written");
        });
    }
}
