//! The threads that drive, ended with a bound on how long that is waited for.

use crate::runtime::lock;
use crate::runtime::own_thread::OwnThread;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How long the last client waits for the threads to end.
const LAST_WAIT: Duration = Duration::from_secs(5);

/// The background thread, and helpers for what can only be waited for. A helper ends when its work is done.
#[derive(Default, Debug)]
pub(crate) struct Threads {
    background: Mutex<Option<OwnThread>>,
    helpers: Mutex<Vec<OwnThread>>,
}

impl Threads {
    /// Starts the background thread.
    ///
    /// # Errors
    /// That the system makes no thread.
    pub(crate) fn start(&self, name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
        *lock(&self.background) = Some(OwnThread::spawn(name, work)?);
        Ok(())
    }

    /// Runs work that may wait on a thread of its own. It begins at once or not at all: a pool of threads would let it wait
    /// behind others when the system makes no thread, and no error would say so.
    ///
    /// # Errors
    /// That `most` helpers run already, or that the system makes no thread.
    pub(crate) fn help(
        &self,
        name: &str,
        most: usize,
        work: impl FnOnce() + Send + 'static,
    ) -> std::io::Result<()> {
        let mut helpers = lock(&self.helpers);
        // Joined and not only dropped: what the thread did last is seen here, and nothing of it is left.
        helpers.extract_if(.., |helper| helper.is_finished()).for_each(OwnThread::join);
        if helpers.len() >= most {
            return Err(std::io::Error::other(format!("{most} threads {name} run already")));
        }
        helpers.push(OwnThread::spawn(name, work)?);
        Ok(())
    }

    /// How many helpers were started and have not ended.
    #[cfg(feature = "server")]
    pub(crate) fn helpers(&self) -> usize {
        lock(&self.helpers).iter().filter(|helper| !helper.is_finished()).count()
    }

    /// Waits until all of them have ended, which were told to. They end by themselves, at once unless the system holds them,
    /// as in a look-up of a name: then they are left alone rather than waited for without end.
    pub(crate) fn join_with_timeout(&self) {
        let until = Instant::now() + LAST_WAIT;
        let background = lock(&self.background).take();
        let helpers = std::mem::take(&mut *lock(&self.helpers));
        for thread in background.into_iter().chain(helpers) {
            if thread.is_this() {
                continue;
            }
            while !thread.is_finished() && Instant::now() < until {
                std::thread::sleep(Duration::from_micros(200));
            }
            if thread.is_finished() {
                thread.join();
            }
        }
    }
}
