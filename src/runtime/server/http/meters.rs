//! What is counted of HTTP: connections, bytes, streams, and answers by their status.

use hyper::StatusCode;
use std::sync::atomic::{AtomicU64, Ordering};

/// The statuses that are counted one by one; others are counted together.
pub(in crate::runtime::server) const STATUSES: [u16; 16] =
    [200, 202, 204, 400, 401, 403, 404, 405, 406, 408, 410, 413, 415, 429, 500, 503];

/// A number that only grows.
#[derive(Default, Debug)]
pub(in crate::runtime::server) struct Meter(AtomicU64);

impl Meter {
    pub(super) fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    pub(in crate::runtime::server) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// What all URLs of a server count, from its beginning on.
#[derive(Default, Debug)]
pub(crate) struct HttpMeters {
    /// Connections that were taken.
    pub(in crate::runtime::server) accepted: Meter,
    /// Those that have ended.
    pub(in crate::runtime::server) ended: Meter,
    /// Connections that were closed at once because of `limits.connections`.
    pub(in crate::runtime::server) refused: Meter,
    /// Bytes that came, before TLS is taken off.
    pub(in crate::runtime::server) received: Meter,
    /// Bytes that went out.
    pub(in crate::runtime::server) sent: Meter,
    /// Answers that are streams of events.
    pub(in crate::runtime::server) streams: Meter,
    /// Answers by status, in the order of [`STATUSES`], and the others.
    pub(in crate::runtime::server) answers: [Meter; STATUSES.len() + 1],
}

impl HttpMeters {
    /// An answer goes out.
    pub(super) fn answered(&self, status: StatusCode) {
        let place = STATUSES.iter().position(|known| *known == status.as_u16());
        if let Some(meter) = self.answers.get(place.unwrap_or(STATUSES.len())) {
            meter.add(1);
        }
    }

    /// Answers by status; the last ones have none of their own.
    pub(in crate::runtime::server) fn by_status(&self) -> impl Iterator<Item = (Option<u16>, u64)> {
        let names = STATUSES.iter().copied().map(Some).chain([None]);
        names.zip(&self.answers).map(|(status, meter)| (status, meter.get()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_counted_by_status() {
        let meters = HttpMeters::default();
        for status in [200, 200, 503, 418, 505] {
            meters.answered(StatusCode::from_u16(status).expect("a status"));
        }
        let counted: Vec<_> = meters.by_status().filter(|(_, count)| *count > 0).collect();
        assert_eq!(counted, [(Some(200), 2), (Some(503), 1), (None, 2)]);
    }
}
