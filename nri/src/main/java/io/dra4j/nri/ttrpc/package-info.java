/** The protocol ttrpc over NRI's multiplexed connection. It does not depend on messages of NRI. */
@NullMarked
package io.dra4j.nri.ttrpc;

import org.jspecify.annotations.NullMarked;
