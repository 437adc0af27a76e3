//! The body of an answer: read in parts as it comes, decoded if it is compressed, never beyond its bound.

use super::decode::{Decoder, Undecodable};
use super::pool::Lease;
#[cfg(test)]
use super::simulated::Source;
#[cfg(not(test))]
use hyper::body::Incoming as Source;
use hyper::body::{Body as _, Bytes, Frame, Incoming};
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// A body that is being read.
pub struct Body {
    incoming: Source,
    /// The connection, where reading the body has to drive it.
    lease: Option<Lease>,
    decoder: Option<Decoder>,
    /// What the server says of its length.
    length: Option<u64>,
}

/// Why a body cannot be read to its end.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BodyError {
    /// It has more than this many bytes.
    #[error("the answer has more than {0} bytes (limits.frame_bytes)")]
    TooLarge(usize),
    /// It is compressed, and unpacks to more than this many bytes.
    #[error("the answer is compressed and unpacks to more than {0} bytes (limits.frame_bytes)")]
    UnpacksTooLarge(usize),
    /// The system gave no memory after this many bytes.
    #[error("the system gave no memory for the answer after {0} bytes")]
    NoMemory(usize),
    /// The connection was lost, or the body is broken.
    #[error("the answer broke off: {0}")]
    Lost(String),
}

type ReadError = <Source as hyper::body::Body>::Error;

/// The most that is reserved because a server says that much will come.
const TRUSTED: u64 = 1 << 20;

impl Body {
    pub(super) fn new(
        incoming: Incoming,
        lease: Option<Lease>,
        encoding: Option<&str>,
        bound: usize,
    ) -> Result<Body, String> {
        let decoder = Decoder::of(encoding.unwrap_or_default(), bound)?;
        let length = incoming.size_hint().exact();
        #[cfg(test)]
        let incoming = Source::Received(incoming);
        Ok(Body { incoming, lease, decoder, length })
    }

    #[cfg(test)]
    pub(super) fn simulated(parts: super::simulated::Parts) -> Body {
        Body { incoming: Source::Simulated(parts), lease: None, decoder: None, length: None }
    }

    fn poll_frame(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, ReadError>>> {
        let mut frame = Pin::new(&mut self.incoming).poll_frame(cx);
        if frame.is_pending()
            && let Some(lease) = &mut self.lease
        {
            lease.drive(cx);
            frame = Pin::new(&mut self.incoming).poll_frame(cx);
            if frame.is_pending() {
                lease.awaits_more(cx);
                frame = Pin::new(&mut self.incoming).poll_frame(cx);
            }
        }
        let frame = ready!(frame);
        if frame.is_none()
            && let Some(lease) = self.lease.take()
        {
            lease.finish();
        }
        Poll::Ready(frame)
    }

    /// What was wanted of it has come; what is left is its end.
    pub fn ends_soon(&mut self) {
        if let Some(lease) = &mut self.lease {
            lease.ends_soon();
        }
    }

    /// The next part; `None` at the end.
    ///
    /// # Errors
    /// It breaks off, or expands too much.
    pub async fn part(&mut self) -> Result<Option<Bytes>, BodyError> {
        loop {
            let data = match poll_fn(|cx| self.poll_frame(cx)).await {
                None => return Ok(None),
                Some(Err(error)) => return Err(BodyError::Lost(super::error_chain(&error))),
                // Trailers mean nothing here.
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) if !data.is_empty() => data,
                    _ => continue,
                },
            };
            let Some(decoder) = &mut self.decoder else { return Ok(Some(data)) };
            match decoder.decode(&data) {
                Ok(decoded) if decoded.is_empty() => {}
                Ok(decoded) => return Ok(Some(decoded.into())),
                Err(Undecodable::TooLarge) => return Err(BodyError::UnpacksTooLarge(decoder.bound())),
                Err(Undecodable::NoMemory(bytes)) => return Err(BodyError::NoMemory(bytes)),
                Err(Undecodable::Broken(why)) => {
                    return Err(BodyError::Lost(format!("it cannot be decompressed: {why}")));
                }
            }
        }
    }

    /// All of it, with room for one more byte.
    ///
    /// # Errors
    /// It breaks off, or has more than `bound` bytes.
    pub async fn whole(&mut self, bound: usize) -> Result<Vec<u8>, BodyError> {
        let said = self.length.filter(|_| self.decoder.is_none()).unwrap_or(0);
        if said > bound as u64 {
            return Err(BodyError::TooLarge(bound));
        }
        let mut bytes = Vec::new();
        let begins = usize::try_from(said.min(TRUSTED)).unwrap_or(0) + 1;
        bytes.try_reserve_exact(begins).map_err(|_| BodyError::NoMemory(0))?;
        while let Some(part) = self.part().await? {
            if bytes.len().saturating_add(part.len()) > bound {
                let unpacks = self.decoder.is_some();
                return Err(if unpacks {
                    BodyError::UnpacksTooLarge(bound)
                } else {
                    BodyError::TooLarge(bound)
                });
            }
            if bytes.capacity() - bytes.len() <= part.len() {
                // What the server said turned out true so far: the rest of it in one go, else twice as much.
                let rest = usize::try_from(said).unwrap_or(0).saturating_sub(bytes.len());
                let more = rest.max(part.len()).max(bytes.len().min(bound)) + 1;
                bytes.try_reserve_exact(more).map_err(|_| BodyError::NoMemory(bytes.len()))?;
            }
            bytes.extend_from_slice(&part);
        }
        Ok(bytes)
    }

    /// The first bytes of it, at most `most`, whatever becomes of the rest.
    pub async fn start(&mut self, most: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        while bytes.len() < most
            && let Ok(Some(part)) = self.part().await
        {
            let room = most - bytes.len();
            bytes.extend_from_slice(part.get(..room).unwrap_or(&part));
        }
        bytes
    }

    /// Reads to the end, if that is near, so that the connection can serve the next request.
    pub async fn drain(&mut self, most: usize) {
        let mut seen = 0;
        while seen <= most {
            match self.part().await {
                Ok(Some(part)) => seen += part.len(),
                Ok(None) | Err(_) => return,
            }
        }
    }
}
