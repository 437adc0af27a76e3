//! Which file of `src` imports what another file defines. Names are followed through `pub use` to the file that defines
//! them, so that a `mod.rs` that only gives on what its files hold ties nothing together. Declaring a module is not an import.
//!
//! What a file imports from the `mod.rs` of a folder that it is in does not count either: it is a part of that module, such as one
//! more `impl` block of the type that the module defines.
//!
//! It is a reader of names and no compiler: it does not see methods that are called on values, nor what a macro writes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::imports::{self, Brings, Import, Named};

/// How often one `use` may lead to another before the search ends.
const MOST_HOPS: usize = 32;

/// Files, by their paths below `src`, and what they import of each other.
pub struct Graph {
    pub files: Vec<PathBuf>,
    /// From one file to another: each mention, with its line and the path as written.
    pub edges: BTreeMap<(usize, usize), Vec<(usize, String)>>,
}

/// A module of the crate: its file, the modules it declares and what its `use`s bring.
#[derive(Default)]
struct Module {
    file: usize,
    children: BTreeSet<String>,
    uses: Vec<(Vec<String>, String)>,
}

/// Where a path leads.
enum Place {
    Module,
    /// Something that this file defines.
    Item(usize),
}

struct Crate(BTreeMap<Vec<String>, Module>);

impl Graph {
    /// `codes` has files without their tests.
    pub fn of(codes: &[(&Path, &syn::File)], module_of: impl Fn(&Path) -> Vec<String>) -> Self {
        let named: Vec<Named> =
            codes.iter().map(|(path, code)| imports::read(code, &module_of(path))).collect();
        let mut modules: BTreeMap<Vec<String>, Module> = BTreeMap::new();
        for (file, (path, _)) in codes.iter().enumerate() {
            modules.entry(module_of(path)).or_default().file = file;
        }
        for (file, named) in named.iter().enumerate() {
            for (parent, name) in &named.declared {
                let child = [parent.as_slice(), std::slice::from_ref(name)].concat();
                // A module inside its file is the only one that has none of its own.
                modules.entry(child).or_insert_with(|| Module { file, ..Module::default() });
                modules.entry(parent.clone()).or_default().children.insert(name.clone());
            }
            for import in &named.imports {
                if let Some(Brings { name, .. }) = &import.brings {
                    let module = modules.entry(import.module.clone()).or_default();
                    module.uses.push((import.segments.clone(), name.clone()));
                }
            }
        }
        let library = Crate(modules);
        let mut edges: BTreeMap<(usize, usize), Vec<(usize, String)>> = BTreeMap::new();
        for (from, named) in named.iter().enumerate() {
            for import in &named.imports {
                let counts = |to: &usize| *to != from && !is_part_of(codes[from].0, codes[*to].0);
                if let Some(to) = library.imported(import, named).filter(counts) {
                    edges.entry((from, to)).or_default().push((import.line, import.segments.join("::")));
                }
            }
        }
        Self { files: codes.iter().map(|(path, _)| path.to_path_buf()).collect(), edges }
    }
}

/// Whether a file is in the folder of a module, or below it.
fn is_part_of(file: &Path, module: &Path) -> bool {
    module.ends_with("mod.rs") && module.parent().is_some_and(|folder| file.starts_with(folder))
}

impl Crate {
    /// The file that an import needs; `None` for another crate, for a module as such, and for what is only given on.
    fn imported(&self, import: &Import, named: &Named) -> Option<usize> {
        if let Some(Brings { name, is_public: true }) = &import.brings
            && !named.words.contains(name)
        {
            return None;
        }
        match self.find(&import.module, &import.segments, 0)? {
            Place::Item(file) => Some(file),
            Place::Module => None,
        }
    }

    /// Where a path leads that stands in a module.
    fn find(&self, from: &[String], segments: &[String], hops: usize) -> Option<Place> {
        if hops > MOST_HOPS {
            return None;
        }
        let (first, rest) = segments.split_first()?;
        let mut module = from.to_vec();
        match first.as_str() {
            "crate" => self.below(Vec::new(), rest, hops),
            "self" => self.below(module, rest, hops),
            "super" => {
                let above = rest.iter().take_while(|segment| *segment == "super").count();
                module.truncate(module.len().checked_sub(1 + above)?);
                self.below(module, &rest[above..], hops)
            }
            name => {
                let here = self.0.get(from)?;
                if here.children.contains(name) {
                    return self.below(module, segments, hops);
                }
                // `use libc;` names another crate, and so does what nothing brings.
                let path = here.brings(name).filter(|path| path.first() != Some(first))?;
                self.find(from, &[path, rest].concat(), hops + 1)
            }
        }
    }

