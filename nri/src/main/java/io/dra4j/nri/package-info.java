/**
 * Plugins of container runtimes by the Node Resource Interface (NRI). Start with {@link
 * io.dra4j.nri.NriPlugin} and {@link io.dra4j.nri.NriHandler}.
 */
@NullMarked
package io.dra4j.nri;

import org.jspecify.annotations.NullMarked;
