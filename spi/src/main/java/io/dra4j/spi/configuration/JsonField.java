package io.dra4j.spi.configuration;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says how a component of a record stands in JSON, where that is not as {@link JsonRecords} says.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface JsonField {

  /**
   * Names the field in JSON.
   *
   * @return the name; empty for the name of the component
   */
  String value() default "";

  /**
   * Says whether the field must be there, and not null.
   *
   * @return whether it must; components of a primitive type always must
   */
  boolean required() default false;
}
