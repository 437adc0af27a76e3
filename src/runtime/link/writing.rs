//! Frames on their way out over pipes: several in one write where that saves work, in order, and never waiting for another
//! thread's writing.

use crate::runtime::background::runtime::Command;
use crate::runtime::connection::{Connection, Core};
use crate::runtime::link::custom::Job;
use crate::runtime::link::pipe::Route;
use crate::runtime::lock;
use std::sync::MutexGuard;
use std::sync::atomic::Ordering;

/// Frames are held back only while more calls than this are under way.
const BUSY_CALLS: usize = 2;
/// The most frames held back, and their bytes.
const HELD: (usize, usize) = (32, 16 * 1024);

impl Connection {
    /// Whether a frame may wait for others: the pipeline is busy, and the application will come back to wait.
    pub(crate) fn may_hold_back(&self, core: &Core) -> bool {
        core.engine.pending() > BUSY_CALLS
            && core.outbox.len() < HELD.0
            && core.outbox.iter().map(Vec::len).sum::<usize>() < HELD.1
            && core.link.as_ref().and_then(Route::pipe).is_some_and(|link| link.waiting_bytes() == 0)
            && self.owns_queue
            && !self.queue.is_attended()
    }

    /// Writes what was held back, before the application waits.
    pub(crate) fn write_held_back(&self) {
        if self.held_back.load(Ordering::SeqCst) {
            self.write(self.core());
        }
    }

    /// The grace time is over: nothing is held back any longer. Says whether to look again.
    pub(crate) fn end_holding_back(&self) -> bool {
        if !self.held_back.load(Ordering::SeqCst) {
            return false;
        }
        let core = self.core();
        if core.outbox.is_empty() {
            // Under the core, where the next frame would be held back.
            self.held_back.store(false, Ordering::SeqCst);
            return false;
        }
        self.write(core);
        true
    }

    pub(crate) fn begin_shut(&self, core: &mut Core, generation: u64) {
        let link = core.link.take_if(|link| link.generation() == generation);
        if let Some(custom) = &self.custom {
            return custom.add(Job::Close(generation));
        }
        #[cfg(feature = "http")]
        if let Some(http) = &self.http {
            match link {
                Some(Route::Http(link)) => link.shut(core.close_by),
                _ => http.stop_opening(),
            }
            return;
        }
        if let Some(link) = link.as_ref().and_then(Route::pipe)
            && let Some(out) = lock(&link.outgoing).as_mut()
            && link.push(out, core.outbox.drain(..))
        {
            // What the engine wanted said before the end, such as a cancellation; the connection is ending anyway.
            let _nobody_listens = link.flush(out, &self.runtime.poller);
        }
        core.outbox.clear();
        self.driver.disconnected();
        self.runtime.command(Command::Shut { client: self.client, generation, by: None });
    }

    /// Writes what was left because the background thread was writing.
    pub(crate) fn write_rest(&self) {
        self.write(self.core());
    }

    /// Writes what waits, in order. Nobody waits for another thread's writing with the core held: who finds the writer busy
    /// leaves the frames, and the writer looks again after it is done.
    pub(crate) fn write<'a>(&'a self, mut core: MutexGuard<'a, Core>) {
        loop {
            if core.outbox.is_empty() {
                return;
            }
            let Some(link) = core.link.as_ref().and_then(Route::pipe).cloned() else {
                core.outbox.clear();
                return;
            };
            let Ok(mut outgoing) = link.outgoing.try_lock() else {
                core.writer_is_busy = true;
                return;
            };
            let Some(out) = outgoing.as_mut() else {
                core.outbox.clear();
                return;
            };
            let most = self.transport.outgoing_bytes.saturating_mul(2);
            if out.bytes() > most && out.bytes().saturating_sub(out.largest()) > most {
                // Calls and notifications stop at the bound, which only the last of them goes over. So this is what a server
                // made us say that asks and never reads.
                core.outbox.clear();
                let why = "the server sends requests and reads no answers".to_owned();
                return self.runtime.command(Command::Broken { link: link.number, why });
            }
            let is_mine = link.push(out, core.outbox.drain(..));
            core.writer_is_busy = false;
            drop(core);
            let outcome = if is_mine { link.flush(out, &self.runtime.poller) } else { Ok(()) };
            drop(outgoing);
            if let Err(errno) = outcome {
                return self.runtime.command(Command::InputClosed { link: link.number, errno });
            }
            core = self.core();
            if !core.writer_is_busy {
                return;
            }
        }
    }
}
