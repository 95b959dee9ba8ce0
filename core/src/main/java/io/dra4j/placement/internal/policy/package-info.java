/** A placement policy's answers: the preferences of claims, the chosen devices, and their score. */
@NullMarked
package io.dra4j.placement.internal.policy;

import org.jspecify.annotations.NullMarked;
