//! Bodies of requests, as they come: within their own bound, that of all which the server holds for its clients, and their times.

use super::caller::Caller;
use super::endpoint::HttpEndpoint;
use super::limits::HttpLimits;
use super::request_body::RequestBody as Received;
use crate::protocol::error_code;
use crate::runtime::server::budget::{BudgetFull, Charge, EACH, SMALL};
use crate::transport::http_server::refusal::Refusal;
use http_body_util::BodyExt;
use hyper::StatusCode;
use hyper::body::Body;
use std::time::Duration;

/// The most memory that is there for a body before the body is.
const ANNOUNCED_BYTES: usize = 16 * 1024;

impl HttpEndpoint {
    /// The body, within its bounds and those of all that the server holds for its clients, and what counts it.
    pub(super) async fn received(
        &self,
        caller: &Caller,
        body: Received,
    ) -> Result<(Vec<u8>, Charge), Refusal> {
        let limits = &self.settings.limits;
        if body.size_hint().lower() > limits.body_bytes as u64 {
            return Err(self.too_large());
        }
        tokio::time::timeout(limits.body, self.collected(caller, body)).await.unwrap_or_else(|_| {
            let millis = limits.body.as_millis();
            let text = format!("the body did not come within {millis} ms (timeouts.body_ms)");
            Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, error_code::INVALID_REQUEST, text))
        })
    }

    fn too_large(&self) -> Refusal {
        let most = self.settings.limits.body_bytes;
        let text = format!("the body has more than {most} bytes (limits.frame_bytes)");
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, error_code::INVALID_REQUEST, text)
    }

    async fn collected(&self, caller: &Caller, mut body: Received) -> Result<(Vec<u8>, Charge), Refusal> {
        let limits = &self.settings.limits;
        let full = |_: BudgetFull| {
            Refusal::at_limit(
                "limits.shared_bytes",
                "the server holds as many bytes for its clients as limits.shared_bytes allows",
            )
        };
        let begun = tokio::time::Instant::now();
        // What is announced is believed up to a bound: the rest of it may never come.
        let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
        let mut text = Vec::new();
        let mut charge = caller.account.clone().nothing();
        charge.grow_in_time(EACH + caller.head_bytes).await.map_err(full)?;
        let mut room = announced.min(ANNOUNCED_BYTES);
        let most = if announced > 0 { announced } else { limits.body_bytes };
        loop {
            let next = async {
                match slowest(limits, begun, text.len()) {
                    Some(until) => tokio::time::timeout_at(until, body.frame()).await.map_err(|_| {
                        let text = format!(
                            "{} bytes of the body came in {} ms: a large one must come with {} bytes a second (limits.body_bytes_per_second)",
                            text.len(), begun.elapsed().as_millis(), limits.body_rate
                        );
                        Refusal::new(StatusCode::REQUEST_TIMEOUT, error_code::INVALID_REQUEST, text)
                    }),
                    None => Ok(body.frame().await),
                }
            };
            let Some(frame) = next.await? else {
                caller.account.is_served();
                return Ok((text, charge));
            };
            let frame =
                frame.map_err(|error| Refusal::bad(format!("the body could not be read: {error}")))?;
            let Ok(data) = frame.into_data() else { continue };
            let length = text.len() + data.len();
            if length > limits.body_bytes {
                return Err(self.too_large());
            }
            if length > text.capacity() {
                room = length.max(room).max((2 * text.capacity()).min(most));
                charge.grow_in_time(room - text.capacity()).await.map_err(full)?;
                text.try_reserve_exact(room - text.len()).map_err(|_| full(BudgetFull))?;
            }
            text.extend_from_slice(&data);
            caller.account.moves(data.len());
        }
    }
}

/// When the next part of a body must have come, of which so many bytes have: a large one has a least rate after its grace.
fn slowest(limits: &HttpLimits, begun: tokio::time::Instant, bytes: usize) -> Option<tokio::time::Instant> {
    if bytes <= SMALL || limits.body_rate == 0 {
        return None;
    }
    let due = Duration::from_millis(bytes as u64 * 1000 / limits.body_rate as u64);
    begun.checked_add(limits.body_grace)?.checked_add(due)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_body_has_a_least_rate_after_its_grace_and_a_small_one_has_none() {
        let begun = tokio::time::Instant::now();
        let limits =
            HttpLimits { body_rate: 1 << 20, body_grace: Duration::from_secs(5), ..HttpLimits::of_tests() };
        assert_eq!(slowest(&limits, begun, SMALL), None);
        let after = |bytes| slowest(&limits, begun, bytes).expect("a bound") - begun;
        assert!(after(SMALL + 1) < Duration::from_millis(5100));
        assert_eq!(after(16 << 20), Duration::from_secs(21));
        assert_eq!(slowest(&HttpLimits { body_rate: 0, ..limits }, begun, 16 << 20), None);
    }
}
