package io.libmcp.spring;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.libmcp.CallResult;
import io.libmcp.Client;
import io.libmcp.Description;
import io.libmcp.JsonValue;
import io.libmcp.Protocol.Resource;
import io.libmcp.Protocol.Tool;
import io.libmcp.Request;
import io.libmcp.Settings.ClientConfig;
import io.libmcp.ToolException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;

/** An application as people write it, and a client of it. */
@SpringBootApplication
public class BootTest {
    /** The arguments. */
    record City(@Description("the name of the city") String name) {
    }

    /** The result. */
    record Weather(String city, int degrees) {
    }

    /** As Jackson names it. */
    enum Unit {
        @JsonProperty("°C") CELSIUS, @JsonProperty("°F") FAHRENHEIT
    }

    /** As Jackson names it: a record. */
    record Reading(@JsonProperty("unit_of") Unit unit, @JsonPropertyDescription("what was measured") double value, @JsonIgnore String secret) {
    }

    /** As Jackson names it: a bean. */
    public static class Station {
        @JsonProperty(value = "station_id", required = true)
        private String id;
        private Unit unit;
        private String inner = "inside";

        public String getId() {
            return id;
        }

        public void setId(String id) {
            this.id = id;
        }

        @JsonPropertyDescription("the unit of the answer")
        public Unit getUnit() {
            return unit;
        }

        public void setUnit(Unit unit) {
            this.unit = unit;
        }

        @JsonIgnore
        public String getInner() {
            return inner;
        }

        public void setInner(String inner) {
            this.inner = inner;
        }
    }

    /** Tools. */
    @Component
    static class Tools {
        @McpTool("Tells the weather of a city")
        Weather weather(City city) {
            if (city.name().isEmpty()) {
                throw new ToolException("a city has a name");
            }
            return new Weather(city.name(), 21);
        }

        @McpTool(value = "Says which revision the client speaks", name = "which-revision")
        String revision(Request request) {
            return request.context().get("revision").asText();
        }

        @McpTool("Reads a station")
        Reading read(Station station) {
            return new Reading(station.getUnit(), 20.5, station.getId() + station.getInner());
        }

        @McpTool("Counts")
        int count() {
            return 3;
        }
    }

    /** What a proxy of interfaces shows of the bean below. */
    interface Clock {
        String time(City city);
    }

    /** Tells that a proxy goes before the bean. */
    @Retention(RetentionPolicy.RUNTIME)
    @interface Counted {
    }

    /** A bean as one with @Transactional is where "spring.aop.proxy-target-class" is false. */
    @Component
    @Counted
    static class Clocks implements Clock {
        @Override
        @McpTool("Tells the time in a city")
        public String time(City city) {
            return "noon in " + city.name();
        }
    }

    private static final AtomicInteger COUNTED = new AtomicInteger();

    @Bean
    static DefaultAdvisorAutoProxyCreator proxies() {
        return new DefaultAdvisorAutoProxyCreator();
    }

    @Bean
    static Advisor counts() {
        return new DefaultPointcutAdvisor(new AnnotationMatchingPointcut(Counted.class), (MethodInterceptor) call -> {
            COUNTED.incrementAndGet();
            return call.proceed();
        });
    }

    private static final JsonValue STATION = JsonValue.parse("""
            {"type": "object", "properties": {"station_id": {"type": "string"},
             "unit": {"type": "string", "enum": ["°C", "°F"], "description": "the unit of the answer"}}, "required": ["station_id"]}""");
    private static final JsonValue READING = JsonValue.parse("""
            {"type": "object", "properties": {"unit_of": {"type": "string", "enum": ["°C", "°F"]},
             "value": {"type": "number", "description": "what was measured"}}, "required": ["unit_of", "value"]}""");

    @Bean
    McpCustomizer readme() {
        return server -> server.addText(new Resource().uri("readme:///").name("readme"), "Read this");
    }

    public static void main(String[] arguments) {
        String[] options = {"--server.port=0", "--server.address=127.0.0.1", "--spring.application.name=weather", "--spring.main.banner-mode=off",
                "--logging.level.root=warn", "--libmcp.server.path=/tools", "--spring.aop.proxy-target-class=false"};
        try (ConfigurableApplicationContext application = SpringApplication.run(BootTest.class, options)) {
            check(Proxy.isProxyClass(application.getBean(Clock.class).getClass()), "a proxy of interfaces");
            String url = "http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port") + "/tools";
            for (String revision : List.of("2026-07-28", "2025-11-25")) {
                try (Client client = Client.open(new ClientConfig().url(url).protocol(revision))) {
                    check(client.listTools().stream().map(Tool::name).sorted().toList().equals(List.of("count", "read", "time", "weather", "which-revision")), client.listTools());
                    CallResult result = client.callTool("weather", Map.of("name", "Oslo"));
                    check(result.structured(Weather.class).equals(new Weather("Oslo", 21)), result.text());
                    check(client.callTool("weather", Map.of("name", "")).text().equals("a city has a name"), "a failure is told");
                    check(client.callTool("which-revision", null).text().equals(revision), revision);
                    check(client.callTool("time", Map.of("name", "Oslo")).text().equals("noon in Oslo"), "a tool behind a proxy");
                    Tool count = client.listTools().stream().filter(tool -> tool.name().equals("count")).findFirst().orElseThrow();
                    check(count.get("outputSchema").toString().contains("integer"), count);
                    Tool read = client.listTools().stream().filter(tool -> tool.name().equals("read")).findFirst().orElseThrow();
                    check(read.get("inputSchema").equals(STATION), read.get("inputSchema"));
                    check(read.get("outputSchema").equals(READING), read.get("outputSchema"));
                    Map<String, Object> station = Map.of("station_id", "s1", "unit", "°F", "inner", "outside");
                    check(client.callTool("read", station).structured().equals(JsonValue.of(Map.of("unit_of", "°F", "value", 20.5))), "Jackson's names");
                    check(client.callTool("count", null).structured().toString().contains("3"), "a number");
                    check(client.readResource("readme:///").getFirst().text().equals("Read this"), "a resource of a customizer");
                    check(client.info().get("server").get("name").asText().equals("weather"), client.info());
                }
            }
        }
        check(COUNTED.get() == 2, COUNTED);
        System.out.println("Spring Boot: well");
        System.exit(0);
    }

    private static void check(boolean holds, Object what) {
        if (!holds) {
            throw new AssertionError(String.valueOf(what));
        }
    }
}
