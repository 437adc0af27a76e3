//! Holds the engine to `docs/reference/lifecycle.md`: every cell of its tables, every row of its violations.

mod page;
mod scene;
mod violations;

pub use page::is_legal;

use page::{Place, cells};
use scene::{EVENTS, Scene};

#[test]
fn the_engine_does_what_every_cell_of_the_page_says() {
    let cells = cells();
    for event in EVENTS {
        for place in Place::ALL {
            let of_it: Vec<_> =
                cells.iter().filter(|cell| cell.event == event.name && cell.place == place).collect();
            assert_eq!(of_it.len(), 1, "one cell for '{}' in {place:?}", event.name);
            let mut scene = Scene::at(place, event);
            let happened = scene.play(event);
            let what = format!("'{}' in {place:?}", event.name);
            assert_eq!(happened.effects, of_it[0].effects, "{what}");
            assert_eq!(happened.place, of_it[0].next.unwrap_or(place), "{what}");
        }
    }
    assert_eq!(cells.len(), EVENTS.len() * Place::ALL.len(), "no event on the page that is not tested");
}

#[test]
fn the_page_says_why_where_nothing_happens() {
    for cell in cells() {
        let what = format!("'{}' in {:?}", cell.event, cell.place);
        assert!(!cell.text.is_empty(), "{what}");
        if cell.text.starts_with("ignored") {
            let reason = cell.text.strip_prefix("ignored: ").unwrap_or_default();
            assert!(!reason.is_empty(), "{what}");
            assert!(cell.effects.is_empty() && cell.next.is_none(), "{what}");
        }
    }
}

#[test]
fn there_is_no_way_out_of_closed_and_only_two_out_of_backoff() {
    use crate::engine::State;
    let ways_out = |from| State::ALL.into_iter().filter(move |to| is_legal(from, *to)).collect::<Vec<_>>();
    assert_eq!(ways_out(State::Closed), []);
    assert_eq!(ways_out(State::Backoff), [State::Starting, State::Closed]);
    assert_eq!(ways_out(State::Closing), [State::Closed]);
    for from in State::ALL {
        assert_eq!(is_legal(from, State::Ready), from == State::Initializing, "{from:?}");
    }
}
