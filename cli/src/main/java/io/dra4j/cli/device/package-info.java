/** Commands for devices: rdma and driver. */
@NullMarked
package io.dra4j.cli.device;

import org.jspecify.annotations.NullMarked;
