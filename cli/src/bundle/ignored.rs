//! Which files of a folder are not packed: `.mcpbignore`, in the syntax of `.gitignore`, behind what is never wanted.
//! <https://git-scm.com/docs/gitignore>

/// What bundles do without. Of these a file of the folder may want some back (`!*.map`).
const USUAL: [&str; 21] = [
    ".git/",
    ".gitignore",
    ".gitattributes",
    ".github/",
    ".mcpbignore",
    ".DS_Store",
    "Thumbs.db",
    "*.log",
    "*.map",
    "*.mcpb",
    "*.swp",
    ".idea/",
    ".vscode/",
    ".venv/",
    "__pycache__/",
    "*.pyc",
    ".pytest_cache/",
    ".mypy_cache/",
    "node_modules/.bin/",
    "node_modules/.cache/",
    ".npm/",
];
/// Files with secrets, which no line wants back.
const NEVER: [&str; 26] = [
    ".env",
    ".env.*",
    ".envrc",
    ".npmrc",
    ".pypirc",
    ".netrc",
    ".git-credentials",
    ".htpasswd",
    ".mcp.json",
    ".cursor/",
    ".aws/",
    ".azure/",
    ".docker/",
    ".gnupg/",
    ".kube/",
    ".ssh/",
    "*.p12",
    "*.pfx",
    "*.ppk",
    "*.kdbx",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ecdsa_sk",
    "id_ed25519",
    "id_ed25519_sk",
];

#[derive(Debug)]
struct Rule {
    parts: Vec<String>,
    is_of_folders: bool,
    is_wanted: bool,
}

/// Rules, of which the last one that fits counts.
#[derive(Debug)]
pub struct Ignored {
    rules: Vec<Rule>,
}

impl Rule {
    fn of(line: &str) -> Option<Rule> {
        let line = line.strip_suffix('\r').unwrap_or(line);
        // A space at the end counts behind a backslash alone.
        let bare = line.trim_end_matches(' ');
        let line = if bare.ends_with('\\') && bare.len() < line.len() { &line[..=bare.len()] } else { bare };
        if line.is_empty() || line.starts_with('#') {
            return None;
        }
        let (is_wanted, line) = line.strip_prefix('!').map_or((false, line), |line| (true, line));
        let (is_of_folders, line) = line.strip_suffix('/').map_or((false, line), |line| (true, line));
        let mut parts: Vec<String> = line.trim_start_matches('/').split('/').map(str::to_owned).collect();
        if !line.contains('/') {
            // It fits in every folder.
            parts.insert(0, "**".to_owned());
        }
        Some(Rule { parts, is_of_folders, is_wanted })
    }

    fn fits(&self, path: &[&str], is_folder: bool) -> bool {
        (is_folder || !self.is_of_folders) && all_fit(&self.parts, path)
    }
}

fn all_fit(pattern: &[String], path: &[&str]) -> bool {
    match pattern.split_first() {
        None => path.is_empty(),
        Some((first, rest)) if first == "**" => {
            // At the end it is everything inside.
            let least = usize::from(rest.is_empty());
            (least..=path.len()).any(|skipped| all_fit(rest, &path[skipped..]))
        }
        Some((first, rest)) => path.split_first().is_some_and(|(part, path)| {
            let (pattern, part): (Vec<char>, Vec<char>) = (first.chars().collect(), part.chars().collect());
            part_fits(&pattern, &part) && all_fit(rest, path)
        }),
    }
}

/// One part of a path against one of a pattern, in time that grows with the product of their lengths.
fn part_fits(pattern: &[char], text: &[char]) -> bool {
    let (mut at, mut here) = (0, 0);
    // The last star, and how much of the text it has.
    let mut star: Option<(usize, usize)> = None;
    loop {
        let step = match pattern.get(at) {
            Some('*') => {
                star = Some((at + 1, here));
                at += 1;
                continue;
            }
            None if here == text.len() => return true,
            None => None,
            Some(_) if here == text.len() => return false,
            Some('?') => Some(1),
            Some('[') => class(&pattern[at..], text[here]),
            Some('\\') if at + 1 < pattern.len() => (pattern[at + 1] == text[here]).then_some(2),
            Some(c) => (*c == text[here]).then_some(1),
        };
        match (step, star) {
            (Some(length), _) => (at, here) = (at + length, here + 1),
            (None, Some((behind, taken))) if taken < text.len() => {
                star = Some((behind, taken + 1));
                (at, here) = (behind, taken + 1);
            }
            (None, _) => return false,
        }
    }
}

