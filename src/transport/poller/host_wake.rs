//! The descriptor that a loop of the host's watches, where a set of descriptors has none of its own.

use super::Wake;
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
