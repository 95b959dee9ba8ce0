package io.dra4j.allocation;

/**
 * Why a rule does not let a device be placed.
 *
 * @param reason completes "the device ...", for example {@code is in use}
 */
record Refusal(String reason) {}
