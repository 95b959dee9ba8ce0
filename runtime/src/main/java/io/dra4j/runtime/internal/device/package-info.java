/** The devices that can be published, their health, and the conflicts between them. */
@NullMarked
package io.dra4j.runtime.internal.device;

import org.jspecify.annotations.NullMarked;