/// The length of `[a-z]` or `[!a]` at the beginning of a pattern, if the letter is among these.
fn class(pattern: &[char], letter: char) -> Option<usize> {
    let Some(end) = pattern.iter().skip(2).position(|c| *c == ']').map(|at| at + 2) else {
        return (letter == '[').then_some(1);
    };
    let (is_not, inside) = match pattern[1] {
        '!' | '^' => (true, &pattern[2..end]),
        _ => (false, &pattern[1..end]),
    };
    let mut is_in = false;
    let mut at = 0;
    while at < inside.len() {
        let to = if inside.get(at + 1) == Some(&'-') { inside.get(at + 2) } else { None };
        is_in |= (inside[at]..=*to.unwrap_or(&inside[at])).contains(&letter);
        at += if to.is_some() { 3 } else { 1 };
    }
    (is_in != is_not).then_some(end + 1)
}

impl Ignored {
    /// The usual rules with those of a file.
    pub fn of(text: &str) -> Ignored {
        let never = NEVER.iter().filter_map(|line| Rule::of(line));
        Ignored { rules: USUAL.into_iter().chain(text.lines()).filter_map(Rule::of).chain(never).collect() }
    }

    /// Whether a path is left out. What is in a folder that is left out is not asked for.
    pub fn has(&self, path: &str, is_folder: bool) -> bool {
        let parts: Vec<&str> = path.split('/').collect();
        let rule = self.rules.iter().rev().find(|rule| rule.fits(&parts, is_folder));
        rule.is_some_and(|rule| !rule.is_wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_mean_what_they_mean_to_git() {
        for (lines, path, is_folder, is_left_out) in [
            ("*.o", "a.o", false, true),
            ("*.o", "b/c/a.o", false, true),
            ("*.o\n!keep.o", "b/keep.o", false, false),
            ("/a", "a", false, true),
            ("/a", "b/a", false, false),
            ("build/", "x/build", true, true),
            ("build/", "build", false, false),
            ("a/*.txt", "a/b.txt", false, true),
            ("a/*.txt", "a/b/c.txt", false, false),
            ("a/**/c", "a/c", false, true),
            ("a/**/c", "a/b/b/c", false, true),
            ("a/**", "a/b", false, true),
            ("a/**", "a", true, false),
            ("**/x", "x", false, true),
            ("?.[ch]", "a.c", false, true),
            ("?.[!ch]", "a.c", false, false),
            ("[a-c]x", "bx", false, true),
            ("# no\n\n  \nx ", "x", false, true),
            ("\\!x", "!x", false, true),
            ("a*b*c", "aXbXbc", false, true),
            ("a*b*c", "aXbX", false, false),
            ("[", "[", false, true),
            // What is never packed, whatever the file says.
            ("!.env", ".env", false, true),
            ("!.env.local", "sub/.env.local", false, true),
            ("!.git-credentials", "a/.git-credentials", false, true),
            ("!.ssh", ".ssh", true, true),
            ("!.mcp.json\n!*.pfx", "x.pfx", false, true),
            // Public certificates are in packages; a private key is seen by what is in it.
            ("", "certifi/cacert.pem", false, false),
            ("", "a.key", false, false),
            ("!*.map", "a.js.map", false, false),
            ("", "a.js.map", false, true),
            ("", "node_modules/.bin", true, true),
            ("", "server/index.js", false, false),
        ] {
            assert_eq!(Ignored::of(lines).has(path, is_folder), is_left_out, "{lines:?} {path}");
        }
        // Many stars take no time.
        assert!(!Ignored::of(&"*a".repeat(200)).has(&"a".repeat(5000).replace("aa", "ab"), false));
    }
}
