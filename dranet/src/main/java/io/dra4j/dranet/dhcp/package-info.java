/**
 * A client of DHCP for IPv4 (RFC 2131) that leases an address for one interface and releases it.
 * Start with {@link io.dra4j.dranet.dhcp.DhcpClient}. The client does not configure interfaces.
 */
@NullMarked
package io.dra4j.dranet.dhcp;

import org.jspecify.annotations.NullMarked;
