"""What the jar of the Java binding does: its examples, each with the servers that it is for; the same programs on the official SDK; a user's
module with the jar alone; and a project of Maven that has it as a dependency, with its sources and its reference."""

import hashlib
import re
import shutil
import zipfile
from pathlib import Path

import attacks
import pytest
import support
from counterparts import visits
from interop import plans

BINDING, COUNTERPARTS = support.ROOT / "bindings/java", support.ROOT / "tests/counterparts/java"
RESOLVER = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
CHECKSUMS = ["md5", "sha1", "sha256", "sha512"]
NATIVE = "--enable-native-access=ALL-UNNAMED"

# What the comparison program says of a server that has everything that it calls.
COMPARED = ["list: ", "call: ", "structured: {", "progress: 4 reports", "elicitation: ", "resource: ", "two clients: 100 calls",
            "crash: the server was started again"]
THEIRS = ["cancelled: the call ended", "revision 2025-11-25"]
CANCELLED, OF_OTHERS = "cancelled: the call ended", ["notification: ", "sampling: ", "roots: "]

# A program of a user, in a module of its own.
PROGRAM = """package user;

import io.libmcp.Client;
import java.util.Map;

public class Main {
    public static void main(String[] command) {
        try (Client client = Client.open(command[0])) {
            System.out.println(client.callTool("echo", Map.of("text", "hello")).text());
        }
    }
}
"""


def java():
    return support.peer("java")


def of_jdk(program):
    return Path(java()["home"]) / "bin" / program


