/**
 * A driver of devices as a plugin of the kubelet. {@link io.dra4j.kubelet.KubeletPlugin} registers
 * the driver, and the kubelet then calls its {@link io.dra4j.kubelet.DraHandler} to prepare the
 * claims of pods. {@link io.dra4j.kubelet.cdi CDI files} give the devices to containers.
 */
@NullMarked
package io.dra4j.kubelet;

import org.jspecify.annotations.NullMarked;
