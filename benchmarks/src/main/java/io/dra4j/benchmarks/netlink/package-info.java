/** Netlink beside Go and C. */
@NullMarked
package io.dra4j.benchmarks.netlink;

import org.jspecify.annotations.NullMarked;
