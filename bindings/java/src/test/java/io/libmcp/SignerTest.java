package io.libmcp;

import static io.libmcp.Tests.check;
import static io.libmcp.Tests.contains;
import static io.libmcp.Tests.equal;
import static io.libmcp.Tests.fails;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.libmcp.Settings.AuthConfig;
import io.libmcp.Settings.ClientConfig;
import io.libmcp.Settings.Endpoint;
import io.libmcp.Settings.ServerAuthConfig;
import io.libmcp.Settings.ServerConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A service signs with a key that the library never has; an authorization server of this test verifies what it signs. */
final class SignerTest {
    private static final String CLIENT = "nightly";
    private static final String ALGORITHM = "SHA256withECDSAinP1363Format";

    private static KeyPair keys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private static String sign(KeyPair keys, String input) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(ALGORITHM);
        signature.initSign(keys.getPrivate());
        signature.update(input.getBytes(StandardCharsets.US_ASCII));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign());
    }

    /** Gives tokens to whom can sign with one key, and takes them back. */
    private static final class Authority implements AutoCloseable {
        final Set<String> tokens = ConcurrentHashMap.newKeySet();
        final AtomicInteger given = new AtomicInteger();
        private final HttpServer web;
        private final KeyPair keys;

        Authority(KeyPair keys) throws IOException {
            this.keys = keys;
            web = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
            web.createContext("/", exchange -> answer(exchange, 404, Map.of()));
            web.createContext("/.well-known/oauth-authorization-server", exchange -> answer(exchange, 200, Map.of("issuer", issuer(),
                    "authorization_endpoint", issuer() + "/authorize", "token_endpoint", issuer() + "/token",
                    "revocation_endpoint", issuer() + "/revoke", "response_types_supported", List.of("code"),
                    "code_challenge_methods_supported", List.of("S256"), "grant_types_supported", List.of("client_credentials"),
                    "token_endpoint_auth_methods_supported", List.of("private_key_jwt"),
                    "token_endpoint_auth_signing_alg_values_supported", List.of("ES256"))));
            web.createContext("/token", exchange -> authenticated(exchange, form -> {
                String token = "token-" + given.incrementAndGet();
                tokens.add(token);
                return Map.of("access_token", token, "token_type", "Bearer", "expires_in", 3600);
            }));
            web.createContext("/revoke", exchange -> authenticated(exchange, form -> {
                tokens.remove(form.get("token"));
                return Map.of();
            }));
            web.start();
        }

        String issuer() {
            return "http://127.0.0.1:" + web.getAddress().getPort();
        }

        private interface Page {
            Map<String, ?> of(Map<String, String> form);
        }

        private void authenticated(HttpExchange exchange, Page page) throws IOException {
            Map<String, String> form = new HashMap<>();
            for (String field : new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8).split("&")) {
                String[] pair = field.split("=", 2);
                form.put(pair[0], URLDecoder.decode(pair[1], StandardCharsets.UTF_8));
            }
            boolean isValid = isValid(form.getOrDefault("client_assertion", ""));
            answer(exchange, isValid ? 200 : 401, isValid ? page.of(form) : Map.of("error", "invalid_client"));
        }

        private boolean isValid(String assertion) {
            String[] parts = assertion.split("\\.");
            try {
                Signature signature = Signature.getInstance(ALGORITHM);
                signature.initVerify(keys.getPublic());
                signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
                JsonValue claims = JsonValue.parse(new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8));
                return signature.verify(Base64.getUrlDecoder().decode(parts[2])) && CLIENT.equals(claims.get("iss").asText())
                        && issuer().equals(claims.get("aud").asText());
            } catch (GeneralSecurityException | RuntimeException unfit) {
                return false;
            }
        }

        private static void answer(HttpExchange exchange, int status, Map<String, ?> json) throws IOException {
            try (exchange) {
                byte[] body = JsonValue.of(json).toString().getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.sendResponseHeaders(status, body.length);
                exchange.getResponseBody().write(body);
            }
        }

        @Override
        public void close() {
            web.stop(0);
        }
    }

    private static Client open(Endpoint bound, Authority authority, LoginHandler handler) {
        AuthConfig auth = new AuthConfig().type("client_credentials").issuer(authority.issuer()).clientId(CLIENT)
                .signer("application").signingAlgorithm("ES256").keyId("in the chip");
        return Client.open(new ClientConfig().url(bound.url()).auth(auth), new ClientHandlers().onLogin(handler));
    }

    static void testAServiceSignsWithItsOwnKey() throws Exception {
        KeyPair keys = keys();
        KeyPair others = keys();
        try (Authority authority = new Authority(keys);
                Server server = new Server(new ServerConfig().name("guarded").auth(new ServerAuthConfig()
                        .authorizationServers(List.of(authority.issuer())).application(true)))) {
            server.onToken(asked -> {
                if (!authority.tokens.contains(asked.get("token").asText())) {
                    throw new RpcException(-32_000, "unknown");
                }
                return Map.of("principal", CLIENT);
            });
            server.addTool("who", "Says who asks", Nothing.class, String.class,
                    (request, nothing) -> request.context().get("principal").get("subject").asText());
            Endpoint bound = server.serve(new Endpoint().url("http://127.0.0.1:0/mcp"));
            AtomicInteger signatures = new AtomicInteger();
            LoginHandler signs = login -> {
                equal(login.kind() + " " + login.purpose() + " " + login.algorithm() + " " + login.keyId() + " " + login.clientId(),
                        "sign assertion ES256 in the chip nightly");
                equal(login.audience(), authority.issuer());
                signatures.incrementAndGet();
                login.answer(sign(keys, login.input()));
            };
            try (Client client = open(bound, authority, signs)) {
                equal(client.callTool("who", null).text(), CLIENT);
                equal(client.callTool("who", null).text(), CLIENT);
                equal(authority.given.get() + " " + signatures.get(), "1 1");
                client.logout();
                check(authority.tokens.isEmpty(), "the token is revoked: " + authority.tokens);
                equal(client.callTool("who", null).text(), CLIENT);
                equal(authority.given.get(), 2);
            }
            try (Client client = open(bound, authority, login -> login.answer(sign(others, login.input())))) {
                contains(fails(Status.AUTH, () -> client.callTool("who", null)).getMessage(), "invalid_client");
            }
            try (Client client = open(bound, authority, login -> login.answer("c2hvcnQ"))) {
                contains(fails(Status.AUTH, () -> client.callTool("who", null)).getMessage(), "signature");
            }
            LoginHandler busy = login -> {
                throw new IOException("the chip is busy");
            };
            try (Client client = open(bound, authority, busy)) {
                contains(fails(Status.AUTH, () -> client.callTool("who", null)).getMessage(), "the chip is busy");
            }
            equal(authority.given.get(), 2);
        }
    }

    record Nothing() {
    }
}
