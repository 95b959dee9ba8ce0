package io.dra4j.testkit;

import java.io.IOException;
import java.io.InputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/**
 * Reads an archive of a {@code /sys}, as other projects publish them. The only class that needs
 * commons-compress.
 */
final class TarReader {

  private TarReader() {}

  /** Reads to the end of {@code in}, which is not compressed. */
  static CapturedHost read(String source, InputStream in) throws IOException {
    HostEntries entries = new HostEntries();
    TarArchiveInputStream tar = new TarArchiveInputStream(in);
    long size = 0;
    int number = 0;
    try {
      for (TarArchiveEntry next = tar.getNextEntry(); next != null; next = tar.getNextEntry()) {
        number++;
        HostEntry entry;
        if (next.isDirectory()) {
          entry = HostEntry.Folder.FOLDER;
        } else if (next.isSymbolicLink()) {
          entry = new HostEntry.Link(next.getLinkName());
        } else if (isRegular(next)) {
          byte[] content = tar.readNBytes((int) (RecordReader.MAX_SIZE - size + 1));
          size += content.length;
          if (size > RecordReader.MAX_SIZE) {
            throw new CaptureException(
                source, number, "content is longer than %d bytes".formatted(RecordReader.MAX_SIZE));
          }
          entry = HostEntry.File.of(content);
        } else {
          throw new CaptureException(
              source,
              number,
              "neither file, folder nor symbolic link: " + HostEntries.shown(next.getName()));
        }
        String path = trimmed(next.getName());
        if (!path.isEmpty()) {
          entries.put(path, entry);
        }
      }
      return new CapturedHost(source, entries.checked());
    } catch (IllegalArgumentException e) {
      throw new CaptureException(source, number, e);
    }
  }

  /**
   * Also tells apart what {@link TarArchiveEntry#isFile} does not: devices, pipes and hard links.
   */
  private static boolean isRegular(TarArchiveEntry entry) {
    byte kind = entry.getLinkFlag();
    return kind == TarConstants.LF_NORMAL || kind == TarConstants.LF_OLDNORM;
  }

  /** Without the {@code ./} that tar may put in front and the slash behind a folder. */
  private static String trimmed(String name) {
    String path = name;
    while (path.startsWith("./")) {
      path = path.substring(2);
    }
    while (path.endsWith("/")) {
      path = path.substring(0, path.length() - 1);
    }
    return path.equals(".") ? "" : path;
  }
}
