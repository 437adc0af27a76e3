//! An exchange that the thread which waits for its outcome runs itself, in its own turn at the runtime: no task is made for it
//! and no other one has to be woken.

use crate::runtime::lock;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

/// An exchange to be run.
pub(crate) struct InlineExchange {
    exchange: Pin<Box<dyn Future<Output = ()> + Send>>,
    abort: Arc<AbortHandle>,
}

/// Ends an exchange from wherever.
#[derive(Default, Debug)]
pub(crate) struct AbortHandle(Mutex<Inside>);

#[derive(Default, Debug)]
struct Inside {
    is_over: bool,
    waker: Option<Waker>,
}

impl AbortHandle {
    pub(crate) fn abort(&self) {
        let mut inside = lock(&self.0);
        inside.is_over = true;
        if let Some(waker) = inside.waker.take() {
            waker.wake();
        }
    }

    /// Whether it is over; if not, the task is woken when it is.
    fn is_over(&self, cx: &Context<'_>) -> bool {
        let mut inside = lock(&self.0);
        if !inside.is_over && !inside.waker.as_ref().is_some_and(|waker| waker.will_wake(cx.waker())) {
            inside.waker = Some(cx.waker().clone());
        }
        inside.is_over
    }
}

impl InlineExchange {
    /// The exchange comes in its box: it is large, and would be moved once more.
    pub(crate) fn new(
        exchange: Pin<Box<dyn Future<Output = ()> + Send>>,
    ) -> (InlineExchange, Arc<AbortHandle>) {
        let abort = Arc::<AbortHandle>::default();
        (InlineExchange { exchange, abort: Arc::clone(&abort) }, abort)
    }
}

impl Future for InlineExchange {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.abort.is_over(cx) {
            return Poll::Ready(());
        }
        self.exchange.as_mut().poll(cx)
    }
}

impl std::fmt::Debug for InlineExchange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InlineExchange").field("abort", &self.abort).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::Wake;

    #[derive(Default)]
    struct Woken(AtomicUsize);

    impl Wake for Woken {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn an_exchange_that_is_aborted_wakes_its_runner_and_is_polled_no_more() {
        let woken = Arc::<Woken>::default();
        let waker = Waker::from(Arc::clone(&woken));
        let mut cx = Context::from_waker(&waker);
        let polled = Arc::<AtomicUsize>::default();
        let count = Arc::clone(&polled);
        let (mut exchange, abort) = InlineExchange::new(Box::pin(std::future::poll_fn(move |_| {
            count.fetch_add(1, Ordering::Relaxed);
            Poll::Pending
        })));
        assert!(Pin::new(&mut exchange).poll(&mut cx).is_pending());
        abort.abort();
        assert_eq!(woken.0.load(Ordering::Relaxed), 1);
        assert!(Pin::new(&mut exchange).poll(&mut cx).is_ready());
        assert_eq!(polled.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn an_exchange_that_was_aborted_before_it_began_never_begins() {
        let (mut exchange, abort) = InlineExchange::new(Box::pin(async { panic!("it began") }));
        abort.abort();
        assert!(Pin::new(&mut exchange).poll(&mut Context::from_waker(Waker::noop())).is_ready());
    }
}
