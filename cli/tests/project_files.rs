//! Files of a project, which others may have written: what of them counts, and that nothing of them is used before the person has
//! approved exactly that.

mod scene;

use scene::Scene;
use std::fs::{Permissions, create_dir_all, read_to_string, set_permissions, write};
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

/// Every command that takes the name of a server.
const COMMANDS: [&[&str]; 30] = [
    &["list", "x"],
    &["tools", "x"],
    &["call", "x", "say"],
    &["resources", "x"],
    &["read", "x", "a://b"],
    &["prompts", "x"],
    &["get", "x", "p"],
    &["complete", "x", "p", "a="],
    &["subscribe", "x", "a://b"],
    &["watch", "x", "--for", "0.1"],
    &["log", "x", "--for", "0.1"],
    &["tasks", "list", "x"],
    &["tasks", "get", "x", "1"],
    &["tasks", "wait", "x", "1"],
    &["tasks", "cancel", "x", "1"],
    &["info", "x"],
    &["ping", "x"],
    &["snapshot", "x"],
    &["diff", "../../old.json", "x"],
    &["trace", "x"],
    &["doctor", "x"],
    &["bench", "x", "say", "--calls", "1"],
    &["login", "x"],
    &["logout", "x"],
    &["auth", "status", "x"],
    &["shell", "x"],
    &["bridge", "x"],
    &["run", "--no-sandbox", "--allow", "x/say", "x", "--", "true"],
    &["session", "start", "s", "x"],
    &["generate", "python", "--into", "../../made", "x"],
];

