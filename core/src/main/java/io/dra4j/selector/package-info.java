/**
 * The interface to a selector language: {@link io.dra4j.selector.SelectorCompiler} compiles an
 * expression, {@link io.dra4j.selector.CompiledSelector} answers for one device. Module {@code cel}
 * implements it.
 */
@NullMarked
package io.dra4j.selector;

import org.jspecify.annotations.NullMarked;
