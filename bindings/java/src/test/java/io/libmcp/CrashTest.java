package io.libmcp;

import static io.libmcp.Tests.check;
import static io.libmcp.Tests.equal;
import static io.libmcp.Tests.example;

import io.libmcp.Settings.CallOptions;
import io.libmcp.Settings.Reconnect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The other side is killed under load. */
final class CrashTest {
    static void testAKilledServerEndsEachOfAThousandCallsOnce() throws Exception {
        try (Client client = Client.open(example().reconnect(new Reconnect().initial(Duration.ofMillis(10))))) {
            client.connect(null);
            long pid = client.info().get("pid").asLong();
            AtomicInteger ended = new AtomicInteger();
            List<CompletableFuture<?>> calls = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                if (i == 500) {
                    kill(pid);
                }
                Map<String, Object> arguments = Map.of("ms", i % 2 == 0 ? 60_000 : 0);
                calls.add(client.async(() -> {
                    try {
                        client.callTool("slow", arguments);
                        return "ok";
                    } catch (McpException failure) {
                        return failure.status().toString();
                    } finally {
                        ended.incrementAndGet();
                    }
                }).thenAccept(outcome -> check(List.of("ok", "transport", "unavailable", "backpressure", "cancelled").contains(outcome), outcome)));
                if (calls.size() > 900) {
                    break;
                }
            }
            // Those of the next connection are slow too: they end when the client is closed.
            until500(ended);
            equal(client.callTool("echo", Map.of("text", "back"), new CallOptions().whenUnavailable("wait"), null).text(), "back");
            check(client.info().get("pid").asLong() != pid, "another server");
            kill(client.info().get("pid").asLong());
            CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).handle((none, failure) -> {
                check(failure == null, failure);
                return null;
            }).get(20, TimeUnit.SECONDS);
            equal(ended.get(), calls.size());
        }
    }

    private static void until500(AtomicInteger ended) {
        Tests.until("the calls of the killed server have ended", () -> ended.get() >= 500);
    }

    static void kill(long pid) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
}
