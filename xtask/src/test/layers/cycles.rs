//! Import cycles between the files of `src`. Those that are there today are listed in `cycles.txt`, import by import; the
//! list may only become shorter.

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

    /// Imports without which no cycle is left, as few mentions as a search finds: it puts the files into an order in which
    /// little points backwards, and moves each of them to its best place until no move helps.
    fn to_cut(&self, graph: &Graph) -> Vec<(usize, usize)> {
        let edges = self.edges(graph);
        let weight = |a: usize, b: usize| graph.edges.get(&(a, b)).map_or(0, Vec::len);
        // A file comes before those that it imports.
        let mut order = self.files.clone();
        let degree = |file: usize| {
            let out: usize = edges.iter().filter(|(from, _)| *from == file).count();
            let into: usize = edges.iter().filter(|(_, to)| *to == file).count();
            into.cast_signed() - out.cast_signed()
        };
        order.sort_by_key(|file| degree(*file));
        let mut improved = true;
        while improved {
            improved = false;
            for file in &self.files {
                let Some(at) = order.iter().position(|other| other == file) else { continue };
                order.remove(at);
                // What points backwards with the file in front; each step to the right turns one pair round.
                let mut costs = vec![order.iter().map(|other| weight(*other, *file)).sum::<usize>()];
                for (place, other) in order.iter().enumerate() {
                    costs.push(costs[place] + weight(*file, *other) - weight(*other, *file));
                }
                let best = (0..costs.len()).min_by_key(|place| (costs[*place], *place != at)).unwrap_or(at);
                improved |= costs[best] < costs[at];
                order.insert(best, *file);
            }
        }
        let place = |file: usize| order.iter().position(|other| *other == file);
        edges.into_iter().filter(|(from, to)| place(*from) > place(*to)).collect()
    }
}

/// An import as the list has it.
fn line(graph: &Graph, (from, to): (usize, usize)) -> String {
    format!("{} -> {}", name(graph, from), name(graph, to))
}

fn name(graph: &Graph, file: usize) -> String {
    graph.files[file].to_string_lossy().replace('\\', "/")
}

