//! Files with servers of the person: how an entry gets in and out, and that the folder in which the program runs decides nothing of them
//! that the person has not said.

mod scene;

use scene::Scene;

#[test]
fn a_look_at_all_servers_runs_nothing_of_the_current_folder() {
    let scene = Scene::new();
    let server = scene.server();
    for path in ["build/index.sh", "bin/s"] {
        let file = scene.file(path, &format!("#!/bin/sh\necho ran >> '{}'\n", scene.mark().display()));
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(file, mode).expect("a mode");
    }
    scene.file(".env", &format!("BASH_ENV={}/bin/s\nENV={0}/bin/s\n", scene.project.display()));
    let entries = [
        ("script", "\"command\": \"sh\", \"args\": [\"build/index.sh\"]".to_owned()),
        ("variable", "\"command\": \"${workspaceFolder}/bin/s\"".to_owned()),
        ("shell", "\"command\": \"${env:PWD}/bin/s\"".to_owned()),
        ("relative", "\"command\": \"./bin/s\"".to_owned()),
        ("folder", "\"command\": \"sh\", \"args\": [\"s\"], \"cwd\": \"bin\"".to_owned()),
        ("file", format!("{server}, \"envFile\": \"${{workspaceFolder}}/.env\"")),
        ("input", "\"command\": \"echo\", \"args\": [\"${input:x}\"]".to_owned()),
    ];
    let entries: Vec<String> =
        entries.iter().map(|(name, entry)| format!("\"{name}\": {{{entry}}}")).collect();
    let inputs = "\"inputs\": [{\"id\": \"x\", \"type\": \"promptString\"}]";
    let text = format!("{{{inputs}, \"servers\": {{{}}}}}", entries.join(", "));
    scene.file("~/.config/Code/User/mcp.json", &text);
    for words in [&["list"][..], &["list", "--input", "x=y"], &["config", "check", "--connect"]] {
        let (_, text) = scene.run_in(&scene.project, words);
        assert_eq!(scene.runs(), 0, "{words:?}: {text}");
        assert_eq!(text.matches("not asked: it depends on this folder").count(), 5, "{words:?}: {text}");
        // It is started in the home, where there is no such script; and no value is given to one that was not named.
        assert!(text.lines().any(|line| line.contains("script") && line.contains("index.sh")), "{text}");
        assert!(text.contains("asks the person for 'x'"), "{words:?}: {text}");
    }
    // Named, it is used as the editor does, without the variables that decide what runs.
    let (code, text) = scene.run_in(&scene.project, &["tools", "file"]);
    assert!(code == 0 && text.contains("BASH_ENV, ENV of the envFile") && scene.runs() == 1, "{text}");
}

#[test]
fn c23_a_file_that_is_named_is_checked_alone() {
    let scene = Scene::new();
    let server = scene.server();
    let gone = r#"{"mcpServers": {"NAME": {"command": "no-such-program-of-NAME"}}}"#;
    scene.file("~/.config/libmcp/servers.json", &gone.replace("NAME", "own"));
    let named = ["config", "check", "--config", "named.json"];
    for (text, is, said) in [
        (gone.replace("NAME", "named"), 6, "no-such-program-of-named"),
        (format!("{{\"mcpServers\": {{\"good\": {{{server}}}}}}}"), 0, "nothing is wrong"),
        ("{".to_owned(), 1, "cannot be used"),
    ] {
        scene.file("named.json", &text);
        let (code, told) = scene.run_in(&scene.project, &named);
        assert!(code == is && told.contains(said) && !told.contains("of-own"), "{text}: {code} {told}");
    }
    assert_eq!(scene.runs(), 0);
}

