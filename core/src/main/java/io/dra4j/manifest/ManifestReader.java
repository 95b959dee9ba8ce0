package io.dra4j.manifest;

import io.dra4j.manifest.ManifestException.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads manifests: YAML with one or more documents, or a stream of JSON values; single objects and
 * lists. Immutable and thread-safe.
 *
 * <p>Read are {@code resource.k8s.io} {@code v1}, {@code v1beta2} and {@code v1beta1} (taint rules
 * also {@code v1alpha3}), {@code v1} nodes and pods, and {@code apps/v1} stateful sets; objects of
 * other kinds are skipped. YAML means what it means to Kubernetes (YAML 1.1: a bare {@code yes} is
 * a truth value). What the API server would fill in is filled in; what it would refuse for its
 * meaning is read nevertheless.
 */
public final class ManifestReader {

  private final ManifestLimits limits;
  private final boolean keepSources;

  private ManifestReader(ManifestLimits limits, boolean keepSources) {
    this.limits = limits;
    this.keepSources = keepSources;
  }

  /**
   * A reader with the default limits that keeps source documents.
   *
   * @return the reader
   */
  public static ManifestReader create() {
    return new ManifestReader(ManifestLimits.DEFAULT, true);
  }

  /**
   * The same reader with other limits.
   *
   * @param other the limits
   * @return the reader
   */
  public ManifestReader withLimits(ManifestLimits other) {
    return new ManifestReader(other, keepSources);
  }

  /**
   * The same reader, but it forgets the source documents, for those who will not write the objects
   * back. Saves most of the memory.
   *
   * @return the reader
   */
  public ManifestReader withoutSources() {
    return new ManifestReader(limits, false);
  }

  /**
   * Reads the objects of a file.
   *
   * @param file YAML or JSON
   * @return the objects of known kinds, in order
   * @throws ManifestException if it cannot be read, is too large, or is not what it should be
   */
  public List<Manifest> read(Path file) throws ManifestException {
    return readFile(file).manifests();
  }

  /**
   * Reads the objects of a stream, to its end.
   *
   * @param name how messages call it
   * @param in YAML or JSON
   * @return the objects of known kinds, in order
   * @throws ManifestException if it cannot be read, is too large, or is not what it should be
   */
  public List<Manifest> read(String name, InputStream in) throws ManifestException {
    return readFile(name, in).manifests();
  }

  /**
   * Reads a file.
   *
   * @param file YAML or JSON
   * @return the objects of known kinds, and what was skipped
   * @throws ManifestException if it cannot be read, is too large, or is not what it should be
   */
  public ManifestFile readFile(Path file) throws ManifestException {
    return read(file.toString(), () -> InputFile.of(file, limits), new SharedValues());
  }

  /**
   * Reads a stream to its end.
   *
   * @param name how messages call it
   * @param in YAML or JSON
   * @return the objects of known kinds, and what was skipped
   * @throws ManifestException if it cannot be read, is too large, or is not what it should be
   */
  public ManifestFile readFile(String name, InputStream in) throws ManifestException {
    return read(name, () -> InputFile.of(name, in, limits), new SharedValues());
  }

  ManifestFile readFile(Path file, SharedValues shared) throws ManifestException {
    return read(file.toString(), () -> InputFile.of(file, limits), shared);
  }

  private ManifestFile read(String name, InputFile.Finder file, SharedValues shared)
      throws ManifestException {
    try {
      return new FileParsing(file.find(), limits, keepSources, shared).read();
    } catch (IOException e) {
      throw new ManifestException(List.of(Problem.ofFile(name, InputFile.describe(e))));
    }
  }
}
