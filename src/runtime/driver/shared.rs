//! What all clients of the process share, counted by its users: it begins with the first client and ends with the last.

use crate::engine::Error;
use crate::runtime::lock;
use crate::transport::process::per_process::PerProcess;
use std::sync::{Arc, Mutex};

/// Something that exists while it has users. A child of `fork` begins without.
pub(crate) struct Shared<T: Send + Sync + 'static>(PerProcess<Mutex<Users<T>>>);

struct Users<T> {
    count: usize,
    value: Option<Arc<T>>,
}

impl<T> Default for Users<T> {
    fn default() -> Self {
        Users { count: 0, value: None }
    }
}

impl<T: Send + Sync + 'static> Shared<T> {
    pub(crate) const fn new() -> Shared<T> {
        Shared(PerProcess::new(Mutex::default))
    }

    /// Counts one user more; `make` is called for the first one.
    ///
    /// # Errors
    /// Those of `make`, and then there is no user more.
    pub(crate) fn acquire(
        &'static self,
        make: impl FnOnce() -> Result<Arc<T>, Error>,
    ) -> Result<Arc<T>, Error> {
        let mut users = lock(self.0.get());
        let value = match &users.value {
            Some(value) => Arc::clone(value),
            None => make()?,
        };
        users.count += 1;
        users.value = Some(Arc::clone(&value));
        Ok(value)
    }

    /// Counts one user less. The last one gets what was shared, to end it.
    pub(crate) fn release(&'static self) -> Option<Arc<T>> {
        let mut users = lock(self.0.get());
        users.count = users.count.saturating_sub(1);
        if users.count == 0 { users.value.take() } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Status;

    #[test]
    fn the_last_user_ends_what_the_first_one_made() {
        static SHARED: Shared<u32> = Shared::new();
        let refused = || Err(Error::new(Status::Internal, "test", "refused"));
        assert!(SHARED.acquire(refused).is_err());
        let first = SHARED.acquire(|| Ok(Arc::new(1))).expect("made");
        let second = SHARED.acquire(refused).expect("made already");
        assert!(Arc::ptr_eq(&first, &second));
        assert_eq!(SHARED.release(), None);
        assert_eq!(SHARED.release().as_deref(), Some(&1));
        assert_eq!(SHARED.release(), None);
        assert!(SHARED.acquire(refused).is_err());
    }
}
