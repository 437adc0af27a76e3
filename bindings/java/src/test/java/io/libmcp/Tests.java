package io.libmcp;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Runs the tests: each static method without parameters whose name begins with "test". Part of a name as the argument
 * chooses among them. A test that takes too long ends the run, with the stacks of all threads.
 */
public final class Tests {
    /** How long what a test waits for may take. */
    static final long PATIENCE = 60;
    private static final long LIMIT_MS = 300_000;

    private static final List<Class<?>> CLASSES = List.of(JsonTest.class, ClientTest.class, HandlersTest.class, ServerTest.class,
            HttpTest.class, LoginTest.class, LoginStoreTest.class, SignerTest.class, LifecycleTest.class, OrderTest.class, CrashTest.class,
            LeakTest.class, ViewTest.class, ReadmeTest.class, ExamplesTest.class);

    private Tests() {
    }

    /** A test that cannot run here. */
    static final class Skipped extends RuntimeException {
        private static final long serialVersionUID = 1;

        Skipped(String why) {
            super(why);
        }
    }

    /** What may throw. */
    interface Action {
        void run() throws Exception;
    }

    /** A folder that is deleted at the end, with all that is in it. */
    record Folder(Path path) implements AutoCloseable {
        Folder() throws IOException {
            this(Files.createTempDirectory("libmcp-test-"));
        }

        @Override
        public void close() throws IOException {
            try (Stream<Path> all = Files.walk(path)) {
                for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(one);
                }
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        String wanted = arguments.length == 0 ? "" : arguments[0];
        int failed = 0;
        int ran = 0;
        for (Class<?> type : CLASSES) {
            List<Method> tests = Arrays.stream(type.getDeclaredMethods())
                    .filter(it -> it.getName().startsWith("test") && Modifier.isStatic(it.getModifiers()))
                    .sorted(Comparator.comparing(Method::getName))
                    .toList();
            for (Method test : tests) {
                String name = type.getSimpleName() + "." + test.getName();
                if (name.contains(wanted)) {
                    ran++;
                    failed += run(name, test) ? 0 : 1;
                }
            }
        }
        System.out.println(ran + " tests, " + failed + " failed");
        System.exit(failed == 0 && ran > 0 ? 0 : 1);
    }

    private static boolean run(String name, Method test) throws InterruptedException {
        System.out.println("=== RUN   " + name);
        long began = System.nanoTime();
        Throwable[] failure = new Throwable[1];
        Thread thread = Thread.ofPlatform().name(name).start(() -> {
            try {
                test.invoke(null);
            } catch (InvocationTargetException thrown) {
                failure[0] = thrown.getCause();
            } catch (ReflectiveOperationException broken) {
                failure[0] = broken;
            }
        });
        thread.join(LIMIT_MS);
        if (thread.isAlive()) {
            System.out.println("    it hangs");
            for (Map.Entry<Thread, StackTraceElement[]> one : Thread.getAllStackTraces().entrySet()) {
                System.out.println("    " + one.getKey());
                Arrays.stream(one.getValue()).forEach(frame -> System.out.println("        " + frame));
            }
            System.out.println("--- FAIL: " + name);
            System.exit(1);
        }
        String outcome = "PASS";
        if (failure[0] instanceof Skipped skipped) {
            System.out.println("    " + skipped.getMessage());
            outcome = "SKIP";
        } else if (failure[0] != null) {
            failure[0].printStackTrace(System.out);
            outcome = "FAIL";
        }
        System.out.printf("--- %s: %s (%.2fs)%n", outcome, name, (System.nanoTime() - began) / 1e9);
        return !outcome.equals("FAIL");
    }

    static void check(boolean holds, Object what) {
        if (!holds) {
            throw new AssertionError(String.valueOf(what));
        }
    }

    static void equal(Object found, Object wanted) {
        check(java.util.Objects.equals(found, wanted), found + " is not " + wanted);
    }

    static void contains(String text, String part) {
        check(text != null && text.contains(part), "\"" + part + "\" is not in: " + text);
    }

    static McpException fails(Status status, Action action) {
        try {
            action.run();
        } catch (McpException failure) {
            check(failure.status() == status, failure.status() + " instead of " + status + ": " + failure.getMessage());
            return failure;
        } catch (Exception other) {
            throw new AssertionError(other);
        }
        throw new AssertionError("it did not fail");
    }

    /** Waits for what another thread or process is about to do, and fails if that takes too long. */
    static void until(String what, BooleanSupplier holds) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE);
        while (!holds.getAsBoolean()) {
            check(System.nanoTime() < deadline, "too late: " + what);
            java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
        }
    }

    /** The command that a variable names, alone or as an array of JSON. */
    static List<String> command(String variable) {
        String text = System.getenv(variable);
        if (text == null || text.isEmpty()) {
            throw new Skipped(variable + " names no server; run `cargo xtask test --only java`");
        }
        return text.startsWith("[") ? JsonValue.parse(text).elements().stream().map(JsonValue::asText).toList() : List.of(text);
    }

    static Settings.ClientConfig config(String variable, String... more) {
        List<String> words = new java.util.ArrayList<>(command(variable));
        words.addAll(List.of(more));
        return new Settings.ClientConfig().command(words.getFirst()).args(words.subList(1, words.size()));
    }

    /** The example server of the library. */
    static Settings.ClientConfig example(String... more) {
        return config("MCP_EXAMPLE_SERVER", more);
    }
}
