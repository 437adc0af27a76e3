package io.libmcp.spring;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of a bean as a tool. It takes a record or a bean with the arguments, an {@link io.libmcp.Request}, both or none of them, and
 * gives what {@link io.libmcp.Server#addTool(String, String, Class, Class, io.libmcp.Server.ToolHandler)} takes.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface McpTool {
    /**
     * What the model reads about it.
     *
     * @return the text
     */
    String value();

    /**
     * Its name, if that is not the method's.
     *
     * @return the name; empty for that of the method
     */
    String name() default "";
}
