/** The input of commands: manifests, hosts, features, and warnings about them. */
@NullMarked
package io.dra4j.cli.input;

import org.jspecify.annotations.NullMarked;
