/** Tests for allocation rules: authors extend {@link io.dra4j.testkit.allocation.ClaimRuleKit}. */
@NullMarked
package io.dra4j.testkit.allocation;

import org.jspecify.annotations.NullMarked;
