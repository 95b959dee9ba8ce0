package io.dra4j.netlink;

/**
 * A warning of the kernel about a request that it carries out: the text of the extended
 * acknowledgement ({@code NLMSGERR_ATTR_MSG} of {@code linux/netlink.h}) with error number 0, which
 * {@code ip} prints as "Warning: ...". Listeners are set by {@link NetlinkSocket#onWarning}.
 *
 * @param operation the operation, in words, for example {@code add route 10.0.0.0/8 via 10.0.0.1}
 * @param text the kernel's text, one line without control characters
 * @param attribute the path of the attribute that caused it, for example {@code
 *     IFLA_LINKINFO/IFLA_INFO_DATA}; empty for none
 */
public record NetlinkWarning(String operation, String text, String attribute) {

  /** {@return operation, kernel's text and attribute, in the format of {@code NetlinkException}} */
  @Override
  public String toString() {
    return operation
        + ": kernel says: "
        + text
        + (attribute.isEmpty() ? "" : " (" + attribute + ")");
  }
}
