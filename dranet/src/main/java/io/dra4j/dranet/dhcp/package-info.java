/**
 * A client of DHCP for IPv4 (RFC 2131) that gets an address for one interface and gives it back.
 * Begin with {@link io.dra4j.dranet.dhcp.DhcpClient}. Nothing here configures an interface.
 */
@NullMarked
package io.dra4j.dranet.dhcp;

import org.jspecify.annotations.NullMarked;
