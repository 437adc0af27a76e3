//! One thread that does things when they are due, so that a thousand late answers cost one thread.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

type Deed = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Timetable {
    /// The number keeps deeds of the same instant in their order.
    deeds: BTreeMap<(Instant, u64), Deed>,
    next: u64,
}

#[derive(Clone, Default)]
pub struct Clock {
    shared: Arc<(Mutex<Timetable>, Condvar)>,
}

impl Clock {
    pub fn start() -> Self {
        let clock = Self::default();
        let runner = clock.clone();
        std::thread::spawn(move || runner.run());
        clock
    }

    pub fn after(&self, wait: Duration, deed: Deed) {
        let mut timetable = self.lock();
        timetable.next += 1;
        let key = (Instant::now() + wait, timetable.next);
        timetable.deeds.insert(key, deed);
        self.shared.1.notify_one();
    }

    fn run(&self) {
        let mut timetable = self.lock();
        loop {
            let now = Instant::now();
            let due = timetable.deeds.first_key_value().map(|((due, _), _)| *due);
            timetable = match due {
                None => self.shared.1.wait(timetable).unwrap_or_else(PoisonError::into_inner),
                Some(due) if due > now => {
                    let waited = self.shared.1.wait_timeout(timetable, due - now);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                Some(_) => {
                    let deed = timetable.deeds.pop_first().map(|(_, deed)| deed);
                    // Done without the lock: a deed may put the next one into the timetable.
                    drop(timetable);
                    if let Some(deed) = deed {
                        deed();
                    }
                    self.lock()
                }
            };
        }
    }

    fn lock(&self) -> MutexGuard<'_, Timetable> {
        self.shared.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
