//! Import cycles between the files of `src`, of which there are none.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;

use super::graph::Graph;

fn name(graph: &Graph, file: usize) -> String {
    graph.files[file].to_string_lossy().replace('\\', "/")
}

/// An import with the lines that make it: `src/a.rs:3 imports super::b::C of src/b.rs`.
fn story(root: &str, graph: &Graph, edge: (usize, usize)) -> String {
    let mentions = graph.edges.get(&edge).map_or(&[][..], Vec::as_slice);
    let (from, to) = (name(graph, edge.0), name(graph, edge.1));
    let lines: Vec<String> =
        mentions.iter().map(|(line, path)| format!("{root}/{from}:{line} {path}")).collect();
    let shown = lines.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
    let more = lines.len().saturating_sub(3);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{shown}{more} -> {root}/{to}")
}

/// The files that a file reaches by imports, each with the one before it on the shortest way.
fn reached(next: &BTreeMap<usize, Vec<usize>>, start: usize) -> BTreeMap<usize, usize> {
    let mut came_from = BTreeMap::from([(start, start)]);
    let mut open = VecDeque::from([start]);
    while let Some(file) = open.pop_front() {
        for other in next.get(&file).into_iter().flatten() {
            came_from.entry(*other).or_insert_with(|| {
                open.push_back(*other);
                file
            });
        }
    }
    came_from
}

/// The way back from the end of an import to its begin; `None` if it is in no cycle.
fn way_back(came_from: &BTreeMap<usize, usize>, (from, to): (usize, usize)) -> Option<Vec<(usize, usize)>> {
    let mut way = Vec::new();
    let mut at = from;
    while at != to {
        let before = *came_from.get(&at)?;
        way.push((before, at));
        at = before;
    }
    way.reverse();
    Some(way)
}

fn round(root: &str, graph: &Graph, edge: (usize, usize), back: &[(usize, usize)]) -> String {
    let mut text = format!("an import is in a cycle: {}", story(root, graph, edge));
    for edge in back {
        let _ = write!(text, "\n    and back: {}", story(root, graph, *edge));
    }
    text
}

/// How many imports a failure tells of: one import more can bring a hundred others into a cycle.
const MOST_TOLD: usize = 4;

/// Each import that is in a cycle, with the way back. `root` is the folder of the files.
pub fn check(root: &str, graph: &Graph) -> Result<(), String> {
    let mut next: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (from, to) in graph.edges.keys() {
        next.entry(*from).or_default().push(*to);
    }
    let reached: Vec<_> = (0..graph.files.len()).map(|file| reached(&next, file)).collect();
    let back = |edge: &(usize, usize)| Some((*edge, way_back(&reached[edge.1], *edge)?));
    let mut found: Vec<_> = graph.edges.keys().filter_map(back).collect();
    // The shortest way round is the one that says most.
    found.sort_by_key(|(_, back)| back.len());
    let mut wrong: Vec<String> =
        found.iter().take(MOST_TOLD).map(|(edge, back)| round(root, graph, *edge, back)).collect();
    if found.len() > MOST_TOLD {
        wrong.push(format!("and {} more", found.len() - MOST_TOLD));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::check;
    use crate::test::layers::graph::Graph;
    use crate::test::layers::rules::{codes, graph};

    fn of(files: &[(&str, &str)]) -> Graph {
        let files: Vec<(PathBuf, String)> =
            files.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned())).collect();
        graph(&codes(&files).expect("Rust"))
    }

    fn two() -> Graph {
        of(&[
            ("json/mod.rs", "mod a; mod b; mod c;"),
            ("json/a.rs", "\nuse super::b::B; pub struct A;"),
            ("json/b.rs", "pub struct B; fn f(x: super::a::A) {}"),
            ("json/c.rs", "use super::{a::A, b::B};"),
        ])
    }

    #[test]
    fn a_planted_cycle_between_two_files_is_caught_and_told_with_its_lines() {
        let why = check("src", &two()).expect_err("a cycle");
        assert!(
            why.contains("an import is in a cycle: src/json/a.rs:2 super::b::B -> src/json/b.rs"),
            "{why}"
        );
        assert!(why.contains("and back: src/json/b.rs:1 super::a::A -> src/json/a.rs"), "{why}");
        assert!(!why.contains("json/c.rs"), "what only imports files of a cycle is in none: {why}");
    }

    #[test]
    fn a_cycle_over_three_files_and_a_folder_is_one() {
        let graph = of(&[
            ("lib.rs", "mod json; mod text;"),
            ("json/mod.rs", "mod a; use a::A; pub struct Limit(A);"),
            ("json/a.rs", "use crate::text::B; pub struct A;"),
            ("text.rs", "pub struct B(crate::json::Limit);"),
        ]);
        let why = check("src", &graph).expect_err("a cycle");
        assert_eq!(why.matches("an import is in a cycle").count(), 3, "{why}");
        assert_eq!(why.matches("and back").count(), 6, "{why}");
    }

    #[test]
    fn sources_without_a_cycle_pass() {
        for module in ["mod a; pub use a::A; pub struct B;", "mod a; use a::A; pub struct B(A);"] {
            // A file is a part of the module of its folder, which may use it.
            let graph = of(&[("json/mod.rs", module), ("json/a.rs", "use super::B; pub struct A;")]);
            assert_eq!(check("src", &graph), Ok(()), "{module}");
        }
    }
}
