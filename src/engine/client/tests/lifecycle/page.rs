//! The tables of `docs/reference/lifecycle.md`, read as a person reads them.

use crate::engine::State;
use std::collections::HashSet;
use std::sync::LazyLock;

const PAGE: &str = include_str!("../../../../../docs/reference/lifecycle.md");

/// A column of the tables: a state, with `initializing` in its two halves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Idle,
    Starting,
    Probing,
    Initializing,
    Ready,
    Backoff,
    Closing,
    Closed,
}

impl Place {
    pub const ALL: [Place; 8] = [
        Place::Idle,
        Place::Starting,
        Place::Probing,
        Place::Initializing,
        Place::Ready,
        Place::Backoff,
        Place::Closing,
        Place::Closed,
    ];

    fn named(name: &str) -> Place {
        let found = Place::ALL.into_iter().find(|place| format!("{place:?}").eq_ignore_ascii_case(name));
        found.unwrap_or_else(|| panic!("the page names a state '{name}'"))
    }

    pub fn state(self) -> State {
        match self {
            Place::Idle => State::Idle,
            Place::Starting => State::Starting,
            Place::Probing | Place::Initializing => State::Initializing,
            Place::Ready => State::Ready,
            Place::Backoff => State::Backoff,
            Place::Closing => State::Closing,
            Place::Closed => State::Closed,
        }
    }
}

/// One cell: what happens at an event in a state.
pub struct Cell {
    pub event: &'static str,
    pub place: Place,
    pub text: &'static str,
    pub effects: Vec<&'static str>,
    pub next: Option<Place>,
}

/// The rows of the first table under a heading, without the line that rules it off.
pub fn table(heading: &str) -> Vec<Vec<&'static str>> {
    let (_, section) = PAGE.split_once(&format!("\n## {heading}\n")).expect("the page has this section");
    section
        .lines()
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'))
        .filter(|line| !line.starts_with("|---"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect()
}

/// The texts in a cell that stand between backquotes.
pub fn code(text: &'static str) -> Vec<&'static str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// Every cell of the four tables of events.
pub fn cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for heading in
        ["Events of the application", "Events of the transport", "Messages of the server", "Timers"]
    {
        let rows = table(heading);
        let header = rows.first().expect("a header");
        for row in &rows[1..] {
            assert_eq!(row.len(), header.len(), "{row:?}");
            for (column, text) in header.iter().zip(row).skip(1) {
                for place in places(column, header) {
                    let next = text.split_once("→ ").map(|(_, state)| Place::named(state));
                    cells.push(Cell { event: row[0], place, text, effects: code(text), next });
                }
            }
        }
    }
    cells
}

fn places(column: &str, header: &[&str]) -> Vec<Place> {
    if column != "any other state" {
        return vec![Place::named(column)];
    }
    let named: Vec<Place> = header
        .iter()
        .filter(|name| **name != column && **name != "event")
        .map(|name| Place::named(name))
        .collect();
    Place::ALL.into_iter().filter(|place| !named.contains(place)).collect()
}

static LEGAL: LazyLock<HashSet<(State, State)>> = LazyLock::new(|| {
    let mut legal = HashSet::new();
    for cell in cells() {
        if let Some(next) = cell.next
            && next.state() != cell.place.state()
        {
            legal.insert((cell.place.state(), next.state()));
            if next == Place::Backoff {
                // "Where a cell leads to `backoff`, it leads to `closed` when reconnection is off", or used up.
                legal.insert((cell.place.state(), State::Closed));
            }
        }
    }
    legal
});

/// Whether the page has a transition.
pub fn is_legal(from: State, to: State) -> bool {
    LEGAL.contains(&(from, to))
}
