//! What the linker is told about the shared library and cargo has no key for.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // A library with threads of its own must not be unmapped under them: dlclose leaves it in place.
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
