/** The model of one server: its tree of links, rates of paths, and devices in use. */
@NullMarked
package io.dra4j.placement.internal.server;

import org.jspecify.annotations.NullMarked;
