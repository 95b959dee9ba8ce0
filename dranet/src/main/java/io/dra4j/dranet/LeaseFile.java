package io.dra4j.dranet;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.netlink.route.IpPrefix;
import io.dra4j.spi.DriverException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The file of the addresses in use and their holders. Several processes may change it. A reader
 * always sees one complete version, even if a writer is killed.
 */
final class LeaseFile {

  /**
   * The addresses that a device of a claim has from a profile.
   *
   * @param profile the name of the profile
   * @param claimUid the unique id of the claim
   * @param device the name of the device
   * @param addresses the addresses
   */
  record Lease(String profile, String claimUid, String device, List<IpPrefix> addresses) {

    Lease {
      addresses = List.copyOf(addresses);
    }

    boolean isOf(ProfileRequest request) {
      return profile.equals(request.profile())
          && claimUid.equals(request.claimUid())
          && device.equals(request.device());
    }
  }

  /**
   * A change.
   *
   * @param <T> the type of its result
   */
  @FunctionalInterface
  interface Change<T> {

    /** Changes the list. If it throws an exception, the file stays as it is. */
    T apply(List<Lease> leases) throws DriverException;
  }

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int VERSION = 1;
  private static final int MAX_BYTES = 16 * 1024 * 1024; // about 100,000 leases

  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /** A file by the file key of its directory, the same for all links and mounts that lead to it. */
  private record Place(Object directory, String name) {}

  /**
   * File locks of the kernel belong to a process, so threads of this process wait for these locks.
   */
  private static final Map<Place, ReentrantLock> LOCKS = new ConcurrentHashMap<>();

  private final Path file;

  LeaseFile(Path file) {
    this.file = file.toAbsolutePath(); // not normalized: the kernel resolves .. behind links
  }

  /** Returns the leases; none if there is no file. */
  List<Lease> read() throws IOException {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    String text;
    try (FileChannel channel = open(file, Set.of(StandardOpenOption.READ))) {
      byte[] bytes = Channels.newInputStream(channel).readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new IOException(
            "%s has more than %d bytes, which is too large for a file of leases; move it away"
                .formatted(file, MAX_BYTES));
      }
      text = new String(bytes, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      return List.of();
    }
    return parse(text);
  }

  private List<Lease> parse(String text) throws IOException {
    List<Lease> leases = new ArrayList<>();
    try {
      JsonNode object = JSON.readTree(text);
      if (object.path("version").asInt() != VERSION) {
        throw new IOException(file + ": expected a file of leases of version " + VERSION);
      }
      JsonNode list = array(object, "leases", "");
      for (int i = 0; i < list.size(); i++) {
        String place = "/leases/" + i;
        JsonNode one = list.get(i);
        List<IpPrefix> addresses = new ArrayList<>();
        for (JsonNode address : array(one, "addresses", place)) {
          addresses.add(IpPrefix.parse(address.asText()));
        }
        leases.add(
            new Lease(
                text(one, "profile", place),
                text(one, "claimUid", place),
                text(one, "device", place),
                addresses));
      }
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
    return leases;
  }

  /** Returns a required list. Without it an address could be assigned twice. */
  private static JsonNode array(JsonNode object, String name, String place) throws IOException {
    JsonNode list = object.path(name);
    if (!list.isArray()) {
      throw new IOException("%s/%s: expected a list".formatted(place, name));
    }
    return list;
  }

  private static String text(JsonNode object, String name, String place) throws IOException {
    JsonNode text = object.path(name);
    if (!text.isTextual()) {
      throw new IOException("%s/%s: expected a string".formatted(place, name));
    }
    return text.textValue();
  }

  /**
   * Changes the leases, and returns when the change is on disk. No other process can change them
   * during the call.
   */
  <T> T change(Change<T> change) throws IOException, DriverException {
    ReentrantLock inProcess = LOCKS.computeIfAbsent(place(), none -> new ReentrantLock());
    inProcess.lock();
    try (FileChannel channel =
            open(
                file.resolveSibling(file.getFileName() + ".lock"),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE));
        FileLock ofKernel = channel.lock()) {
      List<Lease> before = read();
      List<Lease> leases = new ArrayList<>(before);
      T answer = change.apply(leases);
      if (ofKernel.isValid() && !leases.equals(before)) {
        write(leases);
      }
      return answer;
    } finally {
      inProcess.unlock();
    }
  }

  private Place place() throws IOException {
    Path directory = file.resolveSibling("");
    Object key = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
    return new Place(
        key == null ? directory.toRealPath() : key, String.valueOf(file.getFileName()));
  }

  /** Writes the leases to a new file, syncs it to disk, and then replaces the old file. */
  private void write(List<Lease> leases) throws IOException {
    ObjectNode object = JSON.createObjectNode().put("version", VERSION);
    ArrayNode array = object.putArray("leases");
    for (Lease one : leases) {
      ObjectNode lease = array.addObject().put("profile", one.profile);
      lease.put("claimUid", one.claimUid).put("device", one.device);
      ArrayNode addresses = lease.putArray("addresses");
      one.addresses.forEach(address -> addresses.add(address.toString()));
    }
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(fresh); // left by a killed process, or a planted link
    try (FileChannel channel =
        open(fresh, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
      ByteBuffer bytes = ByteBuffer.wrap(object.toString().getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel directory = // syncs the new name to disk
        FileChannel.open(file.getParent(), StandardOpenOption.READ)) {
      directory.force(true);
    }
  }

  private static FileChannel open(Path path, Set<StandardOpenOption> how) throws IOException {
    Set<OpenOption> options = new HashSet<>(how);
    options.add(LinkOption.NOFOLLOW_LINKS);
    if (Files.isSymbolicLink(path)) {
      throw new IOException(path + " is a symbolic link, expected a regular file: remove the link");
    }
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) { // opening a pipe would block
      throw new IOException(path + " is not a regular file: remove it");
    }
    return FileChannel.open(path, options, OWNER_ONLY);
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
