package io.dra4j.cel.internal.text;

import com.google.common.collect.ImmutableList;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A URL as the package {@code net/url} of Go reads it. Texts are bytes of UTF-8 to it; here they
 * are kept one byte per character until they are handed out.
 */
public final class Url {

  private static final String ALWAYS_PLAIN =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";
  private static final String SUB_DELIMITERS = "!$&'()*+,;=:";
  private static final String HEXADECIMAL = "0123456789ABCDEF";
  private static final int MAX_PARAMETERS = 10_000;

  /** What may stand in which part without being escaped. */
  private enum Part {
    PATH("$&+,/:;=@"),
    HOST(SUB_DELIMITERS + "[]<>\""),
    ZONE(SUB_DELIMITERS + "[]<>\""),
    USER("$&+,;="),
    QUERY(""),
    FRAGMENT("$&+,/:;=?@!()*");

    private final long low; // a bit for each character that is not escaped
    private final long high;

    Part(String plain) {
      this.low = bits(ALWAYS_PLAIN + plain, 0);
      this.high = bits(ALWAYS_PLAIN + plain, Long.SIZE);
    }

    private static long bits(String characters, int from) {
      return characters
          .chars()
          .filter(c -> c >= from && c < from + Long.SIZE)
          .mapToLong(c -> 1L << (c - from))
          .reduce(0, (a, b) -> a | b);
    }

    boolean isEscaped(char c) {
      return c >= 2 * Long.SIZE || ((c < Long.SIZE ? low : high) >>> c & 1) == 0;
    }
  }

  /** A text that is no URL. */
  public static final class SyntaxException extends Exception {

    @Serial private static final long serialVersionUID = 1L;

    SyntaxException(String message) {
      super(message, null, false, false);
    }
  }

  private String scheme = "";
  private String opaque = "";
  private @Nullable String user;
  private String host = "";
  private String path = "";
  private String rawPath = "";
  private String query = "";
  private String fragment = "";
  private String rawFragment = "";
  private boolean forceQuery;
  private boolean omitHost;

  private Url() {}

  /** Reads an absolute URL or an absolute path, which cannot have a fragment. */
  public static Url parseRequestUri(String text) throws SyntaxException {
    return parsed(text, bytes(text), true);
  }

  /** Reads a URL, which may be relative. */
  public static Url parse(String text) throws SyntaxException {
    String bytes = bytes(text);
    int hash = bytes.indexOf('#');
    String before = hash < 0 ? bytes : bytes.substring(0, hash);
    Url url = parsed(text(before), before, false);
    url.rawFragment = hash < 0 ? "" : bytes.substring(hash + 1);
    try {
      url.fragment = unescape(url.rawFragment, Part.FRAGMENT);
    } catch (SyntaxException e) {
      throw unparsed(text, e);
    }
    return url;
  }

  /** Returns the number of bytes, which is also the work of a pass over them. */
  public int length() {
    int authority = scheme.length() + (user == null ? 0 : user.length()) + host.length();
    int rest = opaque.length() + path.length() + rawPath.length() + query.length();
    return authority + rest + fragment.length() + rawFragment.length();
  }

  /** Returns the scheme, for example {@code https}, or an empty text. */
  public String scheme() {
    return scheme;
  }

  /** Returns the host with its port. */
  public String host() {
    return text(host);
  }

  /** Returns the host without port and without brackets. */
  public String hostname() {
    return text(withoutBrackets(host.substring(0, portColon())));
  }

  /** Returns the port, or an empty text. */
  public String port() {
    int colon = portColon();
    return colon == host.length() ? "" : text(host.substring(colon + 1));
  }

  /** Returns the path with what has to be escaped in it. */
  public String escapedPath() {
    return text(escapedPathBytes());
  }

  /** Returns the parameters of the query; broken ones are left out. */
  public Map<String, ImmutableList<String>> query() {
    Map<String, ImmutableList.Builder<String>> values = new LinkedHashMap<>();
    String[] parameters = query.split("&", -1);
    for (String parameter : parameters.length > MAX_PARAMETERS ? new String[0] : parameters) {
      if (parameter.isEmpty() || parameter.indexOf(';') >= 0) {
        continue;
      }
      int equals = parameter.indexOf('=');
      try {
        String key = equals < 0 ? parameter : parameter.substring(0, equals);
        String value = equals < 0 ? "" : parameter.substring(equals + 1);
        key = text(unescape(key, Part.QUERY));
        value = text(unescape(value, Part.QUERY));
        values.computeIfAbsent(key, any -> ImmutableList.builder()).add(value);
      } catch (SyntaxException e) {
        // left out
      }
    }
    Map<String, ImmutableList<String>> result = new LinkedHashMap<>();
    values.forEach((key, list) -> result.put(key, list.build()));
    return result;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    if (!scheme.isEmpty()) {
      text.append(scheme).append(':');
    }
    if (!opaque.isEmpty()) {
      text.append(opaque);
    } else {
      appendAuthorityAndPath(text);
    }
    if (forceQuery || !query.isEmpty()) {
      text.append('?').append(query);
    }
    if (!fragment.isEmpty()) {
      text.append('#')
          .append(
              isEncoded(rawFragment, Part.FRAGMENT)
                  ? rawFragment
                  : escape(fragment, Part.FRAGMENT));
    }
    return text(text.toString());
  }

