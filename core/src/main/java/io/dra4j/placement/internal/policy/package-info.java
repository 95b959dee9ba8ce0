/**
 * How a placement policy answers: what claims prefer, which devices are chosen, and their score.
 */
@NullMarked
package io.dra4j.placement.internal.policy;

import org.jspecify.annotations.NullMarked;
