package io.libmcp.spring;

import io.libmcp.Server;

/** A bean that adds to the server what has no annotation: resources, prompts, handlers of failures. */
@FunctionalInterface
public interface McpCustomizer {
    /**
     * Is called once, before the server serves.
     *
     * @param server the server
     */
    void customize(Server server);
}
