//! Sends frames when they are due, and forgets those of a cancelled request. One thread serves every slow call, so
//! their number costs nothing. This room does not know what the frames say.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::framing::Output;

#[derive(Default)]
struct Timetable {
    /// What is due when, and for which request. The number keeps frames of the same instant in their order.
    entries: BTreeMap<(Instant, u64), (Value, Value)>,
    next: u64,
}

#[derive(Clone)]
pub struct Clock {
    shared: Arc<(Mutex<Timetable>, Condvar)>,
}

impl Clock {
    pub fn start(output: Arc<Output>) -> Self {
        let clock = Self { shared: Arc::default() };
        let runner = clock.clone();
        std::thread::spawn(move || runner.run(&output));
        clock
    }

    /// Sends each frame after its delay, on behalf of request `id`.
    pub fn schedule(&self, id: &Value, frames: Vec<(Duration, Value)>) {
        let now = Instant::now();
        let mut timetable = self.lock();
        for (delay, frame) in frames {
            let number = timetable.next;
            timetable.next += 1;
            timetable.entries.insert((now + delay, number), (id.clone(), frame));
        }
        self.shared.1.notify_one();
    }

    /// After this returns, nothing more is sent for request `id`. An unknown id is fine: cancelling is a race.
    pub fn cancel(&self, id: &Value) {
        self.lock().entries.retain(|_, (owner, _)| owner != id);
    }

    fn run(&self, output: &Output) {
        let mut timetable = self.lock();
        loop {
            let now = Instant::now();
            let next_due = timetable.entries.first_key_value().map(|((due, _), _)| *due);
            timetable = match next_due {
                None => self.shared.1.wait(timetable).unwrap_or_else(PoisonError::into_inner),
                Some(due) if due > now => {
                    let waited = self.shared.1.wait_timeout(timetable, due - now);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                Some(_) => {
                    // Written under the lock: that is what makes the promise of `cancel` true.
                    if let Some((_, (_, frame))) = timetable.entries.pop_first()
                        && output.send(&frame).and_then(|()| output.flush()).is_err()
                    {
                        return;
                    }
                    timetable
                }
            };
        }
    }

    fn lock(&self) -> MutexGuard<'_, Timetable> {
        self.shared.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
