//! What the neutral server and the runner have to agree on. The server answers `big` with the text made here,
//! the runner writes the same text to a file for the contenders to check against. Nothing here knows a client
//! library: the benchmark has to stay neutral, so this package does not depend on the crate it measures.

pub mod text;
