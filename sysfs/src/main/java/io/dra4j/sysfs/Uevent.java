package io.dra4j.sysfs;

import io.dra4j.sysfs.text.KernelText;
import io.dra4j.topology.PciIdentity;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The {@code uevent} file of a PCI function ({@code pci_uevent} in {@code
 * drivers/pci/pci-driver.c}): its numbers and its driver in one read.
 *
 * @param identity null if a number is missing or broken
 * @param driver null if there is none
 */
record Uevent(@Nullable PciIdentity identity, @Nullable String driver) {

  static Uevent parse(String text) {
    String driver = null;
    OptionalInt classCode = OptionalInt.empty();
    OptionalInt[] id = {OptionalInt.empty(), OptionalInt.empty()};
    OptionalInt[] subsystem = {OptionalInt.empty(), OptionalInt.empty()};
    int from = 0;
    while (from < text.length()) {
      int end = text.indexOf('\n', from);
      end = end < 0 ? text.length() : end;
      int equals = text.indexOf('=', from);
      if (equals > from && equals < end) {
        String value = text.substring(equals + 1, end).trim();
        switch (text.substring(from, equals)) {
          case "DRIVER" -> driver = value;
          case "PCI_CLASS" -> classCode = KernelText.hexadecimal(value, 0xff_ffff);
          case "PCI_ID" -> id = pair(value);
          case "PCI_SUBSYS_ID" -> subsystem = pair(value);
          default -> {}
        }
      }
      from = end + 1;
    }
    if (classCode.isEmpty() || id[0].isEmpty() || id[1].isEmpty()) {
      return new Uevent(null, driver);
    }
    return new Uevent(
        new PciIdentity(
            classCode.getAsInt(),
            id[0].getAsInt(),
            id[1].getAsInt(),
            subsystem[0].orElse(0),
            subsystem[1].orElse(0)),
        driver);
  }

  private static OptionalInt[] pair(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      return new OptionalInt[] {OptionalInt.empty(), OptionalInt.empty()};
    }
    return new OptionalInt[] {
      KernelText.hexadecimal(text.substring(0, colon), 0xffff),
      KernelText.hexadecimal(text.substring(colon + 1), 0xffff)
    };
  }
}
