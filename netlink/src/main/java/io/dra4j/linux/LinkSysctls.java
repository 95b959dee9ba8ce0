package io.dra4j.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The kernel parameters (sysctls) of one link in a network namespace: the files below {@code
 * /proc/sys/net/ipv4/conf/NAME}, {@code ipv6/conf}, {@code ipv4/neigh} and {@code ipv6/neigh}, such
 * as {@code arp_ignore}, {@code rp_filter}, {@code accept_ra} or {@code addr_gen_mode}; see the
 * kernel's {@code Documentation/networking/ip-sysctl.rst}.
 *
 * <pre>{@code
 * LinkSysctls eth0 = LinkSysctls.of(namespace, "eth0");
 * String before = eth0.get("ipv4/conf/arp_ignore");
 * eth0.set("ipv4/conf/arp_ignore", "1");
 * }</pre>
 *
 * <p>The kernel resets all of them when the link moves to another namespace. The name of a
 * parameter does not contain the link, {@code ipv4/conf/arp_ignore}, so it stays the same when the
 * link is renamed. Each method enters the namespace once, on a separate thread, for any number of
 * parameters. Immutable and thread-safe.
 */
public final class LinkSysctls {

  /** The directories that have a directory for each link. */
  private static final List<String> PLACES =
      List.of("ipv4/conf", "ipv6/conf", "ipv4/neigh", "ipv6/neigh");

  private static final String ROOT = "net";
  private static final Pattern NAME = Pattern.compile("[a-z0-9_]{1,64}");
  private static final int MOST = 1_024;
  private static final int MAX_NAME = 15; // IFNAMSIZ without the zero

  private final NetworkNamespace namespace;
  private final String link;

  private LinkSysctls(NetworkNamespace namespace, String link) {
    this.namespace = namespace;
    this.link = link;
  }

  /**
   * {@return the parameters of a link, which are not read yet; a missing link is reported later}
   *
   * @param namespace the namespace that the link is in, which stays open as long as this is used
   * @param link the name of the link, which may contain dots; {@code all} and {@code default} stand
   *     for all links and for new links
   * @throws IllegalArgumentException if it is not a valid name of a link: empty, longer than 15
   *     bytes, {@code .}, {@code ..}, or with a slash, a space, a zero byte or half of a surrogate
   *     pair
   */
  public static LinkSysctls of(NetworkNamespace namespace, String link) {
    boolean valid =
        !link.isEmpty()
            && StandardCharsets.UTF_8.newEncoder().canEncode(link)
            && link.getBytes(StandardCharsets.UTF_8).length <= MAX_NAME
            && !link.equals(".")
            && !link.equals("..")
            && link.chars().noneMatch(c -> c == '/' || c == 0 || c == ' ' || (c >= 9 && c <= 13));
    if (!valid) {
      throw new IllegalArgumentException("not a name of a link: '" + link + "'");
    }
    return new LinkSysctls(namespace, link);
  }

  /**
   * {@return the present value of a parameter, without the line end}
   *
   * @param parameter for example {@code ipv4/conf/arp_ignore}
   * @throws LinuxException if the kernel refuses; ENOENT if there is no such link or parameter, EIO
   *     for a {@code stable_secret} that is not set
   * @throws IOException if the namespace cannot be entered
   * @throws IllegalArgumentException if it is not the name of a parameter of a link
   */
  public String get(String parameter) throws IOException {
    String path = path(parameter);
    return namespace.call(() -> new SysctlFiles(namespace.access()).read(path));
  }

  /**
   * {@return the values of all parameters of the link, by parameter, without line ends; those that
   * cannot be read, such as a {@code stable_secret} that is not set, are left out}
   *
   * @throws LinuxException if there is no such link (ENOENT)
   * @throws IOException if the namespace cannot be entered
   */
  public Map<String, String> getAll() throws IOException {
    return namespace.call(
        () -> {
          SysctlFiles files = new SysctlFiles(namespace.access());
          Map<String, String> values = new TreeMap<>();
          for (String place : PLACES) {
            for (String one : files.list(ROOT + "/" + place + "/" + link)) {
              readInto(values, place + "/" + one, files);
            }
          }
          if (values.isEmpty()) {
            throw new LinuxException("list the sysctls of link " + link, Errno.ENOENT.code());
          }
          return Collections.unmodifiableMap(values);
        });
  }

