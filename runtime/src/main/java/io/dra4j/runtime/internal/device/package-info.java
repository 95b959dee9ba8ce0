/** What devices can be published, how they are, and which of them claims can have together. */
@NullMarked
package io.dra4j.runtime.internal.device;

import org.jspecify.annotations.NullMarked;
