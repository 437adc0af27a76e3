//! [`HostSet`]: what a loop of the host's watches: whether there are messages, and whether connections have something to read.

use super::numbered::Numbered;
use super::sync::{Mutex, lock};
use crate::transport::poller::HostDescriptor;
use rustix::fd::AsFd;
use rustix::io::Errno;
use std::sync::{Arc, Weak};

/// A connection that is read by the thread that looks into its queue, and has its frames written by it.
pub(crate) trait Shown: Send + Sync {
    /// Reads what is there, unless another thread does. Never waits.
    fn read_now(&self);

    /// Writes what was held back for that thread. Never waits.
    fn write_now(&self);
}

/// The descriptor of a queue, and the connections that it shows.
#[derive(Debug)]
pub(crate) struct HostSet {
    descriptor: HostDescriptor,
    /// By the numbers of their pipes.
    shown: Mutex<Numbered<Weak<dyn Shown>>>,
}

impl HostSet {
    pub(crate) fn new() -> Result<HostSet, Errno> {
        Ok(HostSet { descriptor: HostDescriptor::new()?, shown: Mutex::new(Numbered::default()) })
    }

    pub(crate) fn descriptor(&self) -> &HostDescriptor {
        &self.descriptor
    }

    /// Has the descriptor readable while `fd` is. Says whether the system can do that. `fd` must be hidden before it is closed.
    pub(crate) fn show(&self, number: u64, fd: impl AsFd, connection: Weak<dyn Shown>) -> bool {
        let mut shown = lock(&self.shown);
        let is_shown = self.descriptor.show(fd, number).is_ok();
        if is_shown {
            shown.insert(number, connection);
        }
        is_shown
    }

    /// The descriptor no longer depends on `fd`.
    pub(crate) fn hide(&self, number: u64, fd: impl AsFd) {
        let mut shown = lock(&self.shown);
        shown.remove(number);
        self.descriptor.hide(fd);
    }

    /// The connections that have something to read; the only one without a look.
    pub(crate) fn readable(&self) -> Vec<Arc<dyn Shown>> {
        let shown = lock(&self.shown);
        match shown.len() {
            // Reading tells it as well.
            0 | 1 => shown.values().filter_map(Weak::upgrade).collect(),
            _ => {
                let numbers = self.descriptor.readable();
                numbers.filter_map(|number| shown.get(number)?.upgrade()).collect()
            }
        }
    }
}
