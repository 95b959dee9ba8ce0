/** Tests for drivers: authors extend {@link io.dra4j.testkit.driver.DriverKit}. */
@NullMarked
package io.dra4j.testkit.driver;

import org.jspecify.annotations.NullMarked;
