package io.libmcp;

import static io.libmcp.LoginTest.browse;
import static io.libmcp.LoginTest.serve;
import static io.libmcp.Tests.PATIENCE;
import static io.libmcp.Tests.check;
import static io.libmcp.Tests.contains;
import static io.libmcp.Tests.equal;
import static io.libmcp.Tests.fails;

import io.libmcp.Settings.AuthConfig;
import io.libmcp.Settings.ClientConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Logins that the program keeps, and logging out. */
final class LoginStoreTest {
    private static final Map<String, String> ECHO = Map.of("text", "in");

    /** A store of a program, and a person who agrees. */
    private static final class Keeper implements LoginHandler {
        final Map<String, String> kept = new ConcurrentHashMap<>();
        final List<String> kinds = Collections.synchronizedList(new ArrayList<>());
        /** One for each lock that is held. */
        final Semaphore locks = new Semaphore(1);
        volatile Login last;

        @Override
        public void handle(Login login) throws Exception {
            kinds.add(login.kind());
            last = login;
            switch (login.kind()) {
                case "load" -> {
                    if (login.locks()) {
                        check(locks.tryAcquire(PATIENCE, TimeUnit.SECONDS), "the lock is free");
                    }
                    login.answer(kept.get(login.key()));
                }
                case "save" -> {
                    kept.put(login.key(), login.text());
                    locks.release();
                    login.answer(null);
                    fails(Status.AUTH, () -> login.answer(null)); // Once.
                }
                case "unlock" -> {
                    locks.release();
                    login.abort("nothing waits for this");
                }
                case "authorize" -> browse(login.url(), true);
                default -> throw new IllegalStateException("asked for " + login.kind());
            }
        }
    }

    private static Client open(ClientConfig config, LoginHandler handler) {
        return Client.open(config.auth(new AuthConfig().store("application")), new ClientHandlers().onLogin(handler));
    }

    static void testAProgramKeepsLogins() throws Exception {
        serve("login=yes", config -> {
            Keeper keeper = new Keeper();
            try (Client client = open(config, keeper)) {
                equal(client.callTool("echo", ECHO).text(), "in");
            }
            check(keeper.kinds.contains("authorize") && keeper.kept.size() == 1, keeper.kinds);
            String key = keeper.kept.keySet().iterator().next();
            contains(key, "127.0.0.1");
            contains(keeper.kept.get(key), "token-");
            // What was answered is over, also for who kept the object.
            contains(fails(Status.AUTH, () -> keeper.last.answer("late")).getMessage(), "before the handler returns");
            keeper.kinds.clear();
            try (Client client = open(config, keeper)) {
                equal(client.callTool("echo", ECHO).text(), "in");
                check(keeper.kinds.contains("load") && !keeper.kinds.contains("authorize"), keeper.kinds);
                client.logout();
                check(!keeper.kept.get(key).contains("token-"), "the token is deleted");
                keeper.kinds.clear();
                equal(client.callTool("echo", ECHO).text(), "in");
                check(keeper.kinds.contains("authorize"), keeper.kinds);
            }
            Tests.until("no lock is held", () -> keeper.locks.availablePermits() == 1);
        });
    }

    static void testAStoreThatFailsIsTold() throws Exception {
        serve("login=yes", config -> {
            LoginHandler broken = login -> {
                throw new IllegalStateException("the keychain is locked");
            };
            try (Client client = open(config, broken)) {
                contains(fails(Status.AUTH, () -> client.callTool("echo", ECHO)).getMessage(), "the keychain is locked");
            }
            try (Client client = open(config, login -> login.abort("not today"))) {
                contains(fails(Status.AUTH, () -> client.callTool("echo", ECHO)).getMessage(), "not today");
            }
            try (Client client = open(config, login -> { })) {
                contains(fails(Status.AUTH, () -> client.callTool("echo", ECHO)).getMessage(), "without an answer");
            }
            try (Client client = Client.open(config.auth(new AuthConfig().store("application")))) {
                contains(fails(Status.AUTH, () -> client.callTool("echo", ECHO)).getMessage(), "onLogin");
            }
        });
    }

    static void testALogoutNeedsALogin() throws Exception {
        try (Client client = Client.open(Tests.example())) {
            fails(Status.UNSUPPORTED, client::logout);
        }
        Client closed = Client.open(Tests.example());
        closed.close();
        fails(Status.CLOSED, closed::logout);
    }

    /** A store that does not answer holds up neither the limit, nor an interrupt, nor a close. */
    @SuppressWarnings("try") // It closes what is open.
    static void testALogoutEndsWhenItIsNotWaitedFor() throws Exception {
        serve("login=yes", config -> {
            Semaphore asked = new Semaphore(0);
            LoginHandler slow = login -> {
                asked.release();
                new Semaphore(0).acquire();
            };
            BlockingQueue<Object> ended = new LinkedBlockingQueue<>();
            try (Client client = open(config, slow)) {
                fails(Status.TIMEOUT, () -> client.logout(Duration.ofMillis(50)));
                Thread waits = Thread.startVirtualThread(() -> {
                    McpException why = fails(Status.CANCELLED, client::logout);
                    ended.add(Thread.currentThread().isInterrupted() ? why : "it is not interrupted any more");
                });
                check(asked.tryAcquire(PATIENCE, TimeUnit.SECONDS), "the store is asked");
                waits.interrupt();
                Object why = ended.poll(PATIENCE, TimeUnit.SECONDS);
                check(why instanceof McpException, why);
                CompletableFuture<Void> other = client.async(() -> {
                    client.logout();
                    return null;
                });
                client.close();
                Throwable closed = other.handle((result, failure) -> failure).get(PATIENCE, TimeUnit.SECONDS);
                check(closed instanceof McpException failure && failure.status() == Status.CLOSED, closed);
            }
        });
    }
}
