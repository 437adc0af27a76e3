//! URLs whose servers were found to be of the legacy era, for all clients of the process: the next one need not probe. Kept
//! for some time only, since servers are updated, and dropped at once when it proves wrong.

use crate::engine::Shape;
use crate::runtime::lock;
use crate::transport::http::settings::HttpSettings;
use crate::transport::process::per_process::{PerProcess, kept_for_process};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// URLs that are remembered; beyond that the oldest is dropped.
const PLACES: usize = 256;
/// How long.
const TIME: Duration = Duration::from_secs(3600);

/// The oldest first.
#[derive(Default)]
struct KnownEras(Vec<(String, Shape, Instant)>);

static PLACES_KNOWN: PerProcess<Mutex<KnownEras>> = PerProcess::new(Mutex::default);

impl KnownEras {
    fn find(&self, place: &str, now: Instant) -> Option<Shape> {
        let is_it = |(known, _, since): &&(String, Shape, Instant)| {
            known == place && now.saturating_duration_since(*since) < TIME
        };
        self.0.iter().find(is_it).map(|(_, shape, _)| *shape)
    }

    fn note(&mut self, place: &str, shape: Option<Shape>, now: Instant) {
        self.0.retain(|(known, _, since)| known != place && now.saturating_duration_since(*since) < TIME);
        if let Some(shape) = shape {
            if self.0.len() == PLACES {
                self.0.remove(0);
            }
            self.0.push((place.to_owned(), shape, now));
        }
    }
}

/// Where the server is: a gateway may have servers of both eras behind one origin, so that the path counts, too.
fn place(settings: &HttpSettings) -> String {
    let path = settings.url.target().split('?').next().unwrap_or_default();
    let socket = settings.unix_socket.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    format!("{}{path} {socket}", settings.url.origin())
}

/// What is known of the server there.
pub(super) fn known(settings: &HttpSettings) -> Option<Shape> {
    lock(PLACES_KNOWN.get()).find(&place(settings), Instant::now())
}

/// Notes what was found out; `None` where nothing is to be assumed any more.
pub(super) fn note(settings: &HttpSettings, shape: Option<Shape>) {
    let (place, mut places) = (place(settings), lock(PLACES_KNOWN.get()));
    kept_for_process(|| places.note(&place, shape, Instant::now()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_known_until_it_is_dropped_or_too_old() {
        let mut places = KnownEras::default();
        let now = Instant::now();
        assert_eq!(places.find("a", now), None);
        places.note("a", Some(Shape::Streamable), now);
        places.note("a", Some(Shape::Sse), now);
        assert_eq!(places.find("a", now), Some(Shape::Sse));
        assert_eq!(places.find("b", now), None);
        assert_eq!(places.find("a", now + TIME), None);
        places.note("a", None, now);
        assert_eq!(places.find("a", now), None);
        assert!(places.0.is_empty());
    }

    #[test]
    fn the_oldest_of_too_many_is_dropped() {
        let mut places = KnownEras::default();
        let now = Instant::now();
        for number in 0..=PLACES {
            places.note(&number.to_string(), Some(Shape::Streamable), now);
        }
        assert_eq!(places.0.len(), PLACES);
        assert_eq!(places.find("0", now), None);
        assert_eq!(places.find("1", now), Some(Shape::Streamable));
    }
}
