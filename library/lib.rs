//! libmcp for C: the linker exports the functions of the crate `mcp` that have a C name. There is no other code here.

pub use rust::ffi;
