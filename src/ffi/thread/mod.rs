//! What differs between systems of the calling thread: where its stack ends, and where its `errno` is.
//!
//! The files:
//!
//! * `linux`: Linux
//! * `apple`: macOS and the systems made from it
//! * `other`: where the system does not tell of the stack

#[cfg(target_vendor = "apple")]
mod apple;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
mod other;

#[cfg(all(target_vendor = "apple", any(feature = "http", test)))]
pub(super) use apple::stack_end;
#[cfg(target_vendor = "apple")]
pub(super) use apple::{errno, set_errno};
#[cfg(all(target_os = "linux", any(feature = "http", test)))]
pub(super) use linux::stack_end;
#[cfg(target_os = "linux")]
pub(super) use linux::{errno, set_errno};
#[cfg(all(not(any(target_os = "linux", target_vendor = "apple")), any(feature = "http", test)))]
pub(super) use other::stack_end;
#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
pub(super) use other::{errno, set_errno};

#[cfg(test)]
mod tests {
    #[test]
    fn a_thread_stands_on_its_stack() {
        let on = |bytes: usize| {
            let thread = std::thread::Builder::new().stack_size(bytes).spawn(|| {
                let here = 0u8;
                super::stack_end().map(|end| std::ptr::from_ref(&here).addr() - end)
            });
            thread.expect("a thread").join().expect("no panic")
        };
        let Some(small) = on(256 * 1024) else {
            assert_eq!(on(4 * 1024 * 1024), None, "the system never tells");
            return;
        };
        // musl gives a thread a little more than it asks for.
        assert!((64 * 1024..=272 * 1024).contains(&small), "{small}");
        assert!(on(4 * 1024 * 1024) > Some(3 * 1024 * 1024));
    }
}
