//! Import cycles between the files of `src`, of which there are none.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;

use super::graph::Graph;

/// Files each of which reaches all others by imports, and so needs all of them.
pub struct Cycle {
    /// Places in `Graph::files`.
    pub files: Vec<usize>,
}

/// All cycles, the largest first.
pub fn cycles(graph: &Graph) -> Vec<Cycle> {
    let next = next(graph);
    let reached: Vec<BTreeSet<usize>> = (0..graph.files.len()).map(|from| reached(&next, from)).collect();
    let mut seen: BTreeSet<usize> = BTreeSet::new();
    let mut found = Vec::new();
    for file in 0..graph.files.len() {
        if seen.contains(&file) || !reached[file].contains(&file) {
            continue;
        }
        let files: Vec<usize> =
            reached[file].iter().copied().filter(|other| reached[*other].contains(&file)).collect();
        seen.extend(&files);
        found.push(Cycle { files });
    }
    found.sort_by_key(|cycle| std::cmp::Reverse(cycle.files.len()));
    found
}

fn next(graph: &Graph) -> BTreeMap<usize, Vec<usize>> {
    let mut next: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (from, to) in graph.edges.keys() {
        next.entry(*from).or_default().push(*to);
    }
    next
}

/// What a file reaches by one import or more.
fn reached(next: &BTreeMap<usize, Vec<usize>>, from: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(file) = open.pop() {
        for to in next.get(&file).into_iter().flatten() {
            if found.insert(*to) {
                open.push(*to);
            }
        }
    }
    found
}

impl Cycle {
    /// The imports between its files, as pairs of places.
    pub fn edges(&self, graph: &Graph) -> Vec<(usize, usize)> {
        let is_in = |file: &usize| self.files.binary_search(file).is_ok();
        graph.edges.keys().filter(|(from, to)| is_in(from) && is_in(to)).copied().collect()
    }
}

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

/// The way back from the end of an import to its begin, the shortest.
fn way_back(graph: &Graph, (from, to): (usize, usize)) -> Vec<(usize, usize)> {
    let next = next(graph);
    let mut came_from = BTreeMap::from([(to, to)]);
    let mut open = VecDeque::from([to]);
    while let Some(file) = open.pop_front() {
        for other in next.get(&file).into_iter().flatten() {
            if !came_from.contains_key(other) {
                came_from.insert(*other, file);
                open.push_back(*other);
            }
        }
    }
    let mut way = Vec::new();
    let mut at = from;
    while at != to {
        let Some(before) = came_from.get(&at) else { return Vec::new() };
        way.push((*before, at));
        at = *before;
    }
    way.reverse();
    way
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
    let edges = cycles(graph).into_iter().flat_map(|cycle| cycle.edges(graph));
    let mut found: Vec<_> = edges.map(|edge| (edge, way_back(graph, edge))).collect();
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

    use super::{check, cycles};
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
        let found = cycles(&graph);
        assert_eq!(found.iter().map(|cycle| cycle.files.len()).collect::<Vec<_>>(), [3]);
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
