import io.libmcp.Client;
import io.libmcp.ClientHandlers;
import io.libmcp.Login;
import io.libmcp.LoginHandler;
import io.libmcp.McpException;
import io.libmcp.Settings.AuthConfig;
import io.libmcp.Settings.ClientConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URLEncoder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;

/**
 * WebLogin [--redirect URI | --token] [--store FOLDER] [--logout] URL: uses a server over HTTP that wants to know who is there.
 *
 * <p>It says which page to open, and goes on when the person has logged in there. With --redirect the browser comes back to the program
 * instead of the library: what it was sent to is read from the standard input, and an empty line gives up. With --token there is no page:
 * the program has a token for the server, in the variable MCP_TOKEN. With --store the program itself stores the login, in files that other
 * processes may use at the same time; --logout deletes it at the end.
 */
public final class WebLogin {
    private WebLogin() {
    }

    public static void main(String[] arguments) {
        AuthConfig auth = new AuthConfig(); // A person with a browser; storeDirectory would keep the login.
        Store store = null;
        String url = null;
        boolean logsOut = false;
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--redirect" -> auth.redirectUri(arguments[++i]);
                case "--token" -> auth.type("bearer");
                case "--store" -> {
                    store = new Store(Path.of(arguments[++i]));
                    auth.store("application");
                }
                case "--logout" -> logsOut = true;
                default -> url = arguments[i];
            }
        }
        Store kept = store;
        LoginHandler handler = login -> {
            if (kept == null || !kept.handles(login)) {
                logIn(login);
            }
        };
        try (Client client = Client.open(new ClientConfig().url(url).auth(auth), new ClientHandlers().onLogin(handler))) {
            client.connect(Duration.ofMinutes(5));
            System.out.println("logged in; the server has " + client.listTools().size() + " tools");
            if (logsOut) {
                client.logout(Duration.ofMinutes(1));
                System.out.println("logged out");
            }
        } catch (McpException failure) {
            System.out.println("not logged in: " + failure.getMessage());
            System.exit(1);
        }
    }

    /** The program's part. What it throws gives the login up. */
    private static void logIn(Login login) throws IOException {
        switch (login.kind()) {
            case "authorize" -> {
                // The whole URL, so that the person sees who asks. A program with windows would open the browser, on a click.
                System.out.println("open this page to log in at " + login.issuer() + ":\n" + login.url());
                if (!login.listens()) {
                    System.out.println("Then paste the address that the browser was sent to:");
                    String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
                    if (line == null || line.isBlank()) {
                        throw new IllegalStateException("the person gave up");
                    }
                    login.complete(line.strip());
                }
            }
            case "token" -> {
                if (login.isRefused()) {
                    throw new IllegalStateException("the server refuses the token in MCP_TOKEN");
                }
                login.supply(System.getenv("MCP_TOKEN"));
            }
            default -> throw new IllegalStateException("this program has no " + login.kind());
        }
    }

    /**
     * Stores each login in a file. Beside it is a file that processes lock, which the system releases when one of them ends. A keychain or
     * a database takes its place in a program; without either, AuthConfig.storeDirectory does all of this.
     */
    private static final class Store {
        /** Only this person may read the files. */
        private static final FileAttribute<?> PRIVATE =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

        private final Path folder;
        private FileChannel locked;

        Store(Path folder) {
            this.folder = folder;
        }

        /** Answers what is about stored logins; gives whether it was. */
        synchronized boolean handles(Login login) throws IOException {
            Path place = folder.resolve(URLEncoder.encode(login.key() == null ? "" : login.key(), StandardCharsets.UTF_8));
            switch (login.kind()) {
                case "load" -> {
                    if (login.locks()) {
                        Set<StandardOpenOption> options = Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                        locked = FileChannel.open(Path.of(place + ".lock"), options, PRIVATE);
                        locked.lock();
                    }
                    try {
                        login.answer(Files.exists(place) ? Files.readString(place) : null);
                    } catch (IOException failure) {
                        unlock();
                        throw failure;
                    }
                }
                case "save" -> {
                    try {
                        save(place, login.text());
                        login.answer(null);
                    } finally {
                        unlock();
                    }
                }
                case "unlock" -> unlock();
                default -> {
                    return false;
                }
            }
            return true;
        }

        /** Replaces the file as a whole. */
        private static void save(Path place, String text) throws IOException {
            Path next = Path.of(place + ".new");
            Files.deleteIfExists(next);
            Files.writeString(Files.createFile(next, PRIVATE), text);
            Files.move(next, place, StandardCopyOption.ATOMIC_MOVE);
        }

        /** The lock ends with the file. */
        private void unlock() throws IOException {
            if (locked != null) {
                locked.close();
                locked = null;
            }
        }
    }
}
