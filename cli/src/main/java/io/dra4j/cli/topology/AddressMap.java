package io.dra4j.cli.topology;

import io.dra4j.sysfs.overlay.OverlayException;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.TopologyDevice;
import io.dra4j.topology.TreeOverlay;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The addresses that a virtual machine gives the devices of its host: a line for each device, with
 * the address on the host, blanks and the address in the machine. {@code #} begins a comment.
 */
record AddressMap(String origin, Map<PciAddress, PciAddress> guestAddresses) {

  private static final int MAX_BYTES = 1 << 20;

  static AddressMap read(Path file) throws OverlayException, IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new OverlayException(file.toString(), 0, "is longer than " + MAX_BYTES + " bytes");
      }
      return parse(new String(bytes, StandardCharsets.UTF_8), file.toString());
    }
  }

  static AddressMap parse(String text, String origin) throws OverlayException {
    Map<PciAddress, PciAddress> addresses = new LinkedHashMap<>();
    Set<PciAddress> guests = new HashSet<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      String pair = line.replaceFirst("#.*", "").trim();
      if (pair.isEmpty()) {
        continue;
      }
      String[] words = pair.split("[\\s,=]+", -1);
      Optional<PciAddress> host = PciAddress.tryParse(words[0]);
      Optional<PciAddress> guest =
          words.length == 2 ? PciAddress.tryParse(words[1]) : Optional.empty();
      if (host.isEmpty() || guest.isEmpty()) {
        throw new OverlayException(
            origin,
            number,
            "expected two addresses, of the host and of the virtual machine, such as"
                + " 0000:8f:00.0 0000:01:00.0");
      }
      if (addresses.putIfAbsent(host.get(), guest.get()) != null || !guests.add(guest.get())) {
        throw new OverlayException(origin, number, "an address is there twice");
      }
    }
    if (addresses.isEmpty()) {
      throw new OverlayException(origin, 0, "has no addresses");
    }
    return new AddressMap(origin, addresses);
  }

  /** The record as the virtual machine sees it; a warning counts the devices that it lacks. */
  TreeOverlay applyTo(TreeOverlay tree, Consumer<String> warnings) {
    Map<PciAddress, PciAddress> unused = new HashMap<>(guestAddresses);
    int missing = 0;
    for (TopologyDevice device : tree.devices()) {
      boolean isMapped = device.address() != null && unused.remove(device.address()) != null;
      missing += !isMapped && device.address() != null && device.kind().isEndpoint() ? 1 : 0;
    }
    if (missing > 0) {
      warnings.accept(
          "%s: devices of %s without an address in the virtual machine: %d; left out"
              .formatted(origin, tree.origin(), missing));
    }
    if (!unused.isEmpty()) {
      List<String> addresses = unused.keySet().stream().map(PciAddress::toString).sorted().toList();
      warnings.accept(
          "%s: not in %s: %s".formatted(origin, tree.origin(), String.join(", ", addresses)));
    }
    return tree.withAddresses(guestAddresses);
  }
}
