package io.libmcp;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.InvocationTargetException;

/**
 * The annotations of Jackson that name and describe members: of a program that has Jackson. They are read by their names, since this
 * binding needs no other library; without Jackson the JDK shows none of them.
 */
final class Jackson {
    private static final String PACKAGE = "com.fasterxml.jackson.annotation.";

    private Jackson() {
    }

    /** The name that {@code @JsonProperty} gives; otherwise the one that Java has. */
    static String name(String own, AnnotatedElement... places) {
        return of("JsonProperty", "value", places) instanceof String name && !name.isEmpty() ? name : own;
    }

    /** The name of a constant of an enum in JSON. */
    static String name(Enum<?> constant) {
        try {
            return name(constant.name(), constant.getDeclaringClass().getField(constant.name()));
        } catch (NoSuchFieldException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** What {@code @JsonPropertyDescription} says; null without it. */
    static String description(AnnotatedElement... places) {
        return of("JsonPropertyDescription", "value", places) instanceof String text && !text.isEmpty() ? text : null;
    }

    /** Says whether {@code @JsonProperty(required = true)} is there. */
    static boolean isRequired(AnnotatedElement... places) {
        return Boolean.TRUE.equals(of("JsonProperty", "required", places));
    }

    /** Says whether {@code @JsonIgnore} keeps a member out of JSON. */
    static boolean isIgnored(AnnotatedElement... places) {
        return Boolean.TRUE.equals(of("JsonIgnore", "value", places));
    }

    private static Object of(String annotation, String member, AnnotatedElement... places) {
        for (AnnotatedElement place : places) {
            for (Annotation one : place == null ? new Annotation[0] : place.getAnnotations()) {
                if (one.annotationType().getName().equals(PACKAGE + annotation)) {
                    try {
                        return one.annotationType().getMethod(member).invoke(one);
                    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException other) {
                        throw new IllegalArgumentException(one + " has no \"" + member + "\" that can be read", other);
                    }
                }
            }
        }
        return null;
    }
}
