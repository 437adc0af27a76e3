package io.libmcp.servlet;

import io.libmcp.Exchange;
import io.libmcp.Server;
import io.libmcp.Settings.Endpoint;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A server of libmcp in a servlet container: at the path where the container has it. The library checks Host, Origin, the token and all
 * other headers before a byte of the body is read.
 *
 * <p>Where the container allows it ({@code asyncSupported}), each request runs on a virtual thread, so that an event stream, which stays
 * open for hours, holds none of the container's threads. The servlet does not close the server; {@link #destroy} ends what is open.
 *
 * <pre>{@code
 * ServletRegistration.Dynamic mcp = context.addServlet("mcp", new McpServlet(server));
 * mcp.addMapping("/mcp");
 * mcp.setAsyncSupported(true);
 * }</pre>
 */
public final class McpServlet extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final int PART = 16 * 1024;

    private final transient Server server;
    private final String path;
    private final transient Set<Exchange> open = ConcurrentHashMap.newKeySet();
    private volatile boolean isStopping;

    /**
     * Serves clients of this machine: Host is one of its names.
     *
     * @param server has its tools, and serves elsewhere, too, if that was asked of it
     */
    public McpServlet(Server server) {
        this(server, new Endpoint());
    }

    /**
     * Serves what an endpoint says, such as {@code new Endpoint().url("https://app.example.com/mcp")}, by which clients reach it, or
     * {@code new Endpoint().hosts("app.example.com")}. The container alone decides about the path.
     *
     * @param server has its tools, and serves elsewhere, too, if that was asked of it
     * @param endpoint its "listen" is always false: the container has the port
     */
    public McpServlet(Server server, Endpoint endpoint) {
        this.server = server;
        Endpoint own = new Endpoint(endpoint.json()).listen(false);
        if (own.url() == null) {
            own.url("http://127.0.0.1/");
        }
        String of = URI.create(server.serve(own).url()).getRawPath();
        path = of == null || of.isEmpty() ? "/" : of;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!request.isAsyncSupported()) {
            try {
                answer(request, response, new Ending(null));
            } catch (IOException lost) {
                if (!isStopping) {
                    throw lost;
                }
                refuse(response);
            }
            return;
        }
        AsyncContext async = request.startAsync();
        // Clients decide how long they listen. The library bounds the time of a body of which parts come, and of the answer; the container
        // that of a client which sends and takes nothing.
        async.setTimeout(0);
        Ending ending = new Ending(async);
        async.addListener(ending);
        Thread.ofVirtual().name("mcp-servlet").start(() -> {
            try {
                answer(request, response, ending);
                ending.complete(null);
            } catch (Throwable failed) {
                ending.complete(() -> {
                    if (!isStopping) {
                        request.getServletContext().log("an answer of the MCP server was cut: " + failed);
                    }
                    refuse(response);
                });
                // Without its end the request would stay open for ever, as it has no timeout; the rest is the thread's.
                if (failed instanceof Error error) {
                    throw error;
                }
            }
        });
    }

    /** What was not answered, unless a part of the answer is on its way: a stream is cut. */
    private void refuse(HttpServletResponse response) {
        if (!response.isCommitted()) {
            response.reset();
            response.setStatus(isStopping ? HttpServletResponse.SC_SERVICE_UNAVAILABLE : HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
        }
    }

    private void answer(HttpServletRequest request, HttpServletResponse response, Ending ending) throws IOException {
        String target = request.getQueryString() == null ? path : path + "?" + request.getQueryString();
        try (Exchange exchange = server.http(request.getMethod(), target, headers(request), request.getRemoteAddr())) {
            // Before the body, which may be slow: what ends the request ends that, too.
            open.add(exchange);
            try {
                // destroy() may have looked before.
                ending.of(exchange, isStopping);
                exchange.takeBody(request.getInputStream());
                send(exchange, response);
            } finally {
                open.remove(exchange);
            }
        }
    }

    private static Map<String, List<String>> headers(HttpServletRequest request) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (String name : Collections.list(request.getHeaderNames())) {
            headers.put(name, Collections.list(request.getHeaders(name)));
        }
        return headers;
    }

    private static void send(Exchange exchange, HttpServletResponse response) throws IOException {
        response.setStatus(exchange.status());
        exchange.headers().forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
        long length = exchange.length();
        if (length >= 0) {
            response.setContentLengthLong(length);
        }
        OutputStream out = response.getOutputStream();
        // A client of a stream waits for the head, too.
        response.flushBuffer();
        InputStream body = exchange.body();
        byte[] part = new byte[PART];
        for (int count; length != 0 && (count = body.read(part)) >= 0;) {
            out.write(part, 0, count);
            out.flush();
        }
    }

    /** Ends all answers that are under way, for which a container that stops would wait. */
    @Override
    public void destroy() {
        isStopping = true;
        open.forEach(Exchange::close);
    }

    /** Ends a request once, where the answer does or where the container tells that its client is gone. */
    private static final class Ending implements AsyncListener {
        private final AsyncContext async;
        private final AtomicBoolean isOver = new AtomicBoolean();
        private volatile Exchange exchange;

        Ending(AsyncContext async) {
            this.async = async;
        }

        void of(Exchange begun, boolean isStopping) {
            exchange = begun;
            if (isStopping || isOver.get()) {
                begun.close();
            }
        }

        /** What is done before may still use the response: after the end it is another request's. */
        void complete(Runnable before) {
            if (!isOver.getAndSet(true)) {
                try {
                    if (before != null) {
                        before.run();
                    }
                } finally {
                    end();
                }
            }
        }

        private void end() {
            try {
                async.complete();
            } catch (IllegalStateException ended) {
                // A container that stops ends requests by itself, before it tells.
            }
        }

        private void over() {
            Exchange begun = exchange;
            if (begun != null) {
                begun.close();
            }
        }

        @Override
        public void onComplete(AsyncEvent event) {
            isOver.set(true);
            over();
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            complete(null);
            over();
        }

        /** Completed here, the request goes to no page for errors. */
        @Override
        public void onError(AsyncEvent event) {
            complete(null);
            over();
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            // Nothing begins again here.
        }
    }
}
