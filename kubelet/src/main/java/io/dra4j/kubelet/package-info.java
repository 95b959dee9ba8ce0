/**
 * A driver of devices as a plugin of the kubelet: {@link io.dra4j.kubelet.KubeletPlugin} registers
 * the driver, and the kubelet then asks a {@link io.dra4j.kubelet.DraHandler} to prepare the claims
 * of pods. What containers get is in {@link io.dra4j.kubelet.cdi CDI files}.
 */
@NullMarked
package io.dra4j.kubelet;

import org.jspecify.annotations.NullMarked;
