/**
 * A plugin of a container runtime, as the Node Resource Interface (NRI) describes it. Start with
 * {@link io.dra4j.nri.NriPlugin} and {@link io.dra4j.nri.NriHandler}.
 */
@NullMarked
package io.dra4j.nri;

import org.jspecify.annotations.NullMarked;
