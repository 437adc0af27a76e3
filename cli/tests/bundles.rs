//! Bundles: a folder is packed, the bundle is checked, used as it is, installed and removed; nothing of it is started by that but for the lists.

mod scene;

use scene::Scene;
use std::fs::{Permissions, read, set_permissions, write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

const TOOLS: &str = "name: words\ntools:\n  - name: say\n    description: Says it.\n    command: [printf, '%s', '{text}']\n    \
    inputSchema: {type: object, properties: {text: {type: string}}}\n";

/// A folder with a server that leaves a mark when it runs.
fn server(scene: &Scene) -> PathBuf {
    scene.file("made/tools.yaml", TOOLS);
    let line = format!(
        "#!/bin/sh\necho ran >> '{}'\nexec '{}' serve \"$(dirname \"$0\")/tools.yaml\"\n",
        scene.mark().display(),
        env!("CARGO_BIN_EXE_mcp")
    );
    let program = scene.file("made/run.sh", &line);
    set_permissions(&program, Permissions::from_mode(0o755)).expect("a mode");
    scene.file("made/package.json", r#"{"name":"@me/words","version":"1.0.0","description":"Says words","author":"Me <me@x>","license":"MIT"}"#);
    scene.file("made/.env", "KEY=s3cret\n");
    scene.file("made/node_modules/.bin/x", "no");
    scene.project.join("made")
}

#[test]
fn a_folder_becomes_a_bundle_that_is_used_installed_and_removed() {
    let scene = Scene::new();
    let made = server(&scene);
    let (code, text) = scene.run_in(&made, &["pack", "--into", "../a.mcpb", "--", "./run.sh"]);
    assert!(code == 0 && scene.runs() == 1, "{text}");
    let bundle = scene.project.join("a.mcpb");
    let first = read(&bundle).expect("a bundle");
    let digest = text.lines().find(|line| line.contains("../a.mcpb") && line.len() > 64).expect("a digest")
        [..64]
        .to_owned();
    // The same files give the same bytes, whatever their dates are.
    write(made.join("tools.yaml"), read(made.join("tools.yaml")).expect("read")).expect("written");
    assert_eq!(scene.run_in(&made, &["pack", "--into", "../b.mcpb", "--", "./run.sh"]).0, 0);
    assert_eq!(read(scene.project.join("b.mcpb")).expect("a bundle"), first);
    scene.runs();

    let path = bundle.to_str().expect("a path");
    let (code, text) = scene.run(&["pack", "--check", path, "-o", "json"]);
    assert!(code == 0 && text.contains(&digest) && text.contains("\"Says it.\""), "{text}");
    assert!(
        text.contains("${__dirname}/run.sh") && !text.contains(".env") && !text.contains("node_modules"),
        "{text}"
    );

    // As a target it is started, and unpacked once.
    let (code, text) = scene.run(&["call", path, "say", "text=hello"]);
    assert!(code == 0 && text.contains("hello"), "{text}");
    assert_eq!(scene.run(&["tools", path, "-o", "names"]), (0, "say\n".to_owned()));
    assert_eq!(scene.runs(), 2);
    let kept = scene.home.join(".cache/libmcp/bundles");
    assert_eq!(std::fs::read_dir(&kept).expect("a cache").count(), 1);

    let (code, text) = scene.run(&["install", path]);
    assert!(code == 1 && text.contains("--yes") && text.contains("Says words"), "{text}");
    let (code, text) = scene.run(&["install", path, "--yes", "--sha256", &"0".repeat(64)]);
    assert!(code == 1 && text.contains(&digest) && text.contains("nothing is installed"), "{text}");
    let (code, text) = scene.run(&["install", path, "--dry-run"]);
    assert!(
        code == 0 && text.contains("would be changed") && scene.own(".config/libmcp/servers.json").is_empty(),
        "{text}"
    );
    let folder = scene.home.join(".local/share/libmcp/bundles");
    assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 0);
    scene.file(
        "~/.config/libmcp/servers.json",
        &format!("{{\"mcpServers\": {{\"other\": {{{}}}}}}}", scene.server()),
    );
    let (code, text) = scene.run(&["install", path, "--yes"]);
    assert!(code == 0 && text.contains("was not started") && scene.runs() == 0, "{text}");
    let program = folder.join("words/content/run.sh");
    assert_eq!(program.metadata().expect("unpacked").permissions().mode() & 0o777, 0o700);
    assert!(scene.own(".config/libmcp/servers.json").contains(program.to_str().expect("a path")));
    let (code, text) = scene.run(&["call", "words", "say", "text=again"]);
    assert!(code == 0 && text.contains("again"), "{text}");
    let (code, text) = scene.run(&["install", path, "--yes"]);
    assert!(
        code == 1 && text.contains("installed already") && text.contains("mcp uninstall words"),
        "{text}"
    );
    let (code, text) = scene.run(&["uninstall", "word"]);
    assert!(code == 1 && text.contains("did you mean 'words'?"), "{text}");
    let (code, text) = scene.run(&["uninstall", "words"]);
    assert!(code == 0 && !folder.join("words").exists(), "{text}");
    let left = scene.own(".config/libmcp/servers.json");
    assert!(!left.contains("run.sh") && left.contains("other"), "{left}");
}

#[test]
fn settings_are_given_and_a_secret_is_a_reference() {
    let scene = Scene::new();
    let made = server(&scene);
    let manifest = r#"{"manifest_version":"0.3","name":"words","version":"1","description":"d","author":{"name":"me"},
        "server":{"type":"binary","entry_point":"run.sh","mcp_config":{"command":"${__dirname}/run.sh",
            "env":{"UNITS":"${user_config.units}","KEY":"${user_config.key}"}}},
        "user_config":{"units":{"type":"string","title":"U","description":"\u001b[2JUnits","default":"metric"},
            "key":{"type":"string","title":"K","description":"Key","sensitive":true,"required":true}}}"#;
    write(made.join("manifest.json"), manifest).expect("a manifest");
    let (code, text) = scene.run_in(&made, &["pack", "--into", "../a.mcpb"]);
    assert!(code == 1 && text.contains("--input key=VALUE") && text.contains("--no-start"), "{text}");
    let (code, text) = scene.run_in(&made, &["pack", "--into", "../a.mcpb", "--input", "key=s3cret"]);
    let bundle = scene.project.join("a.mcpb");
    let path = bundle.to_str().expect("a path");
    let has_secret = |bytes: &[u8]| bytes.windows(6).any(|part| part == b"s3cret");
    assert!(code == 0 && !has_secret(&read(&bundle).expect("a bundle")), "{text}");
    let (code, text) = scene.run(&["install", path, "--yes", "--input", "key=s3cret", "--input", "units=si"]);
    let file = scene.own(".config/libmcp/servers.json");
    assert!(code == 0 && file.contains("${WORDS_KEY}") && file.contains("\"si\""), "{text} {file}");
    assert!(text.contains("WORDS_KEY") && !text.contains("s3cret") && !text.contains('\u{1b}'), "{text}");
    assert!(!has_secret(file.as_bytes()));
    let (code, text) = scene.run(&["tools", "words"]);
    assert!(code == 1 && text.contains("'WORDS_KEY', which is not set"), "{text}");
    assert_eq!(scene.run(&["uninstall", "words"]).0, 0);
    let (code, text) = scene.run(&["install", path, "--yes", "--input", "keys=x"]);
    assert!(code == 1 && text.contains("did you mean 'key'?"), "{text}");
    let (code, text) = scene.run(&["tools", path]);
    assert!(code == 1 && text.contains("--input key=VALUE"), "{text}");
    let (code, text) = scene.run(&["tools", path, "--input", "key=x", "-o", "names"]);
    assert!(code == 0 && text == "say\n", "{text}");
}

