/** Commands for hosts: discover and topology, with their pictures. */
@NullMarked
package io.dra4j.cli.topology;

import org.jspecify.annotations.NullMarked;