#[test]
fn a_server_is_added_to_a_file_and_taken_out_again() {
    let scene = Scene::new();
    let tools = scene.folder.path().join("tools.yaml");
    let words = ["add", "new", "-e", "A_TOKEN=s3cret-text", "--", env!("CARGO_BIN_EXE_mcp"), "serve"];
    let (code, text) = scene.run(&[&words[..], &[tools.to_str().expect("a path")]].concat());
    assert!(code == 0 && text.contains("A_TOKEN") && !text.contains("s3cret-text"), "{text}");
    assert!(scene.own(".config/libmcp/servers.json").contains("${A_TOKEN}"));
    let (code, text) = scene.run(&["tools", "new"]);
    assert!(code == 1 && text.contains("'A_TOKEN', which is not set"), "{text}");
    let before = "{\n  // mine\n  \"mcpServers\": {}, \"theme\": 1\n}\n";
    scene.file("~/.cursor/mcp.json", before);
    let (code, text) =
        scene.run(&["add", "far", "https://far.example/mcp", "--to", "cursor", "-H", "X-Key: s3cret-text"]);
    let after = scene.own(".cursor/mcp.json");
    assert!(code == 0 && after.contains("// mine") && after.contains("${env:FAR_X_KEY}"), "{text} {after}");
    assert!(!after.contains("s3cret-text") && !text.contains("s3cret-text"));
    for words in [&["remove", "cursor:far", "--dry-run"][..], &["remove", "cursor:far"], &["remove", "new"]] {
        let (code, text) = scene.run(words);
        assert_eq!(code, 0, "{words:?}: {text}");
    }
    let (code, text) = scene.run(&["remove", "new"]);
    assert!(code == 1 && text.contains("no server 'new'"), "{text}");
    assert!(!scene.own(".cursor/mcp.json").contains("far.example"));
    // Servers at another place would no longer be found.
    let there = r#"{"servers": {"old": {"command": "x"}}}"#;
    let file = scene.file(".mcp.json", there);
    for words in [&["add", "x", "--to", "project", "--", "y"][..], &["remove", "old", "--from", "project"]] {
        let (code, text) = scene.run_in(&scene.project, words);
        assert!(code == 1 && text.contains("make 'mcpServers' of 'servers' first"), "{words:?}: {text}");
    }
    assert_eq!(std::fs::read_to_string(file).expect("there"), there);
    for source in ["codex", "goose"] {
        let (code, text) = scene.run(&["add", "x", "--to", source, "--", "y"]);
        assert!(code == 1 && text.contains("is not JSON") && text.contains("an editor"), "{source}: {text}");
    }
    let (code, text) = scene.run(&["add", "x", "--to", "cursor", "--literal", "-e", "T_KEY=1", "--", "y"]);
    assert!(code == 1 && text.contains("--literal"), "{text}");
}

#[test]
fn no_secret_of_a_command_line_is_written_or_shown_by_add() {
    let scene = Scene::new();
    let file = || scene.own(".config/libmcp/servers.json");
    for (words, reference) in [
        (&["--", "server", "--api-key", "s3cret-1"][..], "${X_API_KEY}"),
        (&["--", "server", "--api-key=s3cret-1"], "--api-key=${X_API_KEY}"),
        (&["server --api-key s3cret-1"], "${X_API_KEY}"),
        (&["https://h/mcp?api_key=s3cret-1&x=1"], "https://h/mcp?api_key=${X_API_KEY}&x=1"),
        (&["-e", "DATABASE_URL=postgres://me:s3cret-1@h/d", "--", "server"], "\"${DATABASE_URL}\""),
        (&["-e", "API_KEY=s3cret-1${cd", "--", "server"], "\"${API_KEY}\""),
        (&["-e", "API_KEY=${A:-s3cret-1}", "--", "server"], "\"${API_KEY}\""),
        (&["-H", "Authorization: Bearer s3cret-1", "https://h/mcp"], "\"Bearer ${X_TOKEN}\""),
    ] {
        let (code, text) = scene.run(&[&["add", "x"], words].concat());
        assert!(code == 0 && text.contains("looks like a secret"), "{words:?}: {text}");
        assert!(file().contains(reference), "{words:?}: {}", file());
        assert!(!text.contains("s3cret") && !file().contains("s3cret"), "{words:?}: {text} {}", file());
        assert_eq!(scene.run(&["remove", "x"]).0, 0);
        // Written as it is only where that is said, and not shown even then.
        let (code, text) = scene.run(&[&["add", "x", "--literal"], words].concat());
        assert!(code == 0 && !text.contains("s3cret") && file().contains("s3cret-1"), "{words:?}: {text}");
        assert_eq!(scene.run(&["remove", "x"]).0, 0);
    }
    let (code, text) = scene.run(&["add", "x", "--", "server", "--token", "a", "--token", "b"]);
    assert!(code == 0 && file().contains("${X_TOKEN}") && file().contains("${X_TOKEN_2}"), "{text}");
    let (code, text) =
        scene.run(&["add", "x", "--to", "claude-desktop", "--", "server", "--token", "s3cret-1"]);
    assert!(code == 1 && text.contains("takes no variables") && !text.contains("s3cret"), "{text}");
}

