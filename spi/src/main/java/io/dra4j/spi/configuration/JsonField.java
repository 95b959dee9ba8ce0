package io.dra4j.spi.configuration;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes how a component of a record is written in JSON, if it differs from the rules of {@link
 * JsonRecords}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface JsonField {

  /**
   * Returns the name of the field in JSON.
   *
   * @return the name; empty for the name of the component
   */
  String value() default "";

  /**
   * Returns whether the field must be present and not null.
   *
   * @return whether the field is required; components of a primitive type are always required
   */
  boolean required() default false;
}
