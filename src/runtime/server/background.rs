//! The threads of a server: the background thread, which drives while no other thread does, and workers, which run handlers.

use super::serving::{Serving, closed};
use crate::engine::server::SessionId;
use crate::engine::{Error, Level, Status};
use crate::runtime::lock;
use crate::runtime::polling::Polled;
use crate::runtime::queue::Take;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

impl Serving {
    /// Starts the threads, unless they run.
    ///
    /// # Errors
    /// `INTERNAL` when the system makes no thread.
    pub(super) fn start_threads(&self) -> Result<(), Error> {
        let mut started = lock(&self.started);
        if *started {
            return Ok(());
        }
        let Some(this) = self.this.upgrade() else { return Err(closed()) };
        let refused = |error: std::io::Error| {
            let what = format!("cannot start the server's threads: {error}");
            Error::new(Status::Internal, "server_serve", what)
        };
        // Workers that were started by an attempt that failed are there.
        while self.threads.helpers() < self.limits.workers {
            let worker = Arc::clone(&this);
            self.threads
                .help("libmcp-worker", self.limits.workers, move || worker.work())
                .map_err(refused)?;
        }
        self.threads.start("libmcp-server", move || this.drive_in_background()).map_err(refused)?;
        // From here on a thread drives or the background thread watches. The first thread that polls may find a request at once
        // and be in its handler before any thread has driven: what the handler sends would be held back until it returns.
        self.role.watch_after_grace();
        *started = true;
        Ok(())
    }

    /// Runs handlers until everything that is served has ended.
    fn work(self: Arc<Serving>) {
        loop {
            let polled = catch_unwind(AssertUnwindSafe(|| self.poll(None, Take::ByWorker(self.number))));
            match polled {
                Ok(Polled::Closed) => return,
                Ok(_) => {}
                Err(_) => {
                    self.record(Level::Error, SessionId(0), "a handler panicked; its client gets an error");
                }
            }
        }
    }

    pub(super) fn drive_in_background(self: Arc<Serving>) {
        let mut ready = Vec::new();
        while self.role.claim_in_background() {
            // A fault in the work for one client must not end the thread that all of them need.
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                self.write_held_back();
                while !self.role.is_wanted() {
                    self.turn(None, None, &mut ready, &|| {});
                    self.write_held_back();
                }
            }));
            self.role.release_in_background();
            if outcome.is_err() {
                self.record(Level::Error, SessionId(0), "a fault in the server's own code; serving goes on");
            }
        }
    }
}
