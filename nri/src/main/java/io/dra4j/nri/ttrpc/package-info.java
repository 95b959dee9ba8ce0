/** The protocol ttrpc over NRI's multiplexed connection. Knows no message of NRI. */
@NullMarked
package io.dra4j.nri.ttrpc;

import org.jspecify.annotations.NullMarked;