  /**
   * {@return the values of several parameters, by parameter, without line ends; those that do not
   * exist or cannot be read are left out}
   *
   * @param parameters for example {@code ipv4/conf/arp_ignore}
   * @throws IOException if the namespace cannot be entered
   * @throws IllegalArgumentException if one is not the name of a parameter of a link
   */
  public Map<String, String> getAll(Collection<String> parameters) throws IOException {
    parameters.forEach(this::path);
    return namespace.call(
        () -> {
          SysctlFiles files = new SysctlFiles(namespace.access());
          Map<String, String> values = new TreeMap<>();
          for (String parameter : parameters) {
            readInto(values, parameter, files);
          }
          return Collections.unmodifiableMap(values);
        });
  }

  private void readInto(Map<String, String> values, String parameter, SysctlFiles files)
      throws LinuxException {
    try {
      if (values.size() < MOST) {
        values.put(parameter, files.read(path(parameter)));
      }
    } catch (LinuxException e) {
      boolean unset = e.is(Errno.EIO) && parameter.endsWith("/stable_secret");
      if (!unset && !e.is(Errno.EACCES) && !e.is(Errno.ENOENT)) {
        throw e;
      }
    }
  }

  /**
   * Writes one parameter.
   *
   * @param parameter for example {@code ipv4/conf/arp_ignore}
   * @param value its value
   * @throws LinuxException if the kernel refuses: ENOENT if there is no such link or parameter,
   *     EINVAL for an invalid value, EROFS if {@code /proc/sys} is read-only (the message explains
   *     what to mount), EACCES without write permission
   * @throws IOException if the namespace cannot be entered
   * @throws IllegalArgumentException if it is not the name of a parameter of a link, or the value
   *     is longer than 4,096 bytes
   */
  public void set(String parameter, String value) throws IOException {
    for (LinuxException refused : setAll(Map.of(parameter, value)).values()) {
      throw refused;
    }
  }

  /**
   * Writes parameters in the order of the map. If the kernel refuses one, still writes the rest.
   *
   * @param values the values by parameter
   * @return the refusals of the kernel, by parameter; empty if it accepted all
   * @throws IOException if the namespace cannot be entered; then nothing was written
   * @throws IllegalArgumentException as for {@link #set}; then nothing was written
   */
  public Map<String, LinuxException> setAll(Map<String, String> values) throws IOException {
    Map<String, String> ordered = new LinkedHashMap<>(values);
    ordered.forEach((parameter, value) -> SysctlFiles.check(path(parameter), value));
    return namespace.call(
        () -> {
          SysctlFiles files = new SysctlFiles(namespace.access());
          Map<String, LinuxException> refused = new LinkedHashMap<>();
          for (Map.Entry<String, String> one : ordered.entrySet()) {
            try {
              files.write(path(one.getKey()), one.getValue());
            } catch (LinuxException e) {
              refused.put(one.getKey(), e);
            }
          }
          return refused;
        });
  }

  /** {@return the file of a parameter; a link's name with dots is still one element of the path} */
  private String path(String parameter) {
    int last = parameter.lastIndexOf('/');
    String name = parameter.substring(last + 1);
    if (last < 0
        || !PLACES.contains(parameter.substring(0, last))
        || !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("not a sysctl of a link: '" + parameter + "'");
    }
    return ROOT + "/" + parameter.substring(0, last) + "/" + link + "/" + name;
  }

  /** Returns the link and its namespace, for messages. */
  @Override
  public String toString() {
    return "sysctls of " + link + " in " + namespace;
  }
}
