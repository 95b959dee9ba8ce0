/**
 * Files of the Container Device Interface, by which containerd and CRI-O give devices to
 * containers. {@link io.dra4j.kubelet.cdi.CdiSpec} is a file, {@link
 * io.dra4j.kubelet.cdi.CdiDirectory} writes and removes the files of one driver.
 */
@NullMarked
package io.dra4j.kubelet.cdi;

import org.jspecify.annotations.NullMarked;
