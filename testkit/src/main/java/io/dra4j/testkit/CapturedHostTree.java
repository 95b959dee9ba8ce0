package io.dra4j.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test a captured host as a folder: {@code @CapturedHostTree("a4-like") Path root}. The
 * folder is the host's {@code /}, so that {@code root.resolve("sys")} is its {@code /sys}. It is a
 * new one for each parameter, and is deleted after the test; one of a constructor or of
 * {@code @BeforeAll} lives as long as the class's tests.
 */
@Documented
@ExtendWith(CapturedHostExtension.class)
@SuppressWarnings("exports") // only JUnit makes the extension
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface CapturedHostTree {

  /**
   * The host.
   *
   * @return one of {@link CapturedHost#names}
   */
  String value();
}
