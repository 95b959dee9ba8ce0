/** The file of a store: its rights and lock, its transactions, and the JSON of its entries. */
@NullMarked
package io.dra4j.runtime.internal.store;

import org.jspecify.annotations.NullMarked;