    /// Where a path leads that starts below a module.
    fn below(&self, module: Vec<String>, segments: &[String], hops: usize) -> Option<Place> {
        let here = self.0.get(&module)?;
        let Some((first, rest)) = segments.split_first() else { return Some(Place::Module) };
        if here.children.contains(first) {
            let child = [module, vec![first.clone()]].concat();
            return self.below(child, rest, hops);
        }
        match here.brings(first).filter(|_| first != "*") {
            Some(path) => self.find(&module, &[path, rest].concat(), hops + 1),
            None => Some(Place::Item(here.file)),
        }
    }
}

impl Module {
    /// The path that a `use` gives this name to.
    fn brings(&self, name: &str) -> Option<&[String]> {
        self.uses.iter().find(|(_, brought)| brought == name).map(|(path, _)| path.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use crate::test::layers::rules::{codes, graph};

    /// `a.rs -> b.rs` for each import between files.
    fn edges(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<(PathBuf, String)> =
            files.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned())).collect();
        let graph = graph(&codes(&files).expect("Rust"));
        let name = |file: usize| graph.files[file].display().to_string();
        graph.edges.keys().map(|(from, to)| format!("{} -> {}", name(*from), name(*to))).collect()
    }

    #[test]
    fn an_import_leads_to_the_file_that_defines_the_name() {
        let library = ("lib.rs", "mod engine; mod json;");
        let json = ("json/mod.rs", "mod scan; pub use scan::Scan; pub fn look() {}");
        let scan = ("json/scan.rs", "pub struct Scan;");
        for (code, to) in [
            ("use crate::json::Scan;", "scan"),
            ("use crate::json::{Scan as Other};", "scan"),
            ("use crate::json; fn f(x: json::Scan) {}", "scan"),
            ("use crate::json::{self}; fn f() { json::look() }", "mod"),
            ("fn f(x: &crate::json::scan::Scan) {}", "scan"),
            ("fn f() { super::json::Scan::new() }", "scan"),
            ("use crate::json::*;", "mod"),
        ] {
            let engine = ("engine.rs", code);
            assert_eq!(
                edges(&[library, engine, json, scan]),
                [format!("engine.rs -> json/{to}.rs")],
                "{code}"
            );
        }
    }

    #[test]
    fn a_module_is_tied_by_what_it_uses_and_not_by_what_it_declares_or_gives_on() {
        let child = ("json/scan.rs", "use super::Limit; pub struct Scan;");
        for (code, ties) in [
            ("mod scan; pub use scan::Scan; pub struct Limit;", false),
            ("pub mod scan; pub(crate) use self::scan::{Scan}; pub struct Limit;", false),
            ("mod scan; pub use scan::Scan; pub struct Limit(Scan);", true),
            ("mod scan; use scan::Scan; pub struct Limit;", true),
            ("mod scan; pub struct Limit; fn f() { scan::go() }", true),
            ("mod scan; pub struct Limit; #[cfg(test)] mod tests { use super::scan::Scan; }", false),
        ] {
            // What the child imports from its parent does not count.
            let expected: &[&str] = if ties { &["json/mod.rs -> json/scan.rs"] } else { &[] };
            assert_eq!(edges(&[("json/mod.rs", code), child]), expected, "{code}");
        }
    }

    #[test]
    fn other_crates_tests_and_modules_inside_a_file_are_no_imports() {
        let other = ("json/mod.rs", "use libc; use serde_json::json; fn f() { libc::read(); json::x() }");
        assert_eq!(edges(&[other, ("libc.rs", "")]), [""; 0]);
        let inside = ("json/mod.rs", "mod a { pub fn f() { super::g() } } fn g() { a::f() }");
        assert_eq!(edges(&[inside]), [""; 0]);
        let test = ("json/tests.rs", "use crate::ffi::x;");
        let files = [("json/mod.rs", "#[cfg(test)] mod tests;"), test, ("ffi/mod.rs", "pub fn x() {}")];
        assert_eq!(edges(&files), [""; 0]);
    }
}
