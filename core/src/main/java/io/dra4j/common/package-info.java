/**
 * Values that all packages share: budgets of time, feature gates, Kubernetes versions, similar
 * names, and text that is safe to print.
 */
@NullMarked
package io.dra4j.common;

import org.jspecify.annotations.NullMarked;
