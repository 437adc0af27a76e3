//! No signal interrupts a thread on Windows. But a library can be unloaded under its threads there, unless it says that it stays.

#![allow(unsafe_code)]

use std::ptr;
use std::sync::Once;
use windows_sys::Win32::System::LibraryLoader::{
    GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, GET_MODULE_HANDLE_EX_FLAG_PIN, GetModuleHandleExW,
};

/// Runs `start`, which starts a thread. From then on the library stays loaded: a thread of it, or one of the system that reports to
/// it, may run at any time.
pub fn with_all_blocked<R>(start: impl FnOnce() -> R) -> R {
    static STAYS: Once = Once::new();
    STAYS.call_once(|| {
        let mut module = ptr::null_mut();
        let here: unsafe extern "system" fn() = inside;
        // SAFETY: with these flags the second argument is an address inside the library, and not a name. A failure leaves things as
        // they are.
        let _stays = unsafe {
            GetModuleHandleExW(
                GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN,
                here as *const u16,
                &raw mut module,
            )
        };
    });
    start()
}

/// An address inside the library.
unsafe extern "system" fn inside() {}