#[test]
fn what_is_removed_is_shown_whatever_its_form_and_without_secrets() {
    let scene = Scene::new();
    let entry = r#"{ // mine: see
        "command": "run-it", "args": ["--token", "s3cret-1"], "environment": {"A": "s3cret-2"}, /* , */ }"#;
    for name in ["x", "a:b", "a: {}"] {
        scene.file("~/.cursor/mcp.json", &format!("{{\"mcpServers\": {{{name:?}: {entry}}}}}"));
        let (code, text) = scene.run(&["remove", name, "--from", "cursor"]);
        assert!(code == 0 && text.contains(&format!("- {name:?}: {{")), "{text}");
        assert!(text.contains("run-it") && text.contains("\"A\"") && !text.contains("s3cret"), "{text}");
        assert!(!scene.own(".cursor/mcp.json").contains("run-it"));
    }
}

#[test]
fn an_import_writes_names_of_variables_and_no_values() {
    let scene = Scene::new();
    scene.file(
        "~/.codex/config.toml",
        "[mcp_servers.a]\nurl = \"https://a.example/\"\nbearer_token_env_var = \"KEPT_SECRET\"\n\
         env_http_headers = { X-Key = \"KEPT_SECRET\" }\n\
         [mcp_servers.b]\ncommand = \"b\"\nenv_vars = [\"KEPT_SECRET\", { name = \"HOME\" }]\n",
    );
    scene.file("~/.cursor/mcp.json", r#"{"mcpServers": {"c": {"url": "https://c.example/?k=${env:KEPT_SECRET}", "headers": {"H": "${env:KEPT_SECRET}"}}}}"#);
    scene.file(
        "~/.gemini/settings.json",
        r#"{"mcpServers": {"d": {"command": "d", "env": {"K": "$KEPT_SECRET", "L": "${KEPT_SECRET}"}}}}"#,
    );
    scene.file(
        "~/.claude.json",
        r#"{"mcpServers": {"e": {"command": "e", "args": ["${KEPT_SECRET:-none}"]}}}"#,
    );
    let (code, shown) = scene.run(&["config", "import", "-o", "json"]);
    assert_eq!(code, 0, "{shown}");
    let kept = scene.own(".config/libmcp/servers.json");
    assert_eq!(kept.matches("${KEPT_SECRET").count(), 8, "{kept}");
    assert!(kept.contains("Bearer ${KEPT_SECRET}") && kept.contains("${HOME}"), "{kept}");
    assert!(!kept.contains("s3cret-value") && !shown.contains("s3cret-value"), "{kept}{shown}");
    // A variable that is missing is named when it is needed.
    scene.file(
        "~/.codex/config.toml",
        "[mcp_servers.a]\nurl = \"http://127.0.0.1:9/\"\nbearer_token_env_var = \"NOT_SET_HERE\"\n",
    );
    let (code, text) = scene.run(&["list", "codex:a"]);
    assert!(code == 1 && text.contains("NOT_SET_HERE"), "{text}");
}

#[test]
fn tools_that_a_program_does_not_use_are_not_used_here() {
    let scene = Scene::new();
    let server = scene.server();
    for (path, begin, keys, end, is_used) in [
        (
            "~/.gemini/settings.json",
            "{\"mcpServers\": {\"x\": {",
            "\"excludeTools\": [\"say\"]",
            "}}}",
            false,
        ),
        (
            "~/.gemini/settings.json",
            "{\"mcpServers\": {\"x\": {",
            "\"includeTools\": [\"other\"]",
            "}}}",
            false,
        ),
        (
            "~/.gemini/settings.json",
            "{\"mcpServers\": {\"x\": {",
            "\"includeTools\": [\"say(text)\"]",
            "}}}",
            true,
        ),
        ("~/.copilot/mcp-config.json", "{\"mcpServers\": {\"x\": {", "\"tools\": [\"*\"]", "}}}", true),
        (
            "~/.kiro/settings/mcp.json",
            "{\"mcpServers\": {\"x\": {",
            "\"disabledTools\": [\"s*\"]",
            "}}}",
            false,
        ),
    ] {
        let file = scene.file(path, &format!("{begin}{server}, {keys}{end}"));
        let (_, listed) = scene.run(&["tools", "-o", "names", "x"]);
        assert_eq!(listed.contains("say"), is_used, "{path} {keys}: {listed}");
        let (_, index) = scene.run(&["generate", "python", "--index", "x"]);
        assert_eq!(index.contains("say"), is_used, "{path} {keys}: {index}");
        let (_, behind) =
            scene.run(&["tools", "-o", "names", "--", env!("CARGO_BIN_EXE_mcp"), "bridge", "x"]);
        assert_eq!(behind.contains("say"), is_used, "{path} {keys}: {behind}");
        for more in [&[][..], &["--no-check"]] {
            let (code, text) = scene.run(&[&["call", "x", "say", "text=hi"][..], more].concat());
            assert_eq!(code == 0, is_used, "{path} {keys}: {text}");
            assert!(
                is_used || text.contains("_tools of the server's configuration"),
                "{path} {keys}: {text}"
            );
        }
        // The server is examined as it is.
        let (_, text) = scene.run(&["doctor", "x"]);
        assert!(text.contains("tools/call: refuses"), "{path} {keys}: {text}");
        std::fs::remove_file(file).expect("removed");
    }
}

#[test]
fn a_session_writes_no_credential_into_its_files() {
    let scene = Scene::new();
    let tools = scene.folder.path().join("tools.yaml");
    let server = [env!("CARGO_BIN_EXE_mcp"), "serve", tools.to_str().expect("a path")];
    let start = |words: &[&str]| {
        let (code, text) = scene.run(&[&["session", "start", "s"], words, &["--"], &server[..]].concat());
        assert_eq!(code, 0, "{text}");
        let kept = std::fs::read_to_string(scene.folder.path().join("libmcp/s.json")).expect("its file");
        let (code, text) = scene.run(&["doctor", "@s"]);
        assert_eq!(scene.run(&["session", "stop", "s"]).0, 0);
        (kept, code, text)
    };
    let (kept, code, text) = start(&["-e", "API=s3cret-1", "--set", "client.title=s3cret-2"]);
    assert!(!kept.contains("s3cret"), "{kept}");
    assert!(code == 1 && text.contains("--env NAME=VALUE and --set, which no file keeps"), "{text}");
    let (_, _, text) = start(&["-e", "KEPT_SECRET"]);
    assert!(text.contains("is started once more"), "{text}");
}

#[test]
fn what_may_be_a_file_or_a_server_asks_no_host_of_that_name() {
    let scene = Scene::new();
    for name in ["server.py", "build.sh"] {
        scene.file(&format!("src/{name}"), "");
        let (code, text) = scene.run(&["list", name]);
        assert!(code == 1 && text.contains(&format!("write ./{name}")), "{text}");
        assert!(text.contains(&format!("https://{name}/.well-known/ai-catalog.json")), "{text}");
    }
    scene.file("~/.config/libmcp/servers.json", r#"{"mcpServers": {"my.notes": {"command": "x"}}}"#);
    let (code, text) = scene.run(&["list", "my.note"]);
    assert!(code == 1 && text.contains("did you mean 'my.notes'?"), "{text}");
}