  private void appendAuthorityAndPath(StringBuilder text) {
    boolean named = !host.isEmpty() || user != null;
    if ((named || (!scheme.isEmpty() && !omitHost)) && (named || !path.isEmpty())) {
      text.append("//");
    }
    if (user != null) {
      text.append(user).append('@');
    }
    text.append(escape(host, Part.HOST));
    String escaped = escapedPathBytes();
    if (!escaped.isEmpty() && escaped.charAt(0) != '/' && !host.isEmpty()) {
      text.append('/');
    }
    text.append(escaped);
  }

  private static Url parsed(String text, String bytes, boolean request) throws SyntaxException {
    try {
      return read(bytes, request);
    } catch (SyntaxException e) {
      throw unparsed(text, e);
    }
  }

  private static SyntaxException unparsed(String text, SyntaxException cause) {
    return new SyntaxException("parse " + GoText.quote(text) + ": " + cause.getMessage());
  }

  private static Url read(String bytes, boolean request) throws SyntaxException {
    for (int i = 0; i < bytes.length(); i++) {
      if (bytes.charAt(i) < ' ' || bytes.charAt(i) == 0x7f) {
        throw new SyntaxException("net/url: invalid control character in URL");
      }
    }
    if (bytes.isEmpty() && request) {
      throw new SyntaxException("empty url");
    }
    Url url = new Url();
    if (bytes.equals("*")) {
      url.path = "*";
      return url;
    }
    String rest = url.readScheme(bytes);
    int question = rest.indexOf('?');
    if (question >= 0) {
      url.query = rest.substring(question + 1);
      url.forceQuery = url.query.isEmpty();
      rest = rest.substring(0, question);
    }
    url.readHierarchy(rest, request);
    return url;
  }

  private String readScheme(String bytes) throws SyntaxException {
    for (int i = 0; i < bytes.length(); i++) {
      char c = bytes.charAt(i);
      if (c == ':') {
        if (i == 0) {
          throw new SyntaxException("missing protocol scheme");
        }
        scheme = bytes.substring(0, i).toLowerCase(Locale.ROOT);
        return bytes.substring(i + 1);
      }
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      boolean other = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
      if (!letter && (!other || i == 0)) {
        break;
      }
    }
    return bytes;
  }

  private void readHierarchy(String bytes, boolean request) throws SyntaxException {
    String rest = bytes;
    if (!rest.startsWith("/")) {
      if (!scheme.isEmpty()) {
        opaque = rest;
        return;
      } else if (request) {
        throw new SyntaxException("invalid URI for request");
      }
      int slash = rest.indexOf('/');
      if ((slash < 0 ? rest : rest.substring(0, slash)).indexOf(':') >= 0) {
        throw new SyntaxException("first path segment in URL cannot contain colon");
      }
    }
    boolean authority = !scheme.isEmpty() || (!request && !rest.startsWith("///"));
    if (authority && rest.startsWith("//")) {
      int slash = rest.indexOf('/', 2);
      readAuthority(slash < 0 ? rest.substring(2) : rest.substring(2, slash));
      rest = slash < 0 ? "" : rest.substring(slash);
    } else if (!scheme.isEmpty() && rest.startsWith("/")) {
      omitHost = true;
    }
    path = unescape(rest, Part.PATH);
    rawPath = rest;
  }

  private void readAuthority(String authority) throws SyntaxException {
    int at = authority.lastIndexOf('@');
    host = readHost(authority.substring(at + 1));
    if (at < 0) {
      return;
    }
    String info = authority.substring(0, at);
    for (int i = 0; i < info.length(); i++) {
      if ((ALWAYS_PLAIN + "!$&'()*+,;=:%@").indexOf(info.charAt(i)) < 0) {
        throw new SyntaxException("net/url: invalid userinfo");
      }
    }
    int colon = info.indexOf(':');
    user =
        colon < 0
            ? escape(unescape(info, Part.USER), Part.USER)
            : escape(unescape(info.substring(0, colon), Part.USER), Part.USER)
                + ":"
                + escape(unescape(info.substring(colon + 1), Part.USER), Part.USER);
  }

