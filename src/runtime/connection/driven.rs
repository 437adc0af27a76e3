//! The connection as the background thread sees it.

use super::Connection;
use crate::runtime::host_set::Shown;
use crate::runtime::link::owner::{Driven, Owner};
use crate::runtime::link::pipe::Pipe;
use crate::runtime::waiter::Waiter;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

impl Driven for Connection {
    fn this(&self) -> Option<Arc<dyn Driven>> {
        Some(self.myself.upgrade()?)
    }

    fn shown(&self) -> Weak<dyn Shown> {
        Weak::clone(&self.myself) as Weak<dyn Shown>
    }

    fn due(&self) -> u64 {
        if self.interruption.is_requested() { 0 } else { self.due.load(Ordering::SeqCst) }
    }

    fn forget_due(&self) {
        self.due.store(u64::MAX, Ordering::SeqCst);
        let _not_again = self.interruption.take();
    }

    fn tick(&self, by: Option<&Arc<Waiter>>) {
        Connection::tick(self, by);
    }

    fn grace_is_over(&self) -> bool {
        self.link.pipes().is_some_and(|pipes| pipes.grace_is_over(self))
    }

    fn carry(&self) {
        self.carry_link();
    }

    fn opened_pipe(&self, pipe: &Arc<Pipe>) -> bool {
        let Some(pipes) = self.link.pipes() else { return false };
        self.opened(pipe.generation, &mut || pipes.install(pipe))
    }

    fn readable(&self, pipe: &Pipe) {
        if let Some(pipes) = self.link.pipes() {
            pipes.readable(self, pipe);
        }
    }

    fn writable(&self, pipe: &Pipe) {
        if let Some(pipes) = self.link.pipes() {
            pipes.writable(self, pipe);
        }
    }

    fn read_rest(&self, pipe: &Arc<Pipe>) {
        if let Some(pipes) = self.link.pipes() {
            pipes.read_rest(self, pipe);
        }
    }
}

impl Shown for Connection {
    fn read_now(&self) {
        if let Some(pipes) = self.link.pipes() {
            pipes.read_for_host(self);
        }
    }

    fn write_now(&self) {
        if let Some(pipes) = self.link.pipes() {
            pipes.flush_for_host(self);
        }
    }
}
