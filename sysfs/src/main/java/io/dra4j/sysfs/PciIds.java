package io.dra4j.sysfs;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The names of vendors and devices in a pci.ids file (the PCI ID Repository's format: a vendor's
 * line begins with four hexadecimal digits, the lines of its devices follow and begin with a tab).
 * Only the positions of the vendors are computed beforehand.
 */
final class PciIds {

  private final byte[] text;
  private final int[] vendors; // by vendor: the position of its line; -1 for none
  private final Map<Integer, String> known = new ConcurrentHashMap<>();

  PciIds(byte[] text) {
    this.text = text;
    this.vendors = new int[0x1_0000];
    Arrays.fill(vendors, -1);
    for (int line = 0; line < text.length; line = next(line)) {
      int vendor = hexadecimal(line);
      if (vendor >= 0) {
        vendors[vendor] = line;
      } else if (text[line] == 'C' && line + 1 < text.length && text[line + 1] == ' ') {
        break; // the classes, at the end
      }
    }
  }

  /** Returns the name of a vendor; null if the file does not have it. */
  @Nullable String vendor(int vendor) {
    int line = vendors[vendor];
    return line < 0 ? null : known.computeIfAbsent(vendor, any -> name(line + 4));
  }

  /** Returns the name of a device; null if the file does not have it. */
  @Nullable String device(int vendor, int device) {
    int line = vendors[vendor];
    if (line < 0) {
      return null;
    }
    int key = ~(vendor << 16 | device);
    String name = known.computeIfAbsent(key, any -> find(line, device));
    return name.isEmpty() ? null : name;
  }

  private String find(int vendorLine, int device) {
    for (int line = next(vendorLine); line < text.length; line = next(line)) {
      if (text[line] == '\t') {
        if (hexadecimal(line + 1) == device) {
          return name(line + 5);
        }
      } else if (text[line] != '#' && text[line] != '\n') {
        break;
      }
    }
    return "";
  }

  private String name(int from) {
    int end = from;
    while (end < text.length && text[end] != '\n') {
      end++;
    }
    return new String(text, from, end - from, StandardCharsets.UTF_8).trim();
  }

  private int next(int line) {
    int end = line;
    while (end < text.length && text[end] != '\n') {
      end++;
    }
    return end + 1;
  }

  /** Returns the number of four hexadecimal digits and white space; -1 for other text. */
  private int hexadecimal(int from) {
    if (from + 4 >= text.length || text[from + 4] != ' ') {
      return -1;
    }
    int value = 0;
    for (int i = from; i < from + 4; i++) {
      int digit = Character.digit(text[i], 16);
      if (digit < 0) {
        return -1;
      }
      value = value << 4 | digit;
    }
    return value;
  }
}
