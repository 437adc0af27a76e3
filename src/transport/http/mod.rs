//! What HTTP asks of a message and what its answers mean: the pure part of the transport. Headers of a request, the
//! parameters that are sent as headers too, redirects, and what a status with its first bytes says.
//!
//! Nothing here does I/O or knows of a connection; sessions and streams are kept elsewhere, and so is the choice of what
//! to do about a failure. Pages of the specification are those of 2026-07-28 unless said otherwise.
//!
//! The rooms: `header` writes values and says which headers are the library's own; `param` finds the annotations of a
//! tool and writes their headers; `request` puts the headers of a request together; `response` judges an answer;
//! `address` takes a URL apart as far as origins need it, and `redirect` decides with it.

pub use crate::protocol::address;

pub mod header;
pub mod param;
pub mod redirect;
pub mod request;
pub mod response;