#[test]
fn what_no_file_says_the_server_says_of_itself() {
    let scene = Scene::new();
    let made = server(&scene);
    std::fs::remove_file(made.join("package.json")).expect("removed");
    let pack = |words: &[&str]| {
        scene.run_in(&made, &[&["pack", "--into", "../a.mcpb"], words, &["--", "./run.sh"]].concat())
    };
    let (code, text) = pack(&["--no-start", "--manifest", "author=me"]);
    assert!(code == 1 && text.contains("name is missing"), "{text}");
    let (code, text) = pack(&[]);
    assert!(code == 1 && text.contains("author is missing") && !text.contains("name is missing"), "{text}");
    let (code, text) = pack(&["--manifest", "author=me", "--manifest", "version=9"]);
    assert_eq!(code, 0, "{text}");
    let (_, text) = scene.run_in(&made, &["pack", "--check", "../a.mcpb", "-o", "json"]);
    assert!(text.contains("\"name\":\"words\"") || text.contains("\"name\": \"words\""), "{text}");
    assert!(text.contains("\"9\"") && text.contains("description"), "{text}");
}

#[test]
fn what_belongs_into_no_bundle_is_refused() {
    let scene = Scene::new();
    let made = server(&scene);
    let pack = || scene.run_in(&made, &["pack", "--no-start", "--into", "../a.mcpb", "--", "./run.sh"]);
    let key = made.join("key.txt");
    write(&key, "-----BEGIN PRIVATE KEY-----\nMII\n").expect("a file");
    let (code, text) = pack();
    assert!(
        code == 1 && text.contains("'key.txt' has a private key") && text.contains(".mcpbignore"),
        "{text}"
    );
    write(made.join(".mcpbignore"), "key.txt\n!.env\n").expect("a file");
    assert_eq!(pack().0, 0);
    assert!(!scene.run_in(&made, &["pack", "--check", "../a.mcpb", "-o", "json"]).1.contains(".env"));
    std::os::unix::fs::symlink("/etc/passwd", made.join("link")).expect("a link");
    let (code, text) = pack();
    assert!(code == 1 && text.contains("link") && text.contains("a bundle has no links"), "{text}");
    std::fs::remove_file(made.join("link")).expect("removed");
    let (code, text) = scene.run_in(&made, &["pack", "--check", "run.sh"]);
    assert!(code == 6 && text.contains("no whole Zip"), "{text}");
    for (words, said) in [
        (&["install", "nowhere.mcpb", "--yes"][..], "cannot read nowhere.mcpb"),
        (&["install", "http://example.com/a.mcpb", "--yes"], "write a URL with https"),
        (&["pack"], "has no manifest.json"),
        (&["pack", "--", "./missing"], "no word of the command"),
        (&["pack", "--manifest", "version", "--", "./run.sh"], "there is no '='"),
        (&["pack", "--manifest", "icon=../x", "--", "./run.sh"], "icon has the part '..'"),
    ] {
        let (code, text) = scene.run_in(&made, words);
        assert!(code == 1 && text.contains(said), "{words:?}: {text}");
    }
}
