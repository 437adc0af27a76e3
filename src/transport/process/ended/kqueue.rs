//! The end of a process by a kqueue of its own, which is readable while an event waits in it.

#![allow(unsafe_code)]

use rustix::event::Timespec;
use rustix::event::kqueue::{Event, EventFilter, EventFlags, ProcessEvents, kevent_timespec, kqueue};
use rustix::fd::OwnedFd;
use rustix::io::FdFlags;
use rustix::process::Pid;
use std::mem::MaybeUninit;

/// Readable when the process has ended: the event is never taken out. None where no descriptor is left, and for a process that has
/// ended already, which the kernel does not watch any more: then its end is found by looking.
pub(in crate::transport::process) fn of_end(process: Pid) -> Option<OwnedFd> {
    let queue = kqueue().ok()?;
    rustix::io::fcntl_setfd(&queue, FdFlags::CLOEXEC).ok()?;
    let exit = EventFilter::Proc { pid: process, flags: ProcessEvents::EXIT };
    let change = Event::new(exit, EventFlags::ADD, std::ptr::null_mut());
    let mut none: [MaybeUninit<Event>; 0] = [];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the change names a process and no descriptor.
    unsafe { kevent_timespec(&queue, &[change], &mut none[..], Some(&now)) }.ok()?;
    Some(queue)
}
