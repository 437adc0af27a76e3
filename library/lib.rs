//! libmcp for C: the linker exports the functions of the crate `mcp` that have a C name, and memory comes from its allocator.

pub use rust::ffi;

#[global_allocator]
static ALLOCATOR: ffi::Reserve = ffi::Reserve;