# They would change how the JDK's programs work.
CLEAN = dict.fromkeys(["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "JDK_JAVAC_OPTIONS", "CLASSPATH", "MCP_LIBRARY"])


def run(words, cwd=None, limit=support.LIMIT, **env):
    return support.run(words, limit, env=CLEAN | env, cwd=cwd or BINDING)


def of_examples(name, program=None):
    """The command of an example, beside the jar."""
    return [program or of_jdk("java"), NATIVE, "-cp", f"{java()['jar']}:{java()['classes']}", name]


SERVERS = {
    "the example server": lambda: [support.places()["example_server"]],
    "server-everything": lambda: plans.reference_server("everything"),
    "AskingServer": lambda: of_examples("AskingServer"),
    "its own server": lambda: of_examples("ServerExample"),
    "a Python server": lambda: [support.peer("python-1"), support.ROOT / "tests/servers/python/server.py"],
}

EXAMPLES = [
    ("Quickstart", "the example server", ["tool: echo", "Hello from Java"]),
    ("Quickstart", "server-everything", ["tool: echo", "Echo: Hello from Java"]),
    ("StructuredOutput", "the example server", ["the sum is 5.0", "3) failed: ", "no-such-tool was refused: "]),
    ("LongCall", "the example server", ["3.0 of 3.0", "slow was given up"]),
    ("Notifications", "the example server", ["state: ready", "info: {", "the tools have changed"]),
    ("ResourcesAndPrompts", "the example server", [" changed and reads: Hello, world!", "greet, user: "]),
    ("Elicitation", "the example server", ["the server asks: What is", "the tool says: "]),
    ("Elicitation", "AskingServer", ["the tool says: a table for 4 near the window"]),
    ("Sampling", "AskingServer", ["the tool says: I read 4 words."]),
    ("Sampling", "server-everything", ["the tool says: "]),
    ("Compare", "its own server", [*COMPARED, CANCELLED]),
    ("Compare", "server-everything", [*COMPARED, CANCELLED, *OF_OTHERS]),
    ("Compare", "a Python server", [*COMPARED, "cancelled: the server says: slow was stopped", *OF_OTHERS]),
]


@pytest.mark.parametrize(("example", "server", "says"), EXAMPLES, ids=[f"{name} with {server}" for name, server, _ in EXAMPLES])
def test_an_example_with_a_server(example, server, says):
    support.says(run([*of_examples(example), *SERVERS[server]()]), says)


@pytest.mark.parametrize(("example", "server", "says"), [EXAMPLES[0], EXAMPLES[10]], ids=["the first example", "the example of everything"])
def test_it_runs_with_java_21_without_a_word_of_previews(example, server, says):
    """The oldest Java in which the foreign function API is as the jar calls it."""
    old = support.peer("java-21")
    words = [*of_examples("ServerExample", old)] if server == "its own server" else SERVERS[server]()
    finished = run([*of_examples(example, old), *words])
    support.says(finished, says)
    assert "preview" not in finished.stderr and "WARNING" not in finished.stderr, finished.story()


def emptied(name):
    return support.emptied(f"java/{name}")


def maven(project, **env):
    mvn = shutil.which("mvn") or support.lack("Maven is missing. To get it: apt-get install maven")
    words = [mvn, "-B", "-q", "--strict-checksums", RESOLVER, "-DoutputDirectory=lib", f"-Dmaven.repo.local={java()['local']}"]
    return run(words, project, JAVA_HOME=java()["home"], MAVEN_OPTS=None)


def downloaded(pom, name):
    """What a project needs, as a class path."""
    project = emptied(name)
    shutil.copy(pom, project / "pom.xml")
    support.fetched(lambda: maven(project)).well()
    return f"{project}/lib/*"


def javac(class_path, into, *sources):
    words = [of_jdk("javac"), "-Xlint:all,-processing,-classfile", "-Werror", "-encoding", "UTF-8", "-cp", class_path, "-d", into, *sources]
    run(words).well()


@pytest.fixture(scope="module")
def official():
    """A command of the programs on the official SDK."""
    libraries = downloaded(COUNTERPARTS / "pom.xml", "counterparts")
    classes = emptied("counterparts-classes")
    javac(libraries, classes, COUNTERPARTS / "Compare.java", COUNTERPARTS / "ServerExample.java")
    # The server over HTTP keeps files there.
    temporary = f"-Djava.io.tmpdir={emptied('counterparts-tmp')}"
    return lambda name: [of_jdk("java"), temporary, "-cp", f"{libraries}:{classes}", name]


@pytest.mark.parametrize(("server", "more"), [("its own server", []), ("server-everything", OF_OTHERS)])
def test_compare_on_the_official_sdk(official, server, more):
    words = official("ServerExample") if server == "its own server" else SERVERS[server]()
    support.says(run([*official("Compare"), *words]), [*COMPARED, *THEIRS, *more])


@pytest.mark.parametrize("server", ["the server example", "the server on the official SDK"])
def test_a_client_uses_a_server_over_stdio_and_http(official, server):
    classes = emptied("visit")
    javac(java()["jar"], classes, COUNTERPARTS / "Visit.java")
    client = [of_jdk("java"), NATIVE, "-cp", f"{java()['jar']}:{classes}", "Visit"]
    visits.visit(client, "java", of_examples("ServerExample") if server == "the server example" else official("ServerExample"))


def test_a_server_survives_attacks():
    attacks.survives(of_examples("io.libmcp.Attacked"), emptied("attacked") / "log", **CLEAN)


def works_in_a_module(folder, jar, *options, program=None):
    """A program that is a module is compiled in a folder and run with a jar, and leaves no file."""
    (folder / "user").mkdir()
    (folder / "tmp").mkdir()
    (folder / "user/Main.java").write_text(PROGRAM)
    (folder / "module-info.java").write_text("module user {\n    requires io.libmcp;\n}\n")
    run([of_jdk("javac"), "-p", jar, "-d", "classes", "--release", "21", "module-info.java", "user/Main.java"], folder).well()
    words = [program or of_jdk("java"), f"-Djava.io.tmpdir={folder / 'tmp'}", *options, "--enable-native-access=io.libmcp", "-p", f"{jar}:classes",
             "-m", "user/user.Main", support.places()["example_server"]]
    finished = support.run(["env", "-i", *words], cwd=folder).well()
    assert finished.stdout.strip() == "hello" and not finished.stderr, finished.story()
    assert not list((folder / "tmp").iterdir())


def test_the_jar_works_as_a_module_of_java_21():
    folder = emptied("installed-21")
    jar = shutil.copy(java()["jar"], folder / "libmcp.jar")
    works_in_a_module(folder, jar, program=support.peer("java-21"))


@pytest.mark.parametrize("is_named", [False, True], ids=["with its own library", "with a library that a property names"])
def test_the_jar_works_in_an_empty_folder(is_named):
    folder = emptied("installed")
    jar = shutil.copy(java()["jar"], folder / "libmcp.jar")
    works_in_a_module(folder, jar, *([f"-Dio.libmcp.library={java()['library']}"] if is_named else []))


def published():
    return [Path(java()[name]) for name in ["jar", "sources", "reference", "pom"]]


def test_each_file_has_its_checksums():
    for file in published():
        for kind in CHECKSUMS:
            digest = hashlib.new(kind, file.read_bytes()).hexdigest()
            assert Path(f"{file}.{kind}").read_text().strip() == digest, f"{file}.{kind}"


def project_of(repository, name):
    """A project that needs the binding, its sources and its reference. Maven's own plugins stay from run to run; of ours nothing may be there."""
    shutil.rmtree(Path(java()["local"]) / "io/libmcp", ignore_errors=True)
    version = Path(java()["jar"]).parent.name
    coordinates = f"<groupId>io.libmcp</groupId><artifactId>libmcp</artifactId><version>{version}</version>"
    dependencies = "".join(
        f"<dependency>{coordinates}{kind}</dependency>"
        for kind in ["", "<classifier>sources</classifier>", "<classifier>javadoc</classifier>"])
    project = emptied(name)
    (project / "pom.xml").write_text(
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        "<groupId>user</groupId><artifactId>user</artifactId><version>1</version>"
        f"<repositories><repository><id>built</id><url>file://{repository}</url></repository></repositories>"
        f"<dependencies>{dependencies}</dependencies></project>")
    return project


def test_a_project_of_maven_has_the_binding_as_a_dependency():
    project = project_of(java()["repository"], "project")
    support.fetched(lambda: maven(project)).well()
    for name, entry in [
        ("jar", "io/libmcp/Client.class"), ("sources", "io/libmcp/Client.java"), ("reference", "io.libmcp/io/libmcp/Client.html"),
    ]:
        resolved = project / "lib" / Path(java()[name]).name
        with zipfile.ZipFile(resolved) as jar:
            assert {entry, "META-INF/LICENSE-MIT"} <= set(jar.namelist()), resolved
    works_in_a_module(project, project / "lib" / Path(java()["jar"]).name)


def test_maven_refuses_a_jar_whose_checksum_is_wrong():
    """One digit of a checksum is another."""
    damaged = emptied("damaged")
    shutil.copytree(java()["repository"], damaged, dirs_exist_ok=True)
    jar = damaged / Path(java()["jar"]).relative_to(java()["repository"])
    for kind in CHECKSUMS:
        file = Path(f"{jar}.{kind}")
        text = file.read_text()
        file.write_text(("1" if text[0] == "0" else "0") + text[1:])
    project = project_of(damaged, "project-refused")

    def speaks_of_it(finished):
        return "checksum" in (finished.stdout + finished.stderr).lower()

    finished = support.fetched(lambda: maven(project), speaks_of_it)
    assert finished.code != 0 and speaks_of_it(finished), finished.story()


def libraries_of(module, replaced=("", "")):
    """What a module beside the jar needs of others, as a class path. Ours is compiled here."""
    own = re.compile(r"<dependency>\s*<groupId>io\.libmcp</groupId>.*?</dependency>", re.DOTALL)
    folder = emptied(f"{module}-pom")
    (folder / "pom.xml").write_text(own.sub("", (BINDING / module / "pom.xml").read_text()).replace(*replaced))
    return downloaded(folder / "pom.xml", f"{module}-libraries")


def compiled(module, class_path, name):
    """The classes of a module and its files, and those of its test."""
    classes, tests = emptied(f"{name}-classes"), emptied(f"{name}-tests")
    javac(class_path, classes, *sorted((BINDING / module / "src/main/java").rglob("*.java")))
    if (resources := BINDING / module / "src/main/resources").exists():
        shutil.copytree(resources, classes, dirs_exist_ok=True)
    javac(f"{class_path}:{classes}", tests, *sorted((BINDING / module / "src/test/java").rglob("*.java")))
    return classes, tests


def compiles_as_printed(marker, class_path, name, before, after=""):
    """The first program of README.md that has the marker, within what a page does not print."""
    blocks = re.findall(r"```java\n(.*?)```", (BINDING / "README.md").read_text(), re.DOTALL)
    folder = emptied(f"{name}-readme")
    (folder / "Printed.java").write_text(before + next(block for block in blocks if marker in block) + after)
    javac(class_path, folder, folder / "Printed.java")


def test_the_servlet_works_in_tomcat():
    class_path = f"{java()['jar']}:{libraries_of('servlet')}"
    classes, tests = compiled("servlet", class_path, "servlet")
    words = [of_jdk("java"), NATIVE, "-cp", f"{tests}:{classes}:{class_path}", "io.libmcp.servlet.ServletTest", emptied("tomcat")]
    compiles_as_printed(
        "new McpServlet(", f"{classes}:{class_path}", "servlet",
        "import io.libmcp.Server; import io.libmcp.Settings.Endpoint; import io.libmcp.servlet.McpServlet; import jakarta.servlet.*;"
        "class Printed { static void add(ServletContext context, Server server) {", "} }")
    support.says(run(words), ["asynchronous: well", "on the container's threads: well"])


def test_spans_and_durations_reach_opentelemetrys_sdk():
    class_path = f"{java()['jar']}:{libraries_of('opentelemetry')}"
    classes, tests = compiled("opentelemetry", class_path, "opentelemetry")
    words = [of_jdk("java"), NATIVE, "-cp", f"{tests}:{classes}:{class_path}", "io.libmcp.opentelemetry.TelemetryTest"]
    support.says(run(words), ["one trace: well", "what is said: well", "what is not recorded: well"])


# The second one is the last of its line, and runs with --deep.
@pytest.mark.parametrize("version", ["4.0.7", pytest.param("3.5.7", marks=pytest.mark.deep)])
def test_the_starter_works_in_spring_boot(version):
    others = libraries_of("spring-boot", (">4.0.7<", f">{version}<"))
    servlet = emptied("boot-servlet")
    javac(f"{java()['jar']}:{others}", servlet, *sorted((BINDING / "servlet/src/main/java").rglob("*.java")))
    class_path = f"{java()['jar']}:{servlet}:{others}"
    classes, tests = compiled("spring-boot", class_path, f"boot-{version}")
    words = [of_jdk("java"), NATIVE, "-cp", f"{tests}:{classes}:{class_path}", "io.libmcp.spring.BootTest"]
    compiles_as_printed(
        "@McpTool(", f"{classes}:{class_path}", f"boot-{version}",
        "import io.libmcp.Description; import io.libmcp.spring.McpTool; import org.springframework.stereotype.Component;\n")
    support.says(run(words), ["Spring Boot: well"])


@pytest.mark.deep
@pytest.mark.parametrize("which", ["libmcp", "official"])
def test_the_benchmark_beside_the_official_sdk_runs(which):
    """Once and short, as a client of the example server. Nothing says when to go on: its input has ended."""
    libraries, classes = downloaded(BINDING / "bench/pom.xml", "bench"), emptied("bench-classes")
    class_path = f"{java()['jar']}:{libraries}"
    javac(class_path, classes, BINDING / "bench/Bench.java")
    words = [of_jdk("java"), NATIVE, "-cp", f"{class_path}:{classes}", "Bench", which, "workload=pipe", "era=legacy", "calls=640", "warm=64"]
    support.says(run([*words, f"server={support.places()['example_server']}"]), ["ready version=", "done calls=640 "])
