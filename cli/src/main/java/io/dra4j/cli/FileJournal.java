package io.dra4j.cli;

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
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The steps of a device that was attached by hand, in a file of its own, which a person can read
 * and give to {@code driver detach}. Apart from the journals of {@code ClaimStore}: there is no
 * claim that an entry could belong to, and a store has one process for as long as that runs, while
 * here one command begins and another, perhaps after a restart of the host, ends.
 */
final class FileJournal implements Journal {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;
  private final String namespace;
  private final String id;
  private final List<Step> steps = new ArrayList<>();

  private FileJournal(Path file, String namespace, String id) {
    this.file = file;
    this.namespace = namespace;
    this.id = id;
  }

  static FileJournal begin(Path file, String namespace, NamespaceId id) throws IOException {
    if (Files.exists(file)) {
      throw new IOException(file + " tells of steps that are not undone: detach first");
    }
    return new FileJournal(file, namespace, id.toString());
  }

  static FileJournal read(Path file) throws IOException {
    JsonNode object = JSON.readTree(Files.readString(file));
    if (object.path("version").asInt() != 1) {
      throw new IOException(file + " is no journal of version 1");
    }
    FileJournal journal =
        new FileJournal(file, object.path("namespace").asText(), object.path("id").asText());
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

  /** Whether a namespace is the one that the device went into, whatever its path is by now. */
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

  /** Whole, and on disk with its name, before the one before is gone. */
  private void write(List<Step> all) throws DriverException {
    try {
      if (all.isEmpty()) {
        Files.deleteIfExists(file);
      } else {
        Files.createDirectories(file.toAbsolutePath().getParent());
        ObjectNode object = JSON.createObjectNode().put("version", 1).put("namespace", namespace);
        object.put("id", id);
        ArrayNode array = object.putArray("steps");
        all.forEach(step -> array.addObject().put("name", step.name()).put("undo", step.undo()));
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel channel =
            FileChannel.open(
                fresh,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
          ByteBuffer bytes = ByteBuffer.wrap(object.toString().getBytes(StandardCharsets.UTF_8));
          while (bytes.hasRemaining()) {
            channel.write(bytes);
          }
          channel.force(true);
        }
        Files.move(
            fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel folder =
            FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
          folder.force(true);
        }
      }
    } catch (IOException e) {
      throw DriverException.failed("write " + file + ": " + e.getMessage(), e);
    }
    steps.clear();
    steps.addAll(all);
  }
}
