package io.dra4j.cli.device;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.linux.NamespaceId;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Step;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a device that was attached by hand, in a separate, readable file for {@code driver
 * detach}. {@code ClaimStore} cannot store them: its entries belong to claims, and one process
 * holds it for its whole run. Here one command attaches, and another detaches, perhaps after a
 * restart of the host.
 */
final class FileJournal implements Journal, AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Path file;
  private final String namespace;
  private final String id;
  private final List<Step> steps = new ArrayList<>();
  private final @Nullable FileChannel lock;

  private FileJournal(Path file, String namespace, String id, @Nullable FileChannel lock) {
    this.file = file;
    this.namespace = namespace;
    this.id = id;
    this.lock = lock;
  }

  /**
   * Opens the journal of a device that is about to be attached. Other commands cannot open it until
   * it is closed.
   */
  static FileJournal begin(Path file, String namespace, NamespaceId id) throws IOException {
    FileChannel lock = lock(file);
    if (Files.exists(file)) {
      lock.close();
      throw new IOException(file + " has steps that are not undone: run 'driver detach' first");
    }
    return new FileJournal(file, namespace, id.toString(), lock);
  }

  /** Opens the journal of a device to return. Other commands cannot open it until it is closed. */
  static FileJournal resume(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    FileChannel lock = lock(file);
    try {
      return read(file, lock);
    } catch (IOException e) {
      lock.close();
      throw e;
    }
  }

  /** Reads the current state of a journal, without a lock. */
  static FileJournal read(Path file) throws IOException {
    return read(file, null);
  }

  /** Locks the journal; waits for the steps of another attach or detach by hand. */
  private static FileChannel lock(Path file) throws IOException {
    Path directory = DriverOptions.makeDirectoryOf(file);
    FileChannel channel =
        FileChannel.open(
            directory.resolve("lock"),
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
            OWNER_ONLY);
    try {
      channel.lock(); // until the channel is closed
      return channel;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static FileJournal read(Path file, @Nullable FileChannel lock) throws IOException {
    JsonNode object;
    try {
      object = JSON.readTree(Files.readString(file));
    } catch (JsonProcessingException e) {
      throw new IOException(file + " is not valid JSON: " + e.getOriginalMessage(), e);
    }
    if (object.path("version").asInt() != 1) {
      throw new IOException(file + " is not a journal of version 1");
    }
    FileJournal journal =
        new FileJournal(file, object.path("namespace").asText(), object.path("id").asText(), lock);
    object
        .path("steps")
        .forEach(
            step ->
                journal.steps.add(
                    new Step(step.path("name").asText(), step.path("undo").asText())));
    return journal;
  }

  String namespace() {
    return namespace;
  }

  /** Returns whether the device was moved into this namespace, regardless of its current path. */
  boolean isOf(NamespaceId other) {
    return id.equals(other.toString());
  }

  @Override
  public void record(List<Step> more) throws DriverException {
    List<Step> all = new ArrayList<>(steps);
    all.addAll(more);
    write(all);
  }

  @Override
  public List<Step> steps() {
    return List.copyOf(steps);
  }

  @Override
  public void keep(int count) throws DriverException {
    write(List.copyOf(steps.subList(0, count)));
  }

  @Override
  public void close() throws IOException {
    if (lock != null) {
      lock.close();
    }
  }

  /**
   * Writes the steps to a new file, syncs it and its name to disk, and then replaces the old file.
   */
  private void write(List<Step> all) throws DriverException {
    try {
      if (all.isEmpty()) {
        Files.deleteIfExists(file);
      } else {
        DriverOptions.makeDirectoryOf(file);
        ObjectNode object = JSON.createObjectNode().put("version", 1).put("namespace", namespace);
        object.put("id", id);
        ArrayNode array = object.putArray("steps");
        all.forEach(step -> array.addObject().put("name", step.name()).put("undo", step.undo()));
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(fresh); // left by a killed command, or a planted link
        try (FileChannel channel =
            FileChannel.open(
                fresh,
                Set.of(
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS),
                OWNER_ONLY)) {
          ByteBuffer bytes = ByteBuffer.wrap(object.toString().getBytes(StandardCharsets.UTF_8));
          while (bytes.hasRemaining()) {
            channel.write(bytes);
          }
          channel.force(true);
        }
        Files.move(
            fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel directory =
            FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
          directory.force(true);
        }
      }
    } catch (IOException e) {
      throw DriverException.failed("write " + file + ": " + e.getMessage(), e);
    }
    steps.clear();
    steps.addAll(all);
  }
}
