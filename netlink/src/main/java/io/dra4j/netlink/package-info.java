/**
 * Sockets, messages and attributes of netlink, for every protocol.
 *
 * <p>A {@link io.dra4j.netlink.NetlinkSocket} sends a request that a {@link
 * io.dra4j.netlink.MessageWriter} wrote and passes the replies to a decoder, which reads them with
 * an {@link io.dra4j.netlink.AttributeReader}. A refusal of the kernel is a {@link
 * io.dra4j.netlink.NetlinkException}. Between socket and kernel is a {@link
 * io.dra4j.netlink.Transport}, which can be a recorded conversation.
 *
 * <p>For links and addresses, start with the package {@code route}.
 */
@NullMarked
package io.dra4j.netlink;

import org.jspecify.annotations.NullMarked;