  private String readHost(String text) throws SyntaxException {
    int bracket = text.lastIndexOf('[');
    if (bracket > 0) {
      throw new SyntaxException("invalid IP-literal");
    } else if (bracket == 0) {
      return readAddress(text);
    }
    int colon = text.indexOf(':');
    if (colon >= 0) {
      boolean strict = scheme.equals("http") || scheme.equals("https");
      checkPort(text.substring(strict ? colon : text.lastIndexOf(':')));
    }
    return unescape(text, Part.HOST);
  }

  private static String readAddress(String text) throws SyntaxException {
    int end = text.lastIndexOf(']');
    if (end < 0) {
      throw new SyntaxException("missing ']' in host");
    }
    String port = text.substring(end + 1);
    checkPort(port);
    String name = text.substring(1, end);
    int zone = name.indexOf("%25");
    String address =
        zone < 0
            ? unescape(name, Part.HOST)
            : unescape(name.substring(0, zone), Part.HOST)
                + unescape(name.substring(zone), Part.ZONE);
    String problem = problem(address);
    if (!problem.isEmpty()) {
      throw new SyntaxException(problem);
    }
    return "[" + address + "]" + port;
  }

  /** Why bytes are no IPv6 address, or an empty text. */
  private static String problem(String bytes) {
    try {
      return IpText.address(text(bytes)).bytes().length == 4 ? "invalid IP-literal" : "";
    } catch (IllegalArgumentException e) {
      return "invalid host: " + e.getMessage();
    }
  }

  private static void checkPort(String port) throws SyntaxException {
    if (!isPort(port)) {
      throw new SyntaxException("invalid port " + GoText.quote(text(port)) + " after host");
    }
  }

  private static boolean isPort(String port) {
    if (port.isEmpty()) {
      return true;
    }
    for (int i = 1; i < port.length(); i++) {
      if (port.charAt(i) < '0' || port.charAt(i) > '9') {
        return false;
      }
    }
    return port.charAt(0) == ':';
  }

  /** The colon before the port, or the end of the host. */
  private int portColon() {
    int colon = host.lastIndexOf(':');
    return colon >= 0 && isPort(host.substring(colon)) ? colon : host.length();
  }

  private static String withoutBrackets(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  private String escapedPathBytes() {
    String escaped = escape(path, Part.PATH);
    if (path.equals("*") || (!rawPath.equals(escaped) && isEncoded(rawPath, Part.PATH))) {
      return path.equals("*") ? "*" : rawPath;
    }
    return escaped;
  }

  private static boolean isEncoded(String text, Part part) {
    for (int i = 0; i < text.length(); i++) {
      if ("!$&'()*+,;=:@[]%".indexOf(text.charAt(i)) < 0 && part.isEscaped(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static String escape(String bytes, Part part) {
    StringBuilder result = new StringBuilder();
    for (int i = 0; i < bytes.length(); i++) {
      char c = bytes.charAt(i);
      if (part.isEscaped(c)) {
        result.append('%').append(HEXADECIMAL.charAt(c >> 4)).append(HEXADECIMAL.charAt(c & 0xf));
      } else {
        result.append(c);
      }
    }
    return result.toString();
  }

  private static String unescape(String bytes, Part part) throws SyntaxException {
    StringBuilder result = new StringBuilder();
    for (int i = 0; i < bytes.length(); i++) {
      char c = bytes.charAt(i);
      if (c == '%') {
        result.append(escaped(bytes, i, part));
        i += 2;
      } else if (c == '+' && part == Part.QUERY) {
        result.append(' ');
      } else if ((part == Part.HOST || part == Part.ZONE) && c < 0x80 && part.isEscaped(c)) {
        throw new SyntaxException(
            "invalid character " + GoText.quote(String.valueOf(c)) + " in host name");
      } else {
        result.append(c);
      }
    }
    return result.toString();
  }

  private static char escaped(String bytes, int start, Part part) throws SyntaxException {
    String code = bytes.substring(start, Math.min(start + 3, bytes.length()));
    int high = code.length() < 3 ? -1 : Character.digit(code.charAt(1), 16);
    int low = code.length() < 3 ? -1 : Character.digit(code.charAt(2), 16);
    char c = (char) (16 * high + low);
    boolean allowed =
        high >= 0
            && low >= 0
            && (part != Part.HOST || high >= 8 || code.equals("%25"))
            && (part != Part.ZONE || code.equals("%25") || c == ' ' || !Part.HOST.isEscaped(c));
    if (!allowed) {
      throw new SyntaxException(
          "invalid URL escape " + GoText.quote(code.getBytes(StandardCharsets.ISO_8859_1)));
    }
    return c;
  }

  private static String bytes(String text) {
    return new String(GoText.bytes(text), StandardCharsets.ISO_8859_1);
  }

  private static String text(String bytes) {
    return GoText.decode(bytes.getBytes(StandardCharsets.ISO_8859_1));
  }
}
