//! What a loop of the host's and the runtime of HTTP watch, where a set of descriptors has no descriptor of its own.

use crate::transport::system::poller::Wake;
use rustix::fd::AsFd;
use rustix::io::Errno;

/// Readable while its wake is set.
#[derive(Debug)]
pub struct HostDescriptor(Wake);

impl HostDescriptor {
    /// A descriptor that is not set.
    ///
    /// # Errors
    /// When no descriptor is left.
    pub fn new() -> Result<HostDescriptor, Errno> {
        Ok(HostDescriptor(Wake::new()?))
    }

    /// Sets the wake.
    pub fn set(&self) {
        self.0.set();
    }

    /// Takes the wake back.
    pub fn clear(&self) {
        self.0.clear();
    }

    /// The wake alone.
    #[cfg(test)]
    pub fn wake(&self) -> &Wake {
        &self.0
    }

    /// Its number, for the host.
    pub fn number(&self) -> i32 {
        self.0.number()
    }

    /// Shows nothing: what is to be read is read by a thread of the library's.
    ///
    /// # Errors
    /// Always.
    pub fn show(&self, _fd: impl AsFd, _token: u64) -> Result<(), Errno> {
        Err(Errno::OPNOTSUPP)
    }

    /// Nothing is shown.
    pub fn hide(&self, _fd: impl AsFd) {}

    /// Nothing is shown.
    pub fn readable(&self) -> impl Iterator<Item = u64> + use<> {
        std::iter::empty()
    }
}

/// A poller cannot be watched by the runtime of HTTP: a thread of its own drives that. No value of this exists.
#[cfg(all(feature = "http", feature = "server"))]
#[derive(Debug)]
pub enum Nested {}

#[cfg(all(feature = "http", feature = "server"))]
impl Nested {
    /// `None`: the two are waited for apart.
    pub fn new(_poller: &crate::transport::system::poller::Poller) -> Option<Nested> {
        None
    }

    /// Whether something of the poller is ready.
    pub fn poll_ready(&self, _context: &mut std::task::Context<'_>) -> std::task::Poll<()> {
        match *self {}
    }

    /// When a wait for the poller is to end.
    pub fn until(
        _poller: &crate::transport::system::poller::Poller,
        until: Option<std::time::Instant>,
    ) -> Option<std::time::Instant> {
        until
    }

    /// Gives the tokens of what is ready.
    pub fn take(&self, _poller: &crate::transport::system::poller::Poller, _ready: &mut Vec<u64>) {
        match *self {}
    }
}
