//! Stores in libraries of their own: loaded where a URL has a scheme of theirs, and given the functions of this copy of the library.
//! A process may have another copy, such as one in a module of an interpreter: neither sees the functions of the other.
//!
//! The files:
//!
//! * `linux`: loads one by the linker of the system
//! * `other`: other systems load none

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod other;

use super::guard::guard;
use super::store::{
    mcp_store_done, mcp_store_entry, mcp_store_event, mcp_store_found, mcp_store_free, mcp_store_lost,
    mcp_store_missed, mcp_store_new, mcp_store_ready, mcp_store_register,
};
use crate::runtime::server::store::set_loader;
#[cfg(target_os = "linux")]
use linux::load;
#[cfg(not(target_os = "linux"))]
use other::load;
use std::ffi::c_char;

/// From now on the library of a store is loaded where no store is registered for the scheme of a URL.
pub fn load_stores() {
    set_loader(load);
}

/// A function of any type.
type Function = unsafe extern "C" fn();
/// Finds a function of this copy of the library by its name.
type Find = extern "C" fn(name: *const c_char) -> Option<Function>;

macro_rules! functions {
    ($name:ident: $($function:ident)*) => {
        match $name {
            $(stringify!($function) => {
                // SAFETY: all functions have pointers of one size; who asked for it by its name casts it to its type before a call.
                Some(unsafe { std::mem::transmute::<*const (), Function>($function as *const ()) })
            })*
            _ => None,
        }
    };
}

/// The functions that a store calls.
extern "C" fn find(name: *const c_char) -> Option<Function> {
    guard(None, || {
        let name = super::pointer::needed_text(name, "name").ok()?;
        functions!(name: mcp_store_done mcp_store_entry mcp_store_event mcp_store_found mcp_store_free
            mcp_store_lost mcp_store_missed mcp_store_new mcp_store_ready mcp_store_register)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_finds_the_functions_that_it_calls_and_no_other_one() {
        for (name, is_there) in [
            (c"mcp_store_done", true),
            (c"mcp_store_register", true),
            (c"mcp_server_free", false),
            (c"", false),
        ] {
            assert_eq!(find(name.as_ptr()).is_some(), is_there, "{name:?}");
        }
        assert!(find(std::ptr::null()).is_none());
    }
}
