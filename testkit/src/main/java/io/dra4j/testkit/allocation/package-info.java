/**
 * Tests for custom allocation rules: {@link io.dra4j.testkit.allocation.ClaimRuleKit}, a suite that
 * the author of a rule extends.
 */
@NullMarked
package io.dra4j.testkit.allocation;

import org.jspecify.annotations.NullMarked;
