package io.dra4j.netlink;

import java.util.Locale;

/**
 * The kernel's answer to a request that it refuses ({@code struct nlmsgerr} and the attributes of
 * the extended acknowledgement, {@code linux/netlink.h}).
 *
 * @param errno the error number, positive; 0 for a request that was carried out
 * @param text the kernel's message, cleaned; empty for none
 * @param attribute the path of the attribute that caused it; empty for none
 * @param missing the path of the missing attribute; empty for none
 */
record KernelError(int errno, String text, String attribute, String missing) {

  private static final int NLMSGERR_ATTR_MSG = 1;
  private static final int NLMSGERR_ATTR_OFFS = 2;
  private static final int NLMSGERR_ATTR_MISS_TYPE = 5;
  private static final int NLMSGERR_ATTR_MISS_NEST = 6;

  private static final int HIGHEST = 4095; // MAX_ERRNO

  KernelError(int errno) {
    this(errno, "", "", "");
  }

  /**
   * Reads an error, or the text that accompanies error number 0.
   *
   * @param code the negative error number of the message
   * @param message the answer
   * @param attributesAt the offset of the attributes in its payload
   * @param request the request
   */
  static KernelError read(int code, Message message, int attributesAt, MessageWriter request)
      throws NetlinkException.Malformed {
    if (code > 0 || code < -HIGHEST) {
      throw new NetlinkException.Malformed("error number " + code + " in an answer");
    }
    String text = "";
    String attribute = "";
    int missingType = -1;
    int missingIn = -1;
    if ((message.flags() & MessageFlags.ACK_ATTRIBUTES) != 0) {
      AttributeReader reader = message.attributes(attributesAt);
      while (reader.next()) {
        switch (reader.type()) {
          case NLMSGERR_ATTR_MSG -> text = clean(reader.string());
          case NLMSGERR_ATTR_OFFS -> attribute = request.attributePath(reader.u32());
          case NLMSGERR_ATTR_MISS_TYPE -> missingType = reader.u32();
          case NLMSGERR_ATTR_MISS_NEST -> missingIn = reader.u32();
          default -> {
            // cookies, and the policy, which repeats the text as numbers
          }
        }
      }
    }
    String missing = missingType < 0 ? "" : request.missingPath(missingIn, missingType);
    return new KernelError(-code, text, attribute, missing);
  }

  /** Returns the warning about a request that was carried out. */
  NetlinkWarning warning(String operation) {
    return new NetlinkWarning(operation, text, attribute);
  }

  /** Removes control characters: drivers write these texts, and terminals and logs show them. */
  private static String clean(String text) {
    StringBuilder cleaned = new StringBuilder(text.length());
    text.strip()
        .codePoints()
        .forEach(
            c -> {
              if (Character.isISOControl(c)) {
                cleaned.append(String.format(Locale.ROOT, "\\x%02x", c));
              } else {
                cleaned.appendCodePoint(c);
              }
            });
    return cleaned.toString();
  }
}
