/**
 * The messages of {@code google.protobuf} that expressions can make in every environment of cel-go,
 * and the values of JSON that they hold.
 */
@NullMarked
package io.dra4j.cel.internal.message;

import org.jspecify.annotations.NullMarked;
