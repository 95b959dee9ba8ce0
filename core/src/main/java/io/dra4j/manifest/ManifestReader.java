package io.dra4j.manifest;

import io.dra4j.common.IoMessages;
import io.dra4j.manifest.Manifest.Origin;
import io.dra4j.manifest.ManifestException.Problem;
import io.dra4j.manifest.internal.codec.SharedValues;
import io.dra4j.manifest.internal.json.InputFile;
import io.dra4j.manifest.internal.read.FileParsing;
import io.dra4j.manifest.internal.read.ObjectType;
import io.dra4j.manifest.internal.read.Problems;
import io.dra4j.manifest.internal.read.Reading;
import io.dra4j.manifest.internal.read.Reading.Inspection;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads manifests: YAML with one or more documents, or a stream of JSON values; single objects and
 * lists. Immutable and thread-safe.
 *
 * <p>Reads {@code resource.k8s.io} {@code v1}, {@code v1beta2} and {@code v1beta1} (taint rules
 * also {@code v1alpha3}), {@code v1} nodes and pods, {@code apps/v1} stateful sets, {@code
 * batch/v1} jobs, and {@code scheduling.k8s.io} PodGroups and Workloads ({@code v1beta1}, {@code
 * v1alpha3}, {@code v1alpha2}) and CompositePodGroups ({@code v1beta1}, {@code v1alpha3}). Objects
 * of other kinds are skipped and listed in {@link ManifestFile#skipped}. {@code v1} namespaces are
 * only passed to an inspector, if there is one. YAML is read as in Kubernetes (YAML 1.1: a bare
 * {@code yes} is a boolean). Fills in the defaults of the API server. Also reads objects that the
 * API server would reject because of their meaning.
 */
public final class ManifestReader {

  private final ManifestLimits limits;
  private final boolean keepSources;
  private final @Nullable ManifestInspector besides;
  private final @Nullable SharedValues shared; // by all reads, which lock it

  private ManifestReader(Builder builder) {
    this.limits = builder.limits;
    this.keepSources = builder.keepSources;
    this.besides = builder.inspector;
    this.shared = builder.sharesValues ? new SharedValues() : null;
  }

  /** {@return a builder of a reader that has the default limits and keeps source documents} */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Reads the objects of a file.
   *
   * @param file YAML or JSON
   * @return the objects of known kinds, in order
   * @throws ManifestException if it cannot be read, is too large, or is not a valid manifest
   */
  public List<Manifest> read(Path file) throws ManifestException {
    return readFile(file).manifests();
  }

  /**
   * Reads the objects of a stream, to its end.
   *
   * @param name the name of the input in messages
   * @param in YAML or JSON
   * @return the objects of known kinds, in order
   * @throws ManifestException if it cannot be read, is too large, or is not a valid manifest
   */
  public List<Manifest> read(String name, InputStream in) throws ManifestException {
    return readFile(name, in).manifests();
  }

  /**
   * Reads a file.
   *
   * @param file YAML or JSON
   * @return the objects of known kinds, and the skipped objects
   * @throws ManifestException if it cannot be read, is too large, or is not a valid manifest
   */
  public ManifestFile readFile(Path file) throws ManifestException {
    return readFile(file, new SharedValues());
  }

  /**
   * Reads a stream to its end.
   *
   * @param name the name of the input in messages
   * @param in YAML or JSON
   * @return the objects of known kinds, and the skipped objects
   * @throws ManifestException if it cannot be read, is too large, or is not a valid manifest
   */
  public ManifestFile readFile(String name, InputStream in) throws ManifestException {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(in, "in");
    return read(name, () -> InputFile.of(name, in, limits), reading(new SharedValues()));
  }

  /**
   * Reads the single object of a stream, such as a response of the API server or the object of a
   * watch event. The options of this reader apply as for a file.
   *
   * <pre>{@code
   * Manifest slice = reader.readObject("watch of slices", new ByteArrayInputStream(json));
   * }</pre>
   *
   * @param name the name of the input in messages
   * @param in JSON or YAML of one object, read to its end
   * @return the object and, unless this reader is {@link Builder#withoutSources}, its document
   * @throws ManifestException if it cannot be read, is too large, is not a valid manifest, is of a
   *     kind that this reader skips, or is not a single object
   */
  public Manifest readObject(String name, InputStream in) throws ManifestException {
    return readObject(name, in, ObjectType.NONE);
  }

  /**
   * Reads the single object of a stream, like {@link #readObject(String, InputStream)}. The object
   * need not state its type, since the API server omits it in the items of a list.
   *
   * @param name the name of the input in messages
   * @param in JSON or YAML of one object, read to its end
   * @param apiVersion the API version if none is stated, such as {@code resource.k8s.io/v1beta2}
   * @param kind the kind of an object that states no API version, for example {@code ResourceSlice}
   * @return the object and, unless this reader is {@link Builder#withoutSources}, its document
   * @throws ManifestException as for {@link #readObject(String, InputStream)}, and if an object
   *     without API version states another kind
   */
  public Manifest readObject(String name, InputStream in, String apiVersion, String kind)
      throws ManifestException {
    Objects.requireNonNull(apiVersion, "apiVersion");
    Objects.requireNonNull(kind, "kind");
    return readObject(name, in, new ObjectType(apiVersion, kind));
  }

  private Manifest readObject(String name, InputStream in, ObjectType type)
      throws ManifestException {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(in, "in");
    ManifestFile file = readShared(name, in, type);
    if (!file.skipped().isEmpty()) {
      SkippedObject other = file.skipped().get(0);
      Origin origin = other.origin();
      throw new ManifestException(
          List.of(new Problem(origin, origin.place(), "", "", other.reason())));
    }
    List<Manifest> objects = file.manifests();
    if (objects.size() != 1 || !objects.get(0).origin().item().isEmpty()) {
      String found =
          objects.isEmpty()
              ? "none"
              : objects.get(0).origin().item().isEmpty() ? objects.size() + " objects" : "a list";
      throw new ManifestException(
          List.of(Problems.ofFile(name, "expected one object, found " + found)));
    }
    return objects.get(0);
  }

  private ManifestFile readShared(String name, InputStream in, ObjectType type)
      throws ManifestException {
    SharedValues values = shared == null ? new SharedValues() : shared;
    synchronized (values) {
      Reading reading = new Reading(Manifest::read, keepSources, false, values, type, inspection());
      return read(name, () -> InputFile.of(name, in, limits), reading);
    }
  }

  ManifestFile readFile(Path file, SharedValues shared) throws ManifestException {
    Objects.requireNonNull(file, "file");
    return read(file.toString(), () -> InputFile.of(file, limits), reading(shared));
  }

  /**
   * {@return the findings about the objects of a file as they are written} They include everything
   * that cannot be read, and everything that {@link #read(Path)} would reject or skip. The objects
   * are checked one after another and not kept.
   *
   * @param file YAML or JSON
   * @param inspector checks each object of a known kind
   * @param maxFindings the most findings to keep, the first ones
   */
  public InspectedFile inspect(Path file, ManifestInspector inspector, int maxFindings) {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(inspector, "inspector");
    return inspect(
        file.toString(),
        () -> InputFile.of(file, limits),
        new Inspection(inspector, false, maxFindings));
  }

  /**
   * {@return the findings about a stream, like {@link #inspect(Path, ManifestInspector, int)}}
   *
   * @param name the name of the input in messages
   * @param in YAML or JSON, read to its end
   * @param inspector checks each object of a known kind
   * @param maxFindings the most findings to keep, the first ones
   */
  public InspectedFile inspect(
      String name, InputStream in, ManifestInspector inspector, int maxFindings) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(in, "in");
    Objects.requireNonNull(inspector, "inspector");
    return inspect(
        name, () -> InputFile.of(name, in, limits), new Inspection(inspector, false, maxFindings));
  }

  private InspectedFile inspect(String name, InputFile.Finder file, Inspection inspection) {
    try {
      Reading reading =
          new Reading(Manifest::read, false, true, new SharedValues(), ObjectType.NONE, inspection);
      return new FileParsing(file.find(), limits, reading).inspect();
    } catch (IOException e) {
      Problem problem = Problems.ofFile(name, IoMessages.describe(e));
      return new InspectedFile(
          name,
          List.of(new ManifestFinding(ManifestFinding.SYNTAX, problem, List.of())),
          0,
          List.of(),
          List.of());
    }
  }

  private Reading reading(SharedValues shared) {
    return new Reading(Manifest::read, keepSources, true, shared, ObjectType.NONE, inspection());
  }

  private @Nullable Inspection inspection() {
    return besides == null ? null : new Inspection(besides, true, 0);
  }

  private ManifestFile read(String name, InputFile.Finder file, Reading reading)
      throws ManifestException {
    try {
      return new FileParsing(file.find(), limits, reading).read();
    } catch (IOException e) {
      throw new ManifestException(List.of(Problems.ofFile(name, IoMessages.describe(e))));
    }
  }

  /** Collects the options of a reader. */
  public static final class Builder {

    private ManifestLimits limits = ManifestLimits.DEFAULT;
    private boolean keepSources = true;
    private boolean sharesValues;
    private @Nullable ManifestInspector inspector;

    private Builder() {}

    /**
     * Sets the limits; {@link ManifestLimits#DEFAULT} unless set.
     *
     * @param limits the limits of the input
     * @return this builder
     */
    public Builder limits(ManifestLimits limits) {
      this.limits = Objects.requireNonNull(limits, "limits");
      return this;
    }

    /**
     * Discards the source documents, for programs that do not write the objects back. Saves most of
     * the memory.
     *
     * @return this builder
     */
    public Builder withoutSources() {
      this.keepSources = false;
      return this;
    }

    /**
     * Passes each object as it is written to an inspector. Its findings are in {@link
     * ManifestFile#findings}; they do not affect the objects that are read.
     *
     * @param inspector checks each object of a known kind
     * @return this builder
     */
    public Builder inspector(ManifestInspector inspector) {
      this.inspector = Objects.requireNonNull(inspector, "inspector");
      return this;
    }

    /**
     * Shares equal strings and values among all objects that {@link ManifestReader#readObject}
     * reads, not only within one object; up to 9 MiB of them. Saves most of the memory of a cluster
     * whose objects are read one by one. Such a reader reads one object at a time.
     *
     * @return this builder
     */
    public Builder sharingValues() {
      this.sharesValues = true;
      return this;
    }

    /** {@return a reader with the options set so far} */
    public ManifestReader build() {
      return new ManifestReader(this);
    }
  }
}
