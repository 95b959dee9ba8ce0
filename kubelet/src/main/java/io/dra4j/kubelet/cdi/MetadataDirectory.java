package io.dra4j.kubelet.cdi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The metadata files of one driver, which programs in containers read (KEP-5304), one for each
 * request of a claim. A file is written atomically. {@link #write} returns the mount by which a
 * container gets the file, as an edit of a {@link CdiSpec}. Thread-safe.
 */
public final class MetadataDirectory {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]*");
  private static final String FILE = "metadata.json";

  private final Path directory;
  private final String driver;

  private MetadataDirectory(Path directory, String driver) {
    this.directory = directory;
    this.driver = driver;
  }

  /**
   * {@return the directory for this driver, created with its first file; only its owner has access}
   *
   * @param directory the directory, whose path must be the same on the host
   * @param driver the name of the driver
   */
  public static MetadataDirectory open(Path directory, String driver) {
    return new MetadataDirectory(directory, driver);
  }

  /**
   * Writes the file of a request, or replaces it with the next generation if the content has
   * changed. The name of the claim in its pod stays if the new content has none.
   *
   * @param metadata the content
   * @return the mount that brings the file into a container
   * @throws IOException if it cannot be written; an older file is then unchanged
   */
  public synchronized CdiEdits.Mount write(DeviceMetadata metadata) throws IOException {
    Path place = directoryOf(metadata.uid()).resolve(DeviceMetadata.baseOf(metadata.request()));
    Path file = place.resolve(FILE);
    JsonNode before = read(file);
    DeviceMetadata content = metadata;
    if (metadata.podClaimName() == null && before.path("podClaimName").isTextual()) {
      content = metadata.withPodClaimName(before.path("podClaimName").textValue());
    }
    long generation = before.path("metadata").path("generation").asLong();
    CdiEdits.Mount mount =
        new CdiEdits.Mount(file.toString(), content.containerPath(driver), List.of("ro", "bind"));
    if (before.equals(JSON.readTree(content.toJson(driver, generation).toString()))) {
      return mount;
    }
    Files.createDirectories(
        place, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    AtomicFile.write(place, FILE, ".", content.toJson(driver, generation + 1) + "\n", "rw-r--r--");
    return mount;
  }

  /** The previous content; an object without fields if the file is missing or damaged. */
  private static JsonNode read(Path file) throws IOException {
    try {
      return JSON.readTree(Files.readAllBytes(file));
    } catch (NoSuchFileException | JsonProcessingException e) {
      return JSON.createObjectNode();
    }
  }

  private Path directoryOf(String uid) {
    if (!ID.matcher(uid).matches()) {
      throw new IllegalArgumentException(
          "device metadata: uid \"%s\" is not a valid file name".formatted(uid));
    }
    return directory.resolve(uid);
  }

  /**
   * Removes the files of a claim.
   *
   * @param uid the UID of the claim; nothing happens if it has no files
   * @throws IOException if a file cannot be removed
   */
  public synchronized void remove(String uid) throws IOException {
    Path claim = directoryOf(uid);
    for (Path request : entries(claim)) {
      for (Path file : entries(request)) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(request);
    }
    Files.deleteIfExists(claim);
  }

  /**
   * Removes the files of all other claims.
   *
   * @param uids the UIDs of the claims whose files stay
   * @throws IOException if a file cannot be removed
   */
  public synchronized void retain(Set<String> uids) throws IOException {
    for (Path claim : entries(directory)) {
      String uid = claim.getFileName().toString();
      if (ID.matcher(uid).matches() && !uids.contains(uid)) {
        remove(uid);
      }
    }
  }

  private static List<Path> entries(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
      all.forEach(entries::add);
    }
    return entries;
  }
}
