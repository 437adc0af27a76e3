//! Which modules a file of `src` names, wherever it names them: in `use` trees, in paths inside expressions and types.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{ItemMod, ItemUse, Macro, PatIdent, UseTree, Visibility};

use crate::source::declared_modules;

/// What a file says of other modules.
#[derive(Default)]
pub struct Named {
    pub imports: Vec<Import>,
    /// The modules that it declares, each with the module that it is declared in.
    pub declared: Vec<(Vec<String>, String)>,
    /// The words of its code, without those of `use` trees and those that name a field, a method or a new item.
    pub words: BTreeSet<String>,
}

/// A path that was named.
#[derive(Debug, PartialEq, Eq)]
pub struct Import {
    /// The module that names it: the file's own, or one inside the file.
    pub module: Vec<String>,
    /// The segments as written, without a `self` at the end.
    pub segments: Vec<String>,
    pub line: usize,
    /// For a `use`, what it brings into its module.
    pub brings: Option<Brings>,
}

/// What a `use` brings into its module.
#[derive(Debug, PartialEq, Eq)]
pub struct Brings {
    pub name: String,
    /// It is given on, as with `pub use`.
    pub is_public: bool,
}

impl Import {
    /// The path from the crate's root, or `None` if it does not start at `crate`, `self` or `super`.
    pub fn path(&self) -> Option<Vec<String>> {
        let mut path = match self.segments.first()?.as_str() {
            "crate" => Vec::new(),
            "self" | "super" => self.module.clone(),
            _ => return None,
        };
        let mut at_start = true;
        for segment in &self.segments {
            match segment.as_str() {
                "crate" | "self" => {}
                "super" if at_start => {
                    path.pop();
                }
                name => {
                    at_start = false;
                    path.push(name.to_owned());
                }
            }
        }
        Some(path)
    }
}

/// Reads a file. `module` is its own path, such as `["engine", "calls"]`.
pub fn read(file: &syn::File, module: &[String]) -> Named {
    let mut reader = Reader { module: module.to_vec(), found: Named::default() };
    reader.visit_file(file);
    reader.found
}

struct Reader {
    module: Vec<String>,
    found: Named,
}

impl Reader {
    /// One tree of a `use` below the segments so far.
    fn tree(&mut self, tree: &UseTree, mut segments: Vec<String>, is_public: bool) {
        let (last, name) = match tree {
            UseTree::Path(path) => {
                segments.push(path.ident.to_string());
                return self.tree(&path.tree, segments, is_public);
            }
            UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.tree(tree, segments.clone(), is_public));
            }
            UseTree::Name(name) => (&name.ident, None),
            UseTree::Rename(rename) => (&rename.ident, Some(rename.rename.to_string())),
            UseTree::Glob(glob) => {
                segments.push("*".to_owned());
                let brings = Some(Brings { name: "*".to_owned(), is_public });
                return self.note(segments, glob.star_token.span.start().line, brings);
            }
        };
        if last != "self" || segments.is_empty() {
            segments.push(last.to_string());
        }
        let name = name.or_else(|| segments.last().cloned()).unwrap_or_default();
        self.note(segments, last.span().start().line, Some(Brings { name, is_public }));
    }

    /// A path of code: its first word, and where it leads.
    fn path(&mut self, segments: Vec<String>, line: usize) {
        self.found.words.extend(segments.first().cloned());
        if segments.len() > 1 {
            self.note(segments, line, None);
        }
    }

    /// The paths in what a macro is given.
    fn paths_of(&mut self, code: TokenStream) {
        let (mut segments, mut line, mut colons) = (Vec::new(), 0, 0);
        for tree in code {
            match tree {
                TokenTree::Punct(sign) if sign.as_char() == ':' => colons += 1,
                TokenTree::Ident(word) if colons == 2 && !segments.is_empty() => {
                    segments.push(word.to_string());
                    colons = 0;
                }
                other => {
                    self.path(std::mem::take(&mut segments), line);
                    colons = 0;
                    match other {
                        TokenTree::Ident(word) => {
                            (segments, line) = (vec![word.to_string()], word.span().start().line);
                        }
                        TokenTree::Group(group) => self.paths_of(group.stream()),
                        _ => {}
                    }
                }
            }
        }
        self.path(segments, line);
    }

    fn note(&mut self, segments: Vec<String>, line: usize, brings: Option<Brings>) {
        self.found.imports.push(Import { module: self.module.clone(), segments, line, brings });
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        self.found.declared.push((self.module.clone(), item.ident.to_string()));
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        // At the start it says that another crate follows.
        let start = item.leading_colon.iter().map(|_| String::new()).collect();
        self.tree(&item.tree, start, !matches!(item.vis, Visibility::Inherited));
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if path.leading_colon.is_none() {
            self.path(segments, path.segments.first().map_or(0, |first| first.ident.span().start().line));
        }
        visit::visit_path(self, path);
    }

    fn visit_pat_ident(&mut self, name: &'ast PatIdent) {
        // It may be a constant.
        self.found.words.insert(name.ident.to_string());
        visit::visit_pat_ident(self, name);
    }

    fn visit_macro(&mut self, code: &'ast Macro) {
        visit::visit_macro(self, code);
        let module = self.module.clone();
        self.found
            .declared
            .extend(declared_modules(&code.tokens).into_iter().map(|name| (module.clone(), name)));
        self.paths_of(code.tokens.clone());
    }
}
