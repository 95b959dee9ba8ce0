/** What lets dra4j take the place of DraNet on a node: the forms in which it is configured. */
@NullMarked
package io.dra4j.dranet.compat;

import org.jspecify.annotations.NullMarked;
