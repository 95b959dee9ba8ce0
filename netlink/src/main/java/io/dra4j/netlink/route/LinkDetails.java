package io.dra4j.netlink.route;

import io.dra4j.netlink.Attributes;

/**
 * A link with all attributes of its message, for properties without a method in {@link Link}, such
 * as the sysctls in {@code IFLA_AF_SPEC}; {@link Links#details} reads it.
 *
 * <pre>{@code
 * LinkDetails details = route.links().details(LinkKey.of("eth0"));
 * Attributes ipv6 = details.attributes().nested("AF_SPEC").nested("INET6");
 * }</pre>
 *
 * @param link the link, without statistics
 * @param attributes its attributes, {@code IFLA_...} of {@code linux/if_link.h}, by the kernel's
 *     names without the prefix; without statistics and virtual functions
 */
public record LinkDetails(Link link, Attributes attributes) {}