/// An import with the lines that make it: `src/a.rs:3 imports super::b::C of src/b.rs`.
fn story(graph: &Graph, edge: (usize, usize)) -> String {
    let mentions = graph.edges.get(&edge).map_or(&[][..], Vec::as_slice);
    let (from, to) = (name(graph, edge.0), name(graph, edge.1));
    let lines: Vec<String> =
        mentions.iter().map(|(line, path)| format!("src/{from}:{line} {path}")).collect();
    let shown = lines.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
    let more = lines.len().saturating_sub(3);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{shown}{more} -> src/{to}")
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

fn round(graph: &Graph, edge: (usize, usize), back: &[(usize, usize)]) -> String {
    let mut text = format!("an import is in a cycle: {}", story(graph, edge));
    for edge in back {
        let _ = write!(text, "\n    and back: {}", story(graph, *edge));
    }
    text
}

/// How many imports a failure tells of: one import more can bring a hundred others into a cycle.
const MOST_TOLD: usize = 4;

/// What is wrong, compared with the list.
pub fn compare(graph: &Graph, list: &str) -> Result<(), String> {
    let (count, listed) = parse(list)?;
    if count != listed.len() {
        return Err(format!(
            "cycles.txt says {count} imports and lists {}. The count may only go down: `cargo xtask cycles --write`",
            listed.len()
        ));
    }
    let mut unlisted = Vec::new();
    let mut present = BTreeSet::new();
    for edge in cycles(graph).iter().flat_map(|cycle| cycle.edges(graph)) {
        let line = line(graph, edge);
        if !listed.contains(&line) {
            unlisted.push((edge, way_back(graph, edge)));
        }
        present.insert(line);
    }
    // The shortest way round is the one that says most.
    unlisted.sort_by_key(|(_, back)| back.len());
    let mut wrong: Vec<String> =
        unlisted.iter().take(MOST_TOLD).map(|(edge, back)| round(graph, *edge, back)).collect();
    if unlisted.len() > MOST_TOLD {
        wrong.push(format!("and {} more: `cargo xtask cycles`", unlisted.len() - MOST_TOLD));
    }
    let gone: Vec<&String> = listed.difference(&present).collect();
    if !gone.is_empty() && wrong.is_empty() {
        let lines: Vec<String> = gone.iter().map(|line| format!("    {line}")).collect();
        wrong.push(format!(
            "good: {} imports of cycles.txt are in no cycle any more. Shorten the list: `cargo xtask cycles --write`\n{}",
            gone.len(),
            lines.join("\n")
        ));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

const HEAD: &str = "\
# The import cycles between files of src that are still there. `cargo xtask cycles` shows each with the lines that make it
# and with the imports to cut; `cargo xtask cycles --write` shortens this list, and refuses to make it longer. The step
# `layers` fails on an import in a cycle that is not listed, and on a listed one that is in no cycle any more.
";

/// The list for what there is now.
pub fn list(graph: &Graph) -> String {
    let mut lines: Vec<String> = Vec::new();
    for cycle in cycles(graph) {
        lines.extend(cycle.edges(graph).into_iter().map(|edge| line(graph, edge)));
    }
    lines.sort();
    format!("{HEAD}imports: {}\n{}\n", lines.len(), lines.join("\n"))
}

/// The list for what there is now, if it is no longer than the old one.
pub fn shortened(graph: &Graph, old: &str) -> Result<String, String> {
    let (count, _) = parse(old)?;
    let new = list(graph);
    let (now, _) = parse(&new)?;
    if now > count {
        return Err(format!(
            "there are {now} imports in cycles now and {count} before: the list may only become shorter"
        ));
    }
    Ok(new)
}

fn parse(list: &str) -> Result<(usize, BTreeSet<String>), String> {
    let mut lines = list.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let count = lines.next().and_then(|line| line.strip_prefix("imports: ")?.parse().ok());
    Ok((count.ok_or("cycles.txt does not begin with `imports: N`")?, lines.map(str::to_owned).collect()))
}

/// All cycles, for a person: the files, and the imports whose removal leaves none.
pub fn report(graph: &Graph) -> String {
    let cycles = cycles(graph);
    if cycles.is_empty() {
        return "no file of src is in an import cycle\n".to_owned();
    }
    let files: usize = cycles.iter().map(|cycle| cycle.files.len()).sum();
    let mut text = format!("{} cycles, {files} of {} files\n", cycles.len(), graph.files.len());
    for (number, cycle) in cycles.iter().enumerate() {
        let (edges, cut) = (cycle.edges(graph), cycle.to_cut(graph));
        let _ = writeln!(
            text,
            "\n## {}. {} files, {} imports between them, {} to cut\n",
            number + 1,
            cycle.files.len(),
            edges.len(),
            cut.len()
        );
        for file in &cycle.files {
            let count =
                |wanted: fn(&(usize, usize)) -> usize| edges.iter().filter(|it| wanted(it) == *file).count();
            let _ = writeln!(
                text,
                "- src/{}: imports {}, is imported by {}",
                name(graph, *file),
                count(|edge| edge.0),
                count(|edge| edge.1)
            );
        }
        text.push_str("\nTo cut:\n\n");
        for edge in cut {
            let _ = writeln!(text, "- {}", story(graph, edge));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{compare, cycles, list, report, shortened};
    use crate::test::layers::graph::Graph;
    use crate::test::layers::rules::graph;

    const NONE: &str = "# comment\nimports: 0\n";

    fn of(files: &[(&str, &str)]) -> Graph {
        let files: Vec<(PathBuf, String)> =
            files.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned())).collect();
        graph(&files)
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
        let why = compare(&two(), NONE).expect_err("a cycle");
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
        assert_eq!(found[0].to_cut(&graph).len(), 1, "one import less, and no cycle is left");
    }

    #[test]
    fn sources_without_a_cycle_pass() {
        for module in ["mod a; pub use a::A; pub struct B;", "mod a; use a::A; pub struct B(A);"] {
            // A file is a part of the module of its folder, which may use it.
            let graph = of(&[("json/mod.rs", module), ("json/a.rs", "use super::B; pub struct A;")]);
            assert_eq!(compare(&graph, NONE), Ok(()), "{module}");
            assert!(report(&graph).starts_with("no file"));
        }
    }

    #[test]
    fn what_is_listed_passes_and_the_list_may_only_become_shorter() {
        let graph = two();
        let listed = list(&graph);
        assert!(listed.contains("imports: 2\njson/a.rs -> json/b.rs\njson/b.rs -> json/a.rs\n"), "{listed}");
        assert_eq!(compare(&graph, &listed), Ok(()));
        let longer = listed.replace("imports: 2", "imports: 3");
        assert!(compare(&graph, &longer).is_err(), "the count is the number of lines");
        let stale = longer + "json/b.rs -> json/c.rs\n";
        assert!(
            compare(&graph, &stale).is_err_and(|why| why.contains("json/b.rs -> json/c.rs")),
            "one that is gone"
        );
        assert_eq!(shortened(&graph, &stale), Ok(listed));
        assert!(shortened(&graph, NONE).is_err());
        assert!(compare(&graph, "").is_err());
    }
}
