package io.libmcp.spring;

import io.libmcp.Request;
import io.libmcp.Server;
import io.libmcp.Settings.Endpoint;
import io.libmcp.Settings.ServerConfig;
import io.libmcp.servlet.McpServlet;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** A server with the tools of all beans, in the web server of the application. A bean {@link Server} of the program takes its place. */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@EnableConfigurationProperties(McpProperties.class)
public class McpAutoConfiguration {
    /** Spring calls it. */
    public McpAutoConfiguration() {
    }

    /**
     * The server, with nothing in it yet.
     *
     * @param properties its name and version
     * @param environment has the name of the application
     * @return a server, which is closed with the application
     */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    public Server mcpServer(McpProperties properties, Environment environment) {
        String name = properties.name() != null ? properties.name() : environment.getProperty("spring.application.name", "application");
        return new Server(new ServerConfig().name(name).version(properties.version()));
    }

    /**
     * The server at its path.
     *
     * @param server the server
     * @param properties where it is
     * @return the servlet
     */
    @Bean
    public ServletRegistrationBean<McpServlet> mcpServlet(Server server, McpProperties properties) {
        Endpoint endpoint = new Endpoint();
        if (properties.url() != null) {
            endpoint.url(properties.url());
        }
        if (!properties.hosts().isEmpty()) {
            endpoint.hosts(properties.hosts());
        }
        if (!properties.origins().isEmpty()) {
            endpoint.origins(properties.origins());
        }
        ServletRegistrationBean<McpServlet> bean = new ServletRegistrationBean<>(new McpServlet(server, endpoint), properties.path());
        bean.setName("mcp");
        bean.setAsyncSupported(true);
        bean.setLoadOnStartup(1);
        return bean;
    }

    /**
     * Adds the tools of all beans, once all of them are there.
     *
     * @param server the server
     * @param context has the beans
     * @param customizers add more
     * @return what Spring calls then
     */
    @Bean
    public org.springframework.beans.factory.SmartInitializingSingleton mcpTools(
            Server server, ConfigurableApplicationContext context, ObjectProvider<McpCustomizer> customizers) {
        return () -> {
            for (String name : context.getBeanDefinitionNames()) {
                Class<?> user = context.getBeanFactory().getBeanDefinition(name).isSingleton() ? userClass(context.getBeanFactory(), name) : null;
                if (user == null) {
                    continue;
                }
                MethodIntrospector.selectMethods(user, (MethodIntrospector.MetadataLookup<McpTool>) method ->
                        AnnotatedElementUtils.findMergedAnnotation(method, McpTool.class))
                        .forEach((method, tool) -> add(server, context.getBean(name), method, tool));
            }
            customizers.orderedStream().forEach(one -> one.customize(server));
        };
    }

    /** The class that a person wrote, which a proxy of interfaces does not show; null if it is not known. */
    private static Class<?> userClass(ConfigurableListableBeanFactory beans, String name) {
        Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
        if (type != null && ScopedObject.class.isAssignableFrom(type)) {
            type = AutoProxyUtils.determineTargetClass(beans, ScopedProxyUtils.getTargetBeanName(name));
        }
        return type == null ? null : ClassUtils.getUserClass(type);
    }

    private static void add(Server server, Object bean, Method declared, McpTool told) {
        Method method = AopUtils.selectInvocableMethod(declared, bean.getClass());
        method.setAccessible(true);
        Class<?> arguments = null;
        for (Class<?> parameter : method.getParameterTypes()) {
            if (parameter != Request.class && arguments != null) {
                throw new IllegalArgumentException(method + " is a tool with two parameters for its arguments, " + arguments.getName() + " and "
                        + parameter.getName() + "; put them into one record");
            }
            arguments = parameter == Request.class ? arguments : parameter;
        }
        String name = told.name().isEmpty() ? method.getName() : told.name();
        Class<?> in = arguments == null ? Nothing.class : arguments;
        add(server, name, told.value(), in, boxed(method.getReturnType()), method, bean);
    }

    /** The arguments of a tool that has none. */
    private record Nothing() {
    }

    private static <I, O> void add(Server server, String name, String description, Class<I> in, Class<O> out, Method method, Object bean) {
        server.addTool(name, description, in, out, (request, arguments) -> out.cast(call(method, bean, request, arguments)));
    }

    private static Class<?> boxed(Class<?> type) {
        return java.lang.invoke.MethodType.methodType(type).wrap().returnType();
    }

    private static Object call(Method method, Object bean, Request request, Object arguments) throws Exception {
        Class<?>[] types = method.getParameterTypes();
        Object[] given = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            given[i] = types[i] == Request.class ? request : arguments;
        }
        try {
            return method.invoke(bean, given);
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw thrown;
        }
    }
}
