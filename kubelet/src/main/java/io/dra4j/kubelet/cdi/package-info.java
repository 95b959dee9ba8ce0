/**
 * What containers get with a device, as files of the Container Device Interface, which containerd
 * and CRI-O read: {@link io.dra4j.kubelet.cdi.CdiSpec} is a file, {@link
 * io.dra4j.kubelet.cdi.CdiFolder} writes and removes those of one driver.
 */
@NullMarked
package io.dra4j.kubelet.cdi;

import org.jspecify.annotations.NullMarked;
