/**
 * The opaque parameters of claims and classes as typed records: {@link
 * io.dra4j.spi.configuration.JsonRecords} reads them, {@link
 * io.dra4j.spi.configuration.ConfigurationException} has their problems and places.
 */
@NullMarked
package io.dra4j.spi.configuration;

import org.jspecify.annotations.NullMarked;
