package io.dra4j.manifest.validation;

import com.google.common.net.InetAddresses;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.regex.Pattern;

/** Addresses of network devices with their prefix lengths. */
final class NetworkAddresses {

  private static final Pattern LENGTH = Pattern.compile("0|[1-9][0-9]{0,2}");
  private static final int MAX_LENGTH = 50;

  private NetworkAddresses() {}

  /** Whether a string is such an address in canonical form, as Kubernetes requires. */
  static boolean isCanonical(String text) {
    int slash = text.indexOf('/');
    if (slash < 0 || text.length() > MAX_LENGTH || text.indexOf('%') >= 0) {
      return false;
    }
    String address = text.substring(0, slash);
    String length = text.substring(slash + 1);
    if (!InetAddresses.isInetAddress(address) || !LENGTH.matcher(length).matches()) {
      return false;
    }
    InetAddress known = InetAddresses.forString(address);
    boolean isMapped = known instanceof Inet4Address && address.indexOf(':') >= 0;
    return !isMapped
        && InetAddresses.toAddrString(known).equals(address)
        && Integer.parseInt(length) <= (known instanceof Inet4Address ? 32 : 128);
  }
}
