//! Skills (extension `io.modelcontextprotocol/skills`), declared and served with the behaviour `skills`: one that is right,
//! and one for each way in which a file may differ from its entry.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::message;
use crate::session::Session;

pub const EXTENSION: &str = "io.modelcontextprotocol/skills";

/// What a skill's files are, and what its entry says of them.
struct Skill {
    name: &'static str,
    /// The front matter in the entry.
    front_matter: fn() -> Value,
    /// The files: their paths, their bytes as they are served, and their digests and sizes in the entry.
    files: &'static [File],
}

struct File {
    path: &'static str,
    served: Served,
    digest: &'static str,
    size: usize,
}

enum Served {
    Text(&'static str),
    /// Base64.
    Blob(&'static str),
    /// In two parts.
    Twice(&'static str),
    Missing,
}

const GOOD: &str = "---\nname: good\ndescription: >-\n  Shows that a skill\n  arrives\nmetadata:\n  version: \"1.0\"\n  tags: [a, b]\n---\n\n# Good\n\nSee references/more.md.\n";
const GOOD_DIGEST: &str = "sha256:3e6f00f9cec06ac78c9e3a08d3fb2000c9ac1caa66ef3f7cfb69f0fdf2588f77";
const MORE: &str = "More: déjà vu.\n";
const MORE_DIGEST: &str = "sha256:d0e42586aa5ab3bcf29938e9ff496418d395a323e8a256ea17ffe2ac5e67cf2b";
/// The bytes 00 to ff, in Base64.
const BYTES: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+P0BBQkNERUZHSElKS0xNTk9QUVJTVFVWV1hZWltcXV5fYGFiY2RlZmdoaWprbG1ub3BxcnN0dXZ3eHl6e3x9fn+AgYKDhIWGh4iJiouMjY6PkJGSk5SVlpeYmZqbnJ2en6ChoqOkpaanqKmqq6ytrq+wsbKztLW2t7i5uru8vb6/wMHCw8TFxsfIycrLzM3Oz9DR0tPU1dbX2Nna29zd3t/g4eLj5OXm5+jp6uvs7e7v8PHy8/T19vf4+fr7/P3+/w==";
const BYTES_DIGEST: &str = "sha256:40aff2e9d2d8922e47afd4648e6967497158785fbd1da870e7110266bf944880";

const PLAIN: &str = "---\nname: NAME\ndescription: d\n---\n";

/// A skill with nothing but a `SKILL.md` whose text is [`PLAIN`] with its name in it.
const fn alone(name: &'static str, files: &'static [File]) -> Skill {
    Skill { name, front_matter: || json!({ "description": "d" }), files }
}

const fn main_file(served: Served, digest: &'static str, size: usize) -> File {
    File { path: "SKILL.md", served, digest, size }
}

const SKILLS: &[Skill] = &[
    Skill {
        name: "good",
        front_matter: || json!({ "description": "Shows that a skill arrives", "metadata": { "version": "1.0", "tags": ["a", "b"] } }),
        files: &[
            main_file(Served::Text(GOOD), GOOD_DIGEST, 141),
            File { path: "references/more.md", served: Served::Text(MORE), digest: MORE_DIGEST, size: 17 },
            File {
                path: "assets/all%20bytes.bin",
                served: Served::Blob(BYTES),
                digest: BYTES_DIGEST,
                size: 256,
            },
            File { path: "references/gone.md", served: Served::Missing, digest: MORE_DIGEST, size: 10 },
        ],
    },
    alone("wrong-digest", &[main_file(Served::Text(PLAIN), GOOD_DIGEST, 42)]),
    alone(
        "wrong-size",
        &[main_file(
            Served::Text(PLAIN),
            "sha256:aa12c1d8097f8a68e40681beeb36583d6b77adeeb093753949ff2d556ae6195f",
            7,
        )],
    ),
    alone(
        "two-parts",
        &[main_file(
            Served::Twice(PLAIN),
            "sha256:d1d2b8dc2f3c06a1f5da1a4b09e1eba6b8ac4413b290b027669c8e928d8f23ca",
            39,
        )],
    ),
    alone(
        "no-front-matter",
        &[main_file(
            Served::Text("# Text\n"),
            "sha256:48d23d19d06c325d6d7cc187a4324c42b20ecdd53cb918d858bb8f2f289e3ce5",
            7,
        )],
    ),
    Skill {
        name: "other-front-matter",
        front_matter: || json!({ "description": "harmless" }),
        files: &[main_file(
            Served::Text(PLAIN),
            "sha256:c3e69ba0223b55d775d972dc4b4500848eddaed34e74192ffac0c0fae9d44008",
            48,
        )],
    },
    alone(
        "too-large",
        &[main_file(
            Served::Text(PLAIN),
            "sha256:899244dc2c03e4a06c9bd002ba6961292cd3e3bd340575e75857a15c8cf3b054",
            16 * 1024 * 1024 + 1,
        )],
    ),
    alone(
        "outside",
        &[
            main_file(
                Served::Text(PLAIN),
                "sha256:9b9c6652e4060003e34f8befd25567b7d958a19ff415dc958fdde60cde90af5b",
                37,
            ),
            File { path: "../good/SKILL.md", served: Served::Missing, digest: GOOD_DIGEST, size: 141 },
        ],
    ),
    alone("dynamic", &[main_file(Served::Text(PLAIN), "", 0)]),
];

fn uri(skill: &Skill, path: &str) -> String {
    format!("skill://shelf/{}/{path}", skill.name)
}

fn entry(skill: &Skill) -> Value {
    let mut front_matter = (skill.front_matter)();
    front_matter["name"] = skill.name.into();
    let listed =
        |file: &File| json!({ "uri": uri(skill, file.path), "digest": file.digest, "size": file.size });
    let files: Value = match skill.name {
        "dynamic" => "dynamic".into(),
        _ => skill.files.iter().map(listed).collect(),
    };
    json!({ "uri": uri(skill, "SKILL.md"), "frontmatter": front_matter, "resources": files })
}

/// Answers what the extension adds. Says whether it was asked for such a thing.
pub fn answer(session: &Arc<Session>, id: &Value, method: &str, params: &Map<String, Value>) -> bool {
    if !session.script.has("skills") {
        return false;
    }
    let asked = params.get("uri").and_then(Value::as_str).unwrap_or_default();
    let answer = match method {
        "skills/list" => {
            let cursor = params.get("cursor").and_then(Value::as_str);
            let half = SKILLS.len() / 2;
            // `dynamic` is not listed, but served.
            let listed = if cursor.is_none() { &SKILLS[..half] } else { &SKILLS[half..SKILLS.len() - 1] };
            let mut result = json!({ "skills": listed.iter().map(entry).collect::<Vec<_>>() });
            if cursor.is_none() {
                result["nextCursor"] = "more".into();
            }
            Some(result)
        }
        "skills/get" => {
            let found = SKILLS.iter().find(|skill| uri(skill, "SKILL.md") == asked);
            found.map(|skill| json!({ "skill": entry(skill) }))
        }
        "resources/read" => read(asked),
        _ => return false,
    };
    session.send(&match answer {
        None => message::error(id, -32602, &format!("Nothing is served at {asked}")),
        Some(mut result) => {
            result["ttlMs"] = 60_000.into();
            result["cacheScope"] = "private".into();
            message::result(id, session.dress(result))
        }
    });
    true
}

fn read(asked: &str) -> Option<Value> {
    let all = SKILLS.iter().flat_map(|skill| skill.files.iter().map(move |file| (skill, file)));
    let (skill, file) = all.into_iter().find(|(skill, file)| uri(skill, file.path) == asked)?;
    let text = |text: &str| json!({ "uri": asked, "text": text.replace("NAME", skill.name) });
    let contents = match file.served {
        Served::Text(served) => json!([text(served)]),
        Served::Blob(served) => json!([{ "uri": asked, "blob": served }]),
        Served::Twice(served) => json!([text(served), text("and more")]),
        Served::Missing => return None,
    };
    Some(json!({ "contents": contents }))
}
