package io.dra4j.netlink;

/**
 * What the kernel says about a request that it carries out: the text of the extended
 * acknowledgement ({@code NLMSGERR_ATTR_MSG} of {@code linux/netlink.h}) beside error number 0,
 * which {@code ip} prints as "Warning: ...". {@link NetlinkSocket#onWarning} hears of it.
 *
 * @param operation what was asked for, for example {@code add route 10.0.0.0/8 via 10.0.0.1}
 * @param text the kernel's words, one line without control characters
 * @param attribute the path of the attribute they are about, for example {@code
 *     IFLA_LINKINFO/IFLA_INFO_DATA}; empty if the kernel named none
 */
public record NetlinkWarning(String operation, String text, String attribute) {

  /** As {@link NetlinkException} writes errors: operation, the kernel's words, the attribute. */
  @Override
  public String toString() {
    return operation
        + ": kernel says: "
        + text
        + (attribute.isEmpty() ? "" : " (" + attribute + ")");
  }
}
