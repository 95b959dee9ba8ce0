package io.dra4j.manifest.internal.json;

import com.google.common.collect.Lists;
import io.dra4j.manifest.ManifestLimits;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/**
 * A file that can be opened any number of times, and never returns more than the size limit. Input
 * that is not a regular file, such as a pipe, is read into memory first.
 */
public final class InputFile {

  private static final int BLOCK = 1 << 16;

  private final String name;
  private final long size;
  private final Opener opener;

  @FunctionalInterface
  private interface Opener {
    InputStream open() throws IOException;
  }

  /** Finds the file. */
  @FunctionalInterface
  public interface Finder {
    InputFile find() throws IOException;
  }

  private InputFile(String name, long size, Opener opener) {
    this.name = name;
    this.size = size;
    this.opener = opener;
  }

  public static InputFile of(Path path, ManifestLimits limits) throws IOException {
    if (Files.isDirectory(path)) {
      throw new IOException("is a directory");
    }
    String name = path.toString();
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      try (InputStream in = Files.newInputStream(path)) {
        return of(name, in, limits);
      }
    }
    long size = Files.size(path);
    if (size > limits.maxFileBytes()) {
      throw tooLarge(limits.maxFileBytes());
    }
    // The file may grow after it was measured.
    return new InputFile(
        name, size, () -> new LimitedStream(Files.newInputStream(path), limits.maxFileBytes()));
  }

  public static InputFile of(String name, InputStream in, ManifestLimits limits)
      throws IOException {
    InputStream limited = new LimitedStream(in, limits.maxFileBytes());
    List<byte[]> blocks = new ArrayList<>(); // one array would need the bytes twice
    long size = 0;
    for (byte[] block = limited.readNBytes(BLOCK);
        block.length > 0;
        block = limited.readNBytes(BLOCK)) {
      blocks.add(block);
      size += block.length;
    }
    return new InputFile(name, size, () -> new SequenceInputStream(streams(blocks)));
  }

  private static Enumeration<InputStream> streams(List<byte[]> blocks) {
    return Collections.enumeration(Lists.transform(blocks, ByteArrayInputStream::new));
  }

  /** The number of bytes at the time of opening. */
  public long size() {
    return size;
  }

  public String name() {
    return name;
  }

  public InputStream open() throws IOException {
    return opener.open();
  }

  private static IOException tooLarge(long limit) {
    return new IOException("is larger than the limit of " + limit + " bytes");
  }

  /** A stream that fails if it would return more than its limit. */
  private static final class LimitedStream extends FilterInputStream {

    private final long limit;
    private long count;

    LimitedStream(InputStream in, long limit) {
      super(in);
      this.limit = limit;
    }

    @Override
    public int read() throws IOException {
      int next = super.read();
      count(next < 0 ? 0 : 1);
      return next;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read = super.read(bytes, offset, length);
      count(Math.max(0, read));
      return read;
    }

    @Override
    public long skip(long bytes) throws IOException {
      long skipped = super.skip(bytes);
      count(skipped);
      return skipped;
    }

    @Override
    public boolean markSupported() {
      return false;
    }

    private void count(long read) throws IOException {
      count += read;
      if (count > limit) {
        throw tooLarge(limit);
      }
    }
  }
}