#[test]
fn no_command_uses_what_is_not_approved() {
    let scene = Scene::new();
    scene.file(".mcp.json", &format!("{{\"mcpServers\": {{\"x\": {{{}}}}}}}", scene.server()));
    for words in COMMANDS {
        for name in ["x", "project:x"] {
            let words: Vec<&str> = words.iter().map(|word| if *word == "x" { name } else { word }).collect();
            let (code, text) = scene.run(&words);
            assert_eq!(code, 7, "{words:?}: {text}");
            assert!(text.contains("mcp config trust project:x"), "{words:?}: {text}");
        }
    }
    assert_eq!(scene.runs(), 0, "it ran");
    let (code, text) = scene.run(&["config", "import", "x"]);
    assert!(code == 7 && scene.own(".config/libmcp/servers.json").is_empty(), "{text}");
    let (code, text) = scene.run(&["list", "x", "-o", "json"]);
    assert!(code == 7 && text.starts_with(r#"{"error":{"code":"not_approved","message":"#), "{text}");
}

#[test]
fn no_file_of_a_project_is_an_exception() {
    let scene = Scene::new();
    let server = scene.server();
    let json = |key: &str| format!("{{\"{key}\": {{\"x\": {{{server}}}}}}}");
    let toml = format!(
        "[mcp_servers.x]\n{}",
        server.replace("\"command\":", "command =").replace(", \"args\":", "\nargs =")
    );
    for (path, source, text) in [
        (".mcp.json", "project", json("mcpServers")),
        ("src/.mcp.json", "project", json("mcpServers")),
        ("src/.cursor/mcp.json", "cursor", json("mcpServers")),
        ("src/.vscode/mcp.json", "vscode", json("servers")),
        ("src/.gemini/settings.json", "gemini", json("mcpServers")),
        ("src/.codex/config.toml", "codex", toml),
        ("src/.zed/settings.json", "zed", json("context_servers")),
        ("src/.vscode/settings.json", "vscode", format!("{{\"mcp\": {}}}", json("servers"))),
        ("src/.qwen/settings.json", "qwen", json("mcpServers")),
        ("src/opencode.json", "opencode", json("mcp")),
        ("src/opencode.jsonc", "opencode", format!("{{\"mcp\": {}}}", json("servers"))),
        ("src/.opencode/opencode.json", "opencode", json("mcp")),
        ("src/.github/mcp.json", "copilot", json("mcpServers")),
        ("src/.roo/mcp.json", "roo", json("mcpServers")),
        ("src/.kiro/settings/mcp.json", "kiro", json("mcpServers")),
        ("src/.amazonq/mcp.json", "amazon-q", json("mcpServers")),
        ("src/.junie/mcp/mcp.json", "junie", json("mcpServers")),
        ("src/.continue/mcpServers/any.json", "continue", json("mcpServers")),
        (
            "src/.continue/mcpServers/any.yaml",
            "continue",
            format!("{{\"mcpServers\": [{{\"name\": \"x\", {server}}}]}}"),
        ),
    ] {
        let file = scene.file(path, &text);
        for name in ["x".to_owned(), "project:x".to_owned(), format!("{source}:x")] {
            let (code, text) = scene.run(&["tools", &name]);
            assert_eq!(code, 7, "{path} {name}: {text}");
        }
        assert_eq!(scene.runs(), 0, "{path} ran");
        let (code, text) = scene.run(&["config", "import"]);
        assert!(code == 0 && text.contains("project:x"), "{path}: {text}");
        assert_eq!(scene.own(".config/libmcp/servers.json"), "", "{path}");
        // The same, approved.
        let (code, text) = scene.run(&["config", "trust", "x"]);
        assert!(code == 0 && text.contains("echo ran"), "{path}: {text}");
        let (code, text) = scene.run(&["tools", "-o", "names", &format!("{source}:x")]);
        assert!(code == 0 && text.contains("say"), "{path}: {text}");
        assert_eq!(scene.runs(), 1, "{path}");
        std::fs::remove_file(file).expect("removed");
    }
}

#[test]
fn a_look_at_all_servers_starts_what_is_approved_alone() {
    let scene = Scene::new();
    let server = scene.server();
    let entry = |name: &str| format!("\"{name}\": {{{server}, \"envFile\": \"/etc/hostname\"}}");
    scene.file(".mcp.json", &format!("{{\"mcpServers\": {{{}, {}}}}}", entry("theirs"), entry("asked")));
    scene.file("~/.config/libmcp/servers.json", &format!("{{\"mcpServers\": {{\"mine\": {{{server}}}}}}}"));
    for words in [&["list"][..], &["config", "check", "--connect"]] {
        let (_, text) = scene.run(words);
        assert!(text.contains("not approved"), "{words:?}: {text}");
        assert_eq!(scene.runs(), 1, "{words:?}: {text}");
    }
    let (code, text) = scene.run(&["config", "check"]);
    assert!(code == 6 && text.contains("envFile") && scene.runs() == 0, "{text}");
    let (code, text) = scene.run(&["config", "trust", "asked"]);
    assert_eq!(code, 0, "{text}");
    let (code, text) = scene.run(&["list"]);
    let states: Vec<(&str, bool)> = ["asked", "theirs", "mine"]
        .into_iter()
        .map(|name| (name, text.lines().any(|line| line.starts_with(name) && line.contains("ready"))))
        .collect();
    assert_eq!((code, states), (0, vec![("asked", true), ("theirs", false), ("mine", true)]), "{text}");
    assert_eq!(scene.runs(), 2);
    let (code, text) = scene.run(&["tools", "theirs"]);
    assert!(code == 7 && text.contains("envFile of 'theirs'"), "{text}");
}

#[test]
fn an_approval_is_for_exactly_one_entry() {
    let scene = Scene::new();
    let entry = |members: &str| format!("{{\"mcpServers\": {{\"x\": {{{members}}}}}}}");
    let server = scene.server();
    scene.file(".mcp.json", &entry(&server));
    assert_eq!(scene.run(&["config", "trust", "project:x"]).0, 0);
    assert_eq!(scene.run(&["list", "x"]).0, 0);
    assert_eq!(scene.runs(), 1);
    for changed in [
        server.replace("\"sh\"", "\"bash\""),
        server.replace("echo ran", "echo ran again"),
        format!("{server}, \"cwd\": \"/\""),
        format!("{server}, \"env\": {{\"A\": \"1\"}}"),
        format!("{server}, \"headers\": {{\"A\": \"1\"}}"),
        "\"url\": \"http://127.0.0.1:9/\"".to_owned(),
    ] {
        scene.file(".mcp.json", &entry(&changed));
        let (code, text) = scene.run(&["list", "x"]);
        assert!(code == 7 && text.contains("has changed"), "{changed}: {code} {text}");
    }
    // Another file, and another name, have not been approved either.
    scene.file(".mcp.json", &entry(&server).replace("\"x\"", "\"y\""));
    assert_eq!(scene.run(&["list", "y"]).0, 7);
    scene.file("src/.mcp.json", &entry(&server));
    assert_eq!(scene.run(&["list", "x"]).0, 7);
    std::fs::remove_file(scene.project.join("src/.mcp.json")).expect("removed");
    assert_eq!(scene.runs(), 0);
    // As it was, it is approved still; then no more.
    scene.file(".mcp.json", &entry(&server));
    assert_eq!(scene.run(&["list", "x"]).0, 0);
    assert_eq!(scene.run(&["config", "trust", "--revoke", "x"]).0, 0);
    assert_eq!(scene.run(&["list", "x"]).0, 7);
    assert_eq!(scene.runs(), 1);
}

#[test]
fn an_approval_that_others_could_have_written_is_none() {
    let scene = Scene::new();
    scene.file(".mcp.json", &format!("{{\"mcpServers\": {{\"x\": {{{}}}}}}}", scene.server()));
    assert_eq!(scene.run(&["config", "trust", "x"]).0, 0);
    let folder = scene.home.join(".config/libmcp/approved");
    let file = std::fs::read_dir(&folder).expect("there").next().expect("one").expect("read").path();
    assert_eq!(file.metadata().expect("there").permissions().mode() & 0o777, 0o600);
    for path in [
        file.as_path(),
        &folder,
        &scene.home.join(".config/libmcp"),
        &scene.home.join(".config"),
        &scene.home,
    ] {
        let before = path.metadata().expect("there").permissions();
        set_permissions(path, Permissions::from_mode(before.mode() | 0o002)).expect("permissions");
        let (code, text) = scene.run(&["list", "x"]);
        assert!(code == 7 && text.contains("every user"), "{}: {code} {text}", path.display());
        set_permissions(path, before).expect("permissions");
    }
    let elsewhere = scene.folder.path().join("approval.json");
    std::fs::rename(&file, &elsewhere).expect("moved");
    std::os::unix::fs::symlink(&elsewhere, &file).expect("a link");
    assert_eq!(scene.run(&["list", "x"]).0, 7);
    std::fs::remove_file(&file).expect("removed");
    std::fs::rename(&elsewhere, &file).expect("moved back");
    assert_eq!(scene.run(&["list", "x"]).0, 0);
    assert_eq!(scene.runs(), 1);
}

#[test]
fn a_name_that_a_project_has_too_is_never_its_server() {
    let scene = Scene::new();
    let theirs = scene.server();
    scene.file("~/.config/libmcp/servers.json", &format!("{{\"mcpServers\": {{\"x\": {{{theirs}}}}}}}"));
    assert_eq!(scene.run(&["list", "x"]).0, 0);
    scene.file(
        ".mcp.json",
        &format!("{{\"mcpServers\": {{\"x\": {{{}}}}}}}", theirs.replace("echo ran", "echo theirs")),
    );
    for approve in [false, true] {
        if approve {
            assert_eq!(scene.run(&["config", "trust", "x"]).0, 0);
        }
        assert_eq!(scene.runs(), 1);
        for words in COMMANDS {
            let (code, text) = scene.run(words);
            assert!(
                code == 1 && text.contains("project:x") && text.contains("libmcp:x"),
                "{words:?}: {code} {text}"
            );
        }
        assert_eq!(scene.runs(), 0);
        assert_eq!(scene.run(&["list", "libmcp:x"]).0, 0);
    }
    assert!(read_to_string(scene.mark()).expect("it ran").starts_with("ran"));
    // A file that does not count takes no name.
    set_permissions(&scene.project, Permissions::from_mode(0o777)).expect("permissions");
    assert_eq!(scene.run(&["list", "x"]).0, 0);
    assert!(!read_to_string(scene.mark()).expect("it ran").contains("theirs"));
}

#[test]
fn only_variables_that_were_approved_get_into_an_entry() {
    let scene = Scene::new();
    // The tool of this server is called as the variable says.
    let text = format!(
        "{{\"mcpServers\": {{\"x\": {{{}, \"env\": {{\"SEEN\": \"${{KEPT_SECRET}}\"}}}}}}}}",
        scene.server()
    );
    let text = text.replace("exec '", "echo $SEEN >> seen; exec '");
    scene.file(".mcp.json", &text);
    let (_, shown) = scene.run(&["config", "trust", "x"]);
    assert!(shown.contains("your variables KEPT_SECRET") && !shown.contains("s3cret-value"), "{shown}");
    assert_eq!(scene.run(&["list", "x"]).0, 0);
    assert_eq!(read_to_string(scene.project.join("src/seen")).expect("seen"), "s3cret-value\n");
    // The same entry in an approval with another list.
    let folder = scene.home.join(".config/libmcp/approved");
    let file = std::fs::read_dir(folder).expect("there").next().expect("one").expect("read").path();
    let kept = read_to_string(&file).expect("an approval").replace("KEPT_SECRET", "PATH");
    write(&file, kept).expect("written");
    assert_eq!(scene.run(&["list", "x"]).0, 7);
}

#[test]
fn the_search_for_files_of_a_project_has_an_end() {
    let scene = Scene::new();
    let text = format!("{{\"mcpServers\": {{\"x\": {{{}}}}}}}", scene.server());
    // Above the repository, and above the home.
    write(scene.folder.path().join(".mcp.json"), &text).expect("a file");
    create_dir_all(scene.home.join("a")).expect("a folder");
    for folder in [scene.project.join("src"), scene.home.join("a")] {
        let (code, said) = scene.run_in(&folder, &["list", "x"]);
        assert!(code == 1 && said.contains("there is no server 'x'"), "{code} {said}");
    }
    // In the home itself an editor's file is the person's own.
    scene.file("~/.cursor/mcp.json", &text);
    assert_eq!(scene.run_in(&scene.home, &["list", "x"]).0, 0);
    scene.file("~/.mcp.json", &text.replace("\"x\"", "\"y\""));
    assert_eq!(scene.run_in(&scene.home.join("a"), &["list", "y"]).0, 7);
}

#[test]
fn completion_offers_what_may_be_used() {
    let scene = Scene::new();
    scene.file(".mcp.json", &format!("{{\"mcpServers\": {{\"theirs\": {{{}}}}}}}", scene.server()));
    scene.file("~/.cursor/mcp.json", &format!("{{\"mcpServers\": {{\"yours\": {{{}}}}}}}", scene.server()));
    let offered = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mcp"));
        command
            .args(["--", "mcp", "list", ""])
            .current_dir(&scene.project)
            .env_clear()
            .env("HOME", &scene.home);
        command.env("COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", "2").env("_CLAP_IFS", "\n");
        String::from_utf8_lossy(&command.output().expect("it runs").stdout).into_owned()
    };
    assert!(offered().contains("yours") && !offered().contains("theirs"), "{}", offered());
    assert_eq!(scene.run_in(&scene.project, &["config", "trust", "theirs"]).0, 0);
    assert!(offered().contains("theirs"), "{}", offered());
    assert_eq!(scene.runs(), 0);
}

#[test]
fn no_error_shows_the_password_of_a_url() {
    let scene = Scene::new();
    scene.file("~/.cursor/mcp.json", r#"{"mcpServers": {"x": {"url": "https://me:pw-7731@h.example/mcp"}}}"#);
    for words in [
        &["list", "https://me:pw-7731@h.example/mcp"][..],
        &["list", "HTTPS://me:pw-7731@h.example/mcp", "-o", "json"],
        &["list", "https://me:pw-7731/x@h.example/mcp"],
        &["list", "https://me:x pw-7731@h.example/mcp"],
        &["list", "ftp://me:pw-7731@h.example/"],
        &["list", "me:pw-7731@h.example/mcp"],
        &["list", "x"],
        &["login", "https://h.example/", "https://me:pw-7731@h.example/"],
        &["login", "https://h.example/", "https://me:pw-7731@h.example/", "-o", "json"],
        &["read", "x", "https://me:pw-7731@h.example/", "more"],
        &["session", "start", "s", "https://me:pw-7731@h.example/mcp"],
        &["bridge", "a=https://me:pw-7731@h.example/mcp"],
        &["bridge", "--listen", "http://me:pw-7731@127.0.0.1:0/", "--", "true"],
        &["list", "--", "https://me:pw-7731@h.example/"],
        &["servers", "https://me:pw-7731@h.example/"],
    ] {
        let (code, text) = scene.run(words);
        assert!(code != 0 && !text.contains("pw-7731"), "{words:?}: {code} {text}");
    }
}
