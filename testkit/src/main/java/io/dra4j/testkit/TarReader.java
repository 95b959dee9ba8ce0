package io.dra4j.testkit;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/** Reads other projects' archives of {@code /sys}. The only class that needs commons-compress. */
final class TarReader {

  /**
   * The maximum size of the headers of an entry: its name and target, and the other fields of tar.
   */
  private static final int MAX_HEADERS = 1 << 20;

  /** Limits the headers: commons-compress reads complete names of any length. */
  private static final class HeaderLimit extends FilterInputStream {
    private long left = MAX_HEADERS;

    private HeaderLimit(InputStream in) {
      super(in);
    }

    private void allow(long bytes) {
      left = bytes;
    }

    private boolean isExceeded() {
      return left < 0;
    }

    private long counted(long read) throws IOException {
      left -= Math.max(0, read);
      if (isExceeded()) {
        throw new IOException("too long");
      }
      return read;
    }

    @Override
    public int read() throws IOException {
      counted(1);
      return in.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return (int) counted(in.read(bytes, offset, length));
    }

    @Override
    public long skip(long count) throws IOException {
      return counted(in.skip(count));
    }
  }

  private final String source;
  private final HeaderLimit limit;
  private final TarArchiveInputStream tar;
  private long size; // of the contents so far
  private int number; // of the entry, from 1 on

  private TarReader(String source, InputStream in) {
    this.source = source;
    this.limit = new HeaderLimit(in);
    this.tar = new TarArchiveInputStream(limit);
  }

  /** Reads to the end of {@code in}, which is not compressed. */
  static CapturedHost read(String source, InputStream in) throws IOException {
    return new TarReader(source, in).read();
  }

  private CapturedHost read() throws IOException {
    HostEntries entries = new HostEntries();
    try {
      for (TarArchiveEntry next = tar.getNextEntry(); next != null; next = tar.getNextEntry()) {
        number++;
        limit.allow(MAX_HEADERS);
        HostEntry entry = entry(next);
        String path = trimmed(next.getName());
        if (!path.isEmpty()) {
          entries.put(path, entry);
        }
      }
      return new CapturedHost(source, entries.checked());
    } catch (IllegalArgumentException e) {
      throw new CaptureException(source, number, e);
    } catch (IOException e) {
      if (limit.isExceeded()) {
        throw new CaptureException(
            source, number + 1, "names are longer than %d bytes".formatted(MAX_HEADERS));
      }
      throw e;
    }
  }

  private HostEntry entry(TarArchiveEntry next) throws IOException {
    if (next.isDirectory()) {
      return HostEntry.Directory.DIRECTORY;
    } else if (next.isSymbolicLink()) {
      return new HostEntry.Link(next.getLinkName());
    } else if (isRegular(next)) {
      return HostEntry.File.of(content());
    }
    throw new CaptureException(
        source,
        number,
        "neither a file, a directory nor a symbolic link: " + HostEntries.shown(next.getName()));
  }

  private byte[] content() throws IOException {
    limit.allow(RecordReader.MAX_SIZE + MAX_HEADERS);
    byte[] content = tar.readNBytes((int) (RecordReader.MAX_SIZE - size + 1));
    size += content.length;
    if (size > RecordReader.MAX_SIZE) {
      throw new CaptureException(
          source, number, "content is longer than %d bytes".formatted(RecordReader.MAX_SIZE));
    }
    limit.allow(MAX_HEADERS);
    return content;
  }

  /** {@return whether it is a regular file; {@code isFile} also accepts devices, pipes, links} */
  private static boolean isRegular(TarArchiveEntry entry) {
    byte kind = entry.getLinkFlag();
    return kind == TarConstants.LF_NORMAL || kind == TarConstants.LF_OLDNORM;
  }

  /** {@return a path without tar's {@code ./} before it and the slash after a directory} */
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
