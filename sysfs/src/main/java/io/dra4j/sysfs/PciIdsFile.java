package io.dra4j.sysfs;

import io.dra4j.spi.Host;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the pci.ids of a host where distributions install it, and keeps its content until the file
 * changes. If a captured host has none, the file of this machine is used: the names are the same on
 * every machine.
 */
final class PciIdsFile {

  private static final List<String> PLACES =
      List.of("usr/share/misc/pci.ids", "usr/share/hwdata/pci.ids");
  private static final int MAX_SIZE = 16 << 20; // ten times what it had in 2026

  private record Version(Path file, FileTime modified, PciIds ids) {}

  private volatile @Nullable Version last;

  /** Returns the names; null if there is no such file. */
  @Nullable PciIds of(Host host) {
    PciIds ids = below(host.root());
    return ids != null || host.isLive() ? ids : below(Path.of("/"));
  }

  private @Nullable PciIds below(Path root) {
    for (String place : PLACES) {
      Path file = root.resolve(place);
      if (!Files.isRegularFile(file)) {
        continue;
      }
      try {
        FileTime modified = Files.getLastModifiedTime(file);
        Version version = last;
        if (version != null && version.file.equals(file) && version.modified.equals(modified)) {
          return version.ids;
        }
        try (InputStream in = Files.newInputStream(file)) {
          PciIds ids = new PciIds(in.readNBytes(MAX_SIZE));
          last = new Version(file, modified, ids);
          return ids;
        }
      } catch (IOException e) {
        // Names serve only people; devices are read without them.
      }
    }
    return null;
  }
}
