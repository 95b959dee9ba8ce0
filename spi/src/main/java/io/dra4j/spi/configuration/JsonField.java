package io.dra4j.spi.configuration;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Describes how a component is written in JSON if not by the rules of {@link JsonRecords}. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface JsonField {

  /** {@return the name of the field in JSON; empty for the name of the component} */
  String value() default "";

  /** {@return whether the field is required to be present and not null; primitives always are} */
  boolean required() default false;
}
