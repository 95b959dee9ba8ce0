/**
 * Tests for drivers: {@link io.dra4j.testkit.driver.DriverKit}, a suite that the author of a driver
 * extends.
 */
@NullMarked
package io.dra4j.testkit.driver;

import org.jspecify.annotations.NullMarked;
