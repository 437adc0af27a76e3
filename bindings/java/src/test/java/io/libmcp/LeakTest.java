package io.libmcp;

import static io.libmcp.Tests.check;
import static io.libmcp.Tests.equal;
import static io.libmcp.Tests.example;
import static io.libmcp.Tests.until;

import io.libmcp.Protocol.Tool;
import io.libmcp.Settings.ClientConfig;
import io.libmcp.Settings.Endpoint;
import io.libmcp.Settings.ServerConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Nothing is left: threads and descriptors of the system, handlers, memory. */
final class LeakTest {
    private static final int ROUNDS = 1000;
    /** How much the memory of the process may grow in the last half of the rounds: 16 kB for each. */
    private static final long MOST_KB_MORE = 8 * 1024;

    private static long entries(String folder) {
        try (Stream<Path> all = Files.list(Path.of(folder))) {
            return all.count();
        } catch (IOException noProc) {
            throw new UncheckedIOException(noProc);
        }
    }

    private static void need() {
        if (!Files.isDirectory(Path.of("/proc/self/fd"))) {
            throw new Tests.Skipped("there is no /proc, which has the descriptors and threads of this process");
        }
    }

    private static void once(boolean overHttp) {
        try (Server server = new Server(new ServerConfig().name("x"))) {
            server.addTool(new Tool().name("t").inputSchema(Map.of("type", "object")), (request, arguments) -> "t");
            String url = overHttp ? server.serve(new Endpoint().url("http://127.0.0.1:0/mcp")).url() : null;
            try (Client client = overHttp ? Client.open(new ClientConfig().url(url)) : Client.inProcess(server, new ClientConfig(), new ClientHandlers())) {
                equal(client.callTool("t", null).text(), "t");
            }
        }
    }

    /** One in ten of them is over HTTP. */
    private static void rounds(int count) {
        for (int i = 0; i < count; i++) {
            once(i % 10 == 0);
        }
    }

    static void testAThousandClientsAndServersLeaveNothing() throws IOException {
        need();
        int handlers = Upcalls.count();
        rounds(20);
        // The pool of virtual threads and the collector come and go with load; they are a few.
        long descriptors = entries("/proc/self/fd");
        long threads = entries("/proc/self/task");
        // The first half fills what is kept for the next ones, such as the code of Java and the arenas of malloc.
        rounds(ROUNDS / 2);
        long before = resident();
        rounds(ROUNDS / 2);
        until("descriptors are closed: " + descriptors, () -> entries("/proc/self/fd") <= descriptors);
        until("threads have ended: " + threads, () -> entries("/proc/self/task") <= threads + 8);
        equal(LifecycleTest.named("mcp-client") + LifecycleTest.named("mcp-server"), 0L);
        equal(Upcalls.count(), handlers);
        long after = resident();
        System.out.println("    descriptors: " + descriptors + " before, " + entries("/proc/self/fd") + " after; threads: " + threads + " before, "
                + entries("/proc/self/task") + " after");
        System.out.println("    " + before + " kB after " + ROUNDS / 2 + " clients and servers, " + after + " kB after " + ROUNDS);
        check(after - before < MOST_KB_MORE, after - before + " kB more");
    }

    static void testClientsOfProcessesLeaveNothing() {
        need();
        long descriptors = entries("/proc/self/fd");
        for (int i = 0; i < 30; i++) {
            try (Client client = Client.open(example())) {
                client.ping();
            }
        }
        until("descriptors are closed", () -> entries("/proc/self/fd") <= descriptors);
        until("no child is left", () -> ProcessHandle.current().children().findAny().isEmpty());
    }

    static void testMemoryIsFlatOverManyCalls() throws IOException {
        need();
        try (Client client = Client.open(example())) {
            Map<String, String> arguments = Map.of("text", "x".repeat(64));
            call(client, arguments, 10_000);
            long before = resident();
            call(client, arguments, 100_000);
            long after = resident();
            System.out.println("    " + before + " kB after 10,000 calls, " + after + " kB after 110,000");
            // The heap of Java has a fixed size here (-Xms, -Xmx, touched at the start); what grows is outside of it.
            check(after - before < 16 * 1024, after - before + " kB more");
        }
    }

    private static void call(Client client, Map<String, String> arguments, int times) {
        List<CompletableFuture<Integer>> threads = IntStream.range(0, 16).mapToObj(thread -> client.async(() -> {
            for (int i = 0; i < times / 16; i++) {
                client.callTool("echo", arguments);
            }
            return thread;
        })).toList();
        threads.forEach(CompletableFuture::join);
    }

    private static long resident() throws IOException {
        System.gc();
        String line = Files.readAllLines(Path.of("/proc/self/status")).stream().filter(it -> it.startsWith("VmRSS")).findFirst().orElseThrow();
        return Long.parseLong(line.replaceAll("\\D", ""));
    }
}
