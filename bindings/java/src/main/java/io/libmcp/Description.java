package io.libmcp;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Says what a component of a record, or the field of a property of a bean, is for, in the schema that is made of the type. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD})
public @interface Description {
    /**
     * The text.
     *
     * @return the text
     */
    String value();
}
