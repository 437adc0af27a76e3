package io.libmcp;

import static io.libmcp.Tests.PATIENCE;

import io.libmcp.Protocol.Tool;
import io.libmcp.Settings.Endpoint;
import io.libmcp.Settings.ServerConfig;
import io.libmcp.Settings.ServerLimits;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A server for the attacks of bindings/python/tests/attacks.py. It says its URL, and ends with its input. */
final class Attacked {
    record Name(String name) {
    }

    private Attacked() {
    }

    private static Tool tool(String name) {
        return new Tool().name(name).inputSchema(Map.of("type", "object"));
    }

    public static void main(String[] arguments) throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        List<byte[]> kept = new CopyOnWriteArrayList<>();
        try (Server server = new Server(new ServerConfig().name("attacked").version("1").limits(new ServerLimits().frameBytes(16 << 20)))) {
            server.onFailure(failure -> { });
            server.addTool("hello", "Greets", Name.class, String.class, (request, who) -> "Hello, " + who.name() + "!");
            server.addTool(tool("fail"), (request, none) -> {
                throw new IllegalStateException("a secret");
            });
            server.addTool(tool("hang"), (request, none) -> ended.await(PATIENCE, TimeUnit.SECONDS) ? "late" : "later");
            server.addTool(tool("slow"), (request, none) -> ended.await(500, TimeUnit.MILLISECONDS) ? "ended" : "slow");
            server.addTool(tool("keep"), (request, none) -> {
                kept.add(new byte[1 << 20]);
                return "kept";
            });
            server.addTool(tool("noise"), (request, none) -> {
                System.out.println("noise");
                return "quiet";
            });
            System.out.println(server.serve(new Endpoint().url("http://127.0.0.1:0/mcp")).url());
            while (System.in.read() >= 0) {
                continue;
            }
            ended.countDown();
        }
    }
}
