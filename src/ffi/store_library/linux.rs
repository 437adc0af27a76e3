//! Linux: the library is opened by its name, which the linker of the system looks for.

use super::super::status::{MCP_OK, mcp_status_t, status_name};
use super::{Find, find};
use std::ffi::{CStr, CString, c_char};

/// The number of the shared library, and of those of stores.
const SONAME: u32 = 0;

/// Loads the library of a store, which registers it and stays loaded.
pub(super) fn load(name: &str) -> Result<(), String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_libraries_of_stores_have_the_number_of_the_library() {
        let own = format!("\nsoname = {SONAME}\n");
        assert!(include_str!("../../../Cargo.toml").contains(&own), "{own}");
    }

    #[test]
    fn a_library_that_is_not_there_is_named() {
        let why = load("never").expect_err("there is none");
        assert!(why.contains("libmcp-store-never.so.0"), "{why}");
    }
}
