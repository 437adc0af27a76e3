//! The names of POSIX.

use rustix::io::Errno;

/// A connection is being made.
pub(in crate::transport) const CONNECTING: Errno = Errno::INPROGRESS;
/// It is there already.
pub(in crate::transport) const EXISTS: Errno = Errno::EXIST;
/// The other side reads no more.
#[cfg(test)]
pub(in crate::transport) const NOBODY_READS: Errno = Errno::PIPE;
/// There is no memory.
pub(in crate::transport) const NO_MEMORY: Errno = Errno::NOMEM;
/// There is no such thing.
pub(in crate::transport) const NOT_FOUND: Errno = Errno::NOENT;
/// The system, and not only this process, has no more room for descriptors.
pub(in crate::transport) const NO_ROOM_IN_SYSTEM: Errno = Errno::NFILE;
/// This user may not do it.
pub(in crate::transport) const NOT_PERMITTED: Errno = Errno::PERM;
