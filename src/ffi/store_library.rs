//! Stores in libraries of their own: loaded where a URL has a scheme of theirs, and given the functions of this copy of the library.
//! A process may have another copy, such as one in a module of an interpreter: neither sees the functions of the other.

use super::guard::guard;
use super::store::{
    mcp_store_done, mcp_store_entry, mcp_store_event, mcp_store_found, mcp_store_free, mcp_store_lost,
    mcp_store_missed, mcp_store_new, mcp_store_ready, mcp_store_register,
};
use crate::runtime::server::store::set_loader;
use std::ffi::c_char;

/// From now on the library of a store is loaded where no store is registered for the scheme of a URL.
pub fn load_stores() {
    set_loader(load);
}

/// A function of any type.
type Function = unsafe extern "C" fn();
/// Finds a function of this copy of the library by its name.
type Find = extern "C" fn(name: *const c_char) -> Option<Function>;

/// The functions that a store calls.
extern "C" fn find(name: *const c_char) -> Option<Function> {
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
    guard(None, || {
        let name = super::pointer::needed_text(name, "name").ok()?;
        functions!(name: mcp_store_done mcp_store_entry mcp_store_event mcp_store_found mcp_store_free
            mcp_store_lost mcp_store_missed mcp_store_new mcp_store_ready mcp_store_register)
    })
}

/// Loads the library of a store, which registers it and stays loaded.
#[cfg(target_os = "linux")]
fn load(name: &str) -> Result<(), String> {
    use super::status::{MCP_OK, mcp_status_t, status_name};
    use std::ffi::{CStr, CString};

    /// `mcp_store_NAME_load`.
    type Load = unsafe extern "C" fn(find: Find, error_json: *mut *mut c_char) -> mcp_status_t;

    let text = |text: String| CString::new(text).map_err(|_| format!("'{name}' is no name of a store"));
    let file = text(format!("libmcp-store-{name}.so.{SONAME}"))?;
    let function = text(format!("mcp_store_{name}_load"))?;
    // SAFETY: the file is where the system has its libraries, and this is what those of stores are for.
    let library = unsafe { libc::dlopen(file.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    let found = if library.is_null() {
        std::ptr::null_mut()
    } else {
        // SAFETY: the library is open.
        unsafe { libc::dlsym(library, function.as_ptr()) }
    };
    if found.is_null() {
        // SAFETY: it gives NULL or a text that is valid until this thread opens another library.
        let why = unsafe { libc::dlerror().as_ref() }.map(|why| {
            // SAFETY: as above, with a NUL at the end.
            unsafe { CStr::from_ptr(why) }.to_string_lossy().into_owned()
        });
        return Err(why.unwrap_or_else(|| format!("{} has no function of a store", file.to_string_lossy())));
    }
    // SAFETY: `mcp_stores.h` has the type of a function with this name.
    let load = unsafe { std::mem::transmute::<*mut std::ffi::c_void, Load>(found) };
    // SAFETY: `find` may be called at any time; NULL is no place for an error.
    match unsafe { load(find, std::ptr::null_mut()) } {
        MCP_OK => Ok(()),
        status => {
            let told = status_name(status).to_string_lossy();
            Err(format!("{} is not for this library ({told})", file.to_string_lossy()))
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn load(_: &str) -> Result<(), String> {
    let _: Find = find;
    Err("stores are loaded on Linux only".to_owned())
}

/// The number of the shared library, and of those of stores.
#[cfg(target_os = "linux")]
const SONAME: u32 = 0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_libraries_of_stores_have_the_number_of_the_library() {
        let own = format!("\nsoname = {SONAME}\n");
        assert!(include_str!("../../Cargo.toml").contains(&own), "{own}");
    }

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

    #[test]
    fn a_library_that_is_not_there_is_named() {
        let why = load("never").expect_err("there is none");
        assert!(why.contains("libmcp-store-never.so.0"), "{why}");
    }
}
