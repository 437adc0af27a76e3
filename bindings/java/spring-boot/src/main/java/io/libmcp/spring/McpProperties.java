package io.libmcp.spring;

import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The keys of the application's configuration.
 *
 * @param name the name of the server, which clients read; without it that of the application
 * @param version its version
 * @param path where the web server has it
 * @param url the address by which clients reach it, such as "https://app.example.com/mcp"; without it clients of this machine do
 * @param hosts further names that clients may use for it, such as "app.example.com"
 * @param origins the web pages that may call it, such as "https://chat.example.com"
 */
@ConfigurationProperties("libmcp.server")
public record McpProperties(
        String name, @DefaultValue("1.0") String version, @DefaultValue("/mcp") String path, String url,
        @DefaultValue List<String> hosts, @DefaultValue List<String> origins) {
}
