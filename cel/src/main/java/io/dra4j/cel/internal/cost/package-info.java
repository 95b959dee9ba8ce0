/** What an expression costs at worst, before it is evaluated on anything. */
@NullMarked
package io.dra4j.cel.internal.cost;

import org.jspecify.annotations.NullMarked;
