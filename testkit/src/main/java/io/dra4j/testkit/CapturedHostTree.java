package io.dra4j.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Passes a captured host to a test as a directory: {@code @CapturedHostTree("a4-like") Path root}.
 * The directory is the host's {@code /}, so {@code root.resolve("sys")} is its {@code /sys}. Each
 * parameter gets a new directory, which is deleted after the test. The directory of a constructor
 * or of {@code @BeforeAll} exists until the end of the class's tests.
 */
@Documented
@ExtendWith(CapturedHostExtension.class)
@SuppressWarnings("exports") // only JUnit creates the extension
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface CapturedHostTree {

  /** {@return the name of the host, one of {@link CapturedHost#names}} */
  String value();
}
