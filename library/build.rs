//! What the linker is told about the shared library and cargo has no key for.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let system = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    // A library with threads of its own must not be unmapped under them: dlclose leaves it in place.
    if system == "linux" || system == "android" {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
    // An app's libraries have no number in their names, and newer devices have pages of 16 KiB.
    if system == "android" {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libmcp.so,-z,max-page-size=16384");
    }
    // What a program looks for that was linked to the library: in the folders that the program names (-rpath), and not at the place
    // where it was compiled. On macOS nothing else keeps the library in place: the system unloads none that has thread-local values.
    if system == "macos" {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libmcp.dylib");
    }
}
