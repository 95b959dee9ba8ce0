/** The file of a store: its permissions, lock and transactions, and the JSON of its records. */
@NullMarked
package io.dra4j.runtime.internal.store;

import org.jspecify.annotations.NullMarked;
