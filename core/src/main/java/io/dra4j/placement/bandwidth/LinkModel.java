package io.dra4j.placement.bandwidth;

import io.dra4j.internal.json.StrictJson;
import io.dra4j.topology.CpuModel;
import io.dra4j.topology.PathType;
import io.dra4j.topology.PcieLink;
import io.dra4j.topology.TopologyDevice;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The bandwidth of paths between GPUs and NICs, in GB/s in one direction: a profile of numbers with
 * their sources. Immutable and thread-safe.
 *
 * <p>{@link #nccl()} has the constants that NCCL uses to plan. A custom profile is a JSON file with
 * the same fields. A field that it omits has the value of {@link #nccl()}:
 *
 * <pre>{@code
 * {"name": "our-b200", "sources": ["all-gather, 12 March"],
 *  "classes": {"SYSTEM": {"efficiency": 0.73, "limitGigabytesPerSecond": 30}}}
 * }</pre>
 *
 * <p>A longer path is never faster than a shorter one. A profile that contradicts this is rejected.
 */
public final class LinkModel {

  /** The classes of paths that a profile or a claim can name, nearest first. */
  public static final List<PathType> CLASSES =
      List.of(
          PathType.SAME_CARD,
          PathType.SWITCH,
          PathType.MULTI_SWITCH,
          PathType.HOST_BRIDGE,
          PathType.NUMA_NODE,
          PathType.SYSTEM);

  private static final Pattern CAPABILITY = Pattern.compile("(\\d{1,4})\\.(\\d{1,3})");
  private static final String NCCL = "nccl.json";
  private static final int MAX_BYTES = 1 << 20;

  /** The largest rate in a profile, in GB/s. Larger rates of devices count as this rate. */
  public static final double MAX_GIGABYTES_PER_SECOND = 100_000;

  /** The share of its rate that a path of a class reaches, and its limit. */
  private record ClassLimit(double efficiency, double limit) {}

  /** The constants of NCCL for a kind of processors; null and 0 match all. */
  private record Processor(
      @Nullable String architecture,
      @Nullable String vendor,
      int family,
      int model,
      double hostBridgeOverhead,
      double interSocket) {

    boolean isOne(@Nullable CpuModel cpu) {
      return isAll()
          || (cpu != null
              && (architecture == null || architecture.equals(cpu.architecture()))
              && (vendor == null || vendor.equals(cpu.vendor()))
              && (family == 0 || family == cpu.family())
              && cpu.model() >= model);
    }

    /** Whether this is the entry for all processors that no entry before it matches. */
    boolean isAll() {
      return architecture == null && vendor == null && family == 0 && model == 0;
    }
  }

  private final String name;
  private final List<String> sources;
  private final double assumedPcie;
  private final double assumedNic;
  private final Map<PathType, ClassLimit> classes;
  private final List<Processor> processors;
  private final Map<String, Double> nvLinks;

  @SuppressWarnings("ParameterNumber") // the fields of a profile, which are read in one place
  private LinkModel(
      String name,
      List<String> sources,
      double assumedPcie,
      double assumedNic,
      Map<PathType, ClassLimit> classes,
      List<Processor> processors,
      Map<String, Double> nvLinks) {
    this.name = name;
    this.sources = List.copyOf(sources);
    this.assumedPcie = assumedPcie;
    this.assumedNic = assumedNic;
    this.classes = classes;
    this.processors = List.copyOf(processors);
    this.nvLinks = Map.copyOf(nvLinks);
  }

  /**
   * {@return the profile {@code nccl} of NCCL's constants, which names its sources} If a driver
   * does not publish a rate, this profile assumes PCIe 5.0 x16 for links and 400 Gbit/s for NICs.
   * NCCL's own defaults (PCIe 3.0, 10 Gbit/s) would make all paths equal.
   */
  public static LinkModel nccl() {
    return Nccl.PROFILE;
  }

  /** Reads the profile on first use. */
  private static final class Nccl {
    static final LinkModel PROFILE =
        StrictJson.ofResource(LinkModel.class, NCCL, json -> read(json, null));
  }

  /**
   * {@return the custom profile that a file contains}
   *
   * @param file a JSON file of at most 1 MiB
   * @throws IOException if the file cannot be read
   * @throws LinkModelException if a field is unknown, if a number is out of range, or if a longer
   *     path would be faster than a shorter one
   */
  public static LinkModel read(Path file) throws IOException, LinkModelException {
    Objects.requireNonNull(file, "file");
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new LinkModelException(
            file.toString(),
            "",
            "expected a profile of at most " + MAX_BYTES + " bytes, found more");
      }
      return parse(file.toString(), new String(bytes, StandardCharsets.UTF_8));
    }
  }

  /**
   * {@return the custom profile that a text contains}
   *
   * @param origin the name of the profile in errors
   * @param json the profile, a JSON object
   * @throws LinkModelException if a field is unknown, if a number is out of range, or if a longer
   *     path would be faster than a shorter one
   */
  public static LinkModel parse(String origin, String json) throws LinkModelException {
    Objects.requireNonNull(origin, "origin");
    Objects.requireNonNull(json, "json");
    try {
      return read(StrictJson.parse(json), nccl());
    } catch (StrictJson.Problem e) {
      throw new LinkModelException(origin, e.field, e.problem);
    }
  }

  private static LinkModel read(StrictJson json, @Nullable LinkModel base)
      throws StrictJson.Problem {
    json.only("name", "sources", "assumed", "classes", "processors", "nvLinkGigabytesPerSecond");
    String name = json.text("name");
    if (name == null || name.isBlank()) {
      throw new StrictJson.Problem("/name", "expected a name of the profile");
    }
    StrictJson assumed =
        json.object("assumed").only("pcieGigabytesPerSecond", "nicGigabytesPerSecond");
    return new LinkModel(
        name,
        json.texts("sources"),
        rate(assumed, "pcieGigabytesPerSecond", base == null ? null : base.assumedPcie),
        rate(assumed, "nicGigabytesPerSecond", base == null ? null : base.assumedNic),
        classes(json.object("classes"), base),
        base != null && !json.has("processors")
            ? base.processors
            : processors(json.objects("processors")),
        nvLinks(json.object("nvLinkGigabytesPerSecond"), base));
  }

  private static double rate(StrictJson json, String field, @Nullable Double otherwise)
      throws StrictJson.Problem {
    if (otherwise == null && !json.has(field)) {
      throw new StrictJson.Problem(json.at(field), "is missing");
    }
    double rate = json.number(field, otherwise == null ? 0 : otherwise);
    if (!(rate > 0) || rate > MAX_GIGABYTES_PER_SECOND) {
      throw new StrictJson.Problem(
          json.at(field), "expected above 0 and at most 100000 GB/s, found " + rate);
    }
    return rate;
  }

  private static Map<PathType, ClassLimit> classes(StrictJson json, @Nullable LinkModel base)
      throws StrictJson.Problem {
    json.only(CLASSES.stream().map(PathType::name).toArray(String[]::new));
    Map<PathType, ClassLimit> classes = new EnumMap<>(PathType.class);
    ClassLimit nearer = new ClassLimit(1, MAX_GIGABYTES_PER_SECOND);
    PathType nearerType = PathType.SAME_CARD;
    for (PathType type : CLASSES) {
      ClassLimit before = base == null ? null : base.classes.get(type);
      ClassLimit otherwise = before == null ? new ClassLimit(1, MAX_GIGABYTES_PER_SECOND) : before;
      StrictJson fields = json.object(type.name()).only("efficiency", "limitGigabytesPerSecond");
      double efficiency = fields.number("efficiency", otherwise.efficiency);
      if (!(efficiency > 0) || efficiency > 1) {
        throw new StrictJson.Problem(
            fields.at("efficiency"), "expected above 0 and at most 1, found " + efficiency);
      }
      double limit = rate(fields, "limitGigabytesPerSecond", otherwise.limit);
      // A value that a class omits is no better than the value of a nearer class.
      if (!fields.has("efficiency")) {
        efficiency = Math.min(efficiency, nearer.efficiency);
      }
      if (!fields.has("limitGigabytesPerSecond")) {
        limit = Math.min(limit, nearer.limit);
      }
      if (efficiency > nearer.efficiency) {
        throw notMonotone(fields.at("efficiency"), efficiency, nearerType, nearer.efficiency);
      }
      if (limit > nearer.limit) {
        throw notMonotone(fields.at("limitGigabytesPerSecond"), limit, nearerType, nearer.limit);
      }
      nearer = new ClassLimit(efficiency, limit);
      nearerType = type;
      classes.put(type, nearer);
    }
    return classes;
  }

  private static StrictJson.Problem notMonotone(
      String field, double value, PathType nearer, double nearerValue) {
    return new StrictJson.Problem(
        field,
        "expected a longer path to be no faster than a shorter one, found "
            + value
            + ", and "
            + nearerValue
            + " for "
            + nearer);
  }

  private static List<Processor> processors(List<StrictJson> list) throws StrictJson.Problem {
    List<Processor> processors = new ArrayList<>();
    for (StrictJson json : list) {
      json.only(
          "architecture",
          "vendor",
          "family",
          "model",
          "hostBridgeOverhead",
          "interSocketGigabytesPerSecond");
      double overhead = json.number("hostBridgeOverhead", 1);
      if (!(overhead >= 1) || overhead > 100) {
        throw new StrictJson.Problem(
            json.at("hostBridgeOverhead"), "expected 1 to 100, found " + overhead);
      }
      processors.add(
          new Processor(
              json.text("architecture"),
              json.text("vendor"),
              json.whole("family", 0),
              json.whole("model", 0),
              overhead,
              rate(json, "interSocketGigabytesPerSecond", null)));
    }
    for (int i = 0; i < processors.size() - 1; i++) {
      if (processors.get(i).isAll()) {
        throw new StrictJson.Problem(
            "/processors/%d".formatted(i),
            "expected an entry for all processors to be the last one, since entries after it never"
                + " apply");
      }
    }
    if (processors.isEmpty() || !processors.get(processors.size() - 1).isAll()) {
      throw new StrictJson.Problem(
          "/processors",
          "expected a last entry without architecture, vendor, family and model, for all others");
    }
    return processors;
  }

  private static Map<String, Double> nvLinks(StrictJson json, @Nullable LinkModel base)
      throws StrictJson.Problem {
    Map<String, Double> rates = new TreeMap<>(base == null ? Map.of() : base.nvLinks);
    for (String capability : json.names()) {
      if (!CAPABILITY.matcher(capability).matches()) {
        throw new StrictJson.Problem(
            json.at(capability), "expected a compute capability such as 9.0 as the name");
      }
      rates.put(capability, rate(json, capability, null));
    }
    return rates;
  }

  /** {@return the name of this profile, for example {@code nccl}} */
  public String name() {
    return name;
  }

  /** {@return the sources of the numbers of this profile, as sentences for readers} */
  public List<String> sources() {
    return sources;
  }

  /**
   * {@return the bandwidth of a path without other users, in GB/s in one direction: the least of
   * the rates of both devices and of the way between them} {@link PathType#UNKNOWN} counts as
   * {@link PathType#SYSTEM}, so that the result promises no unknown bandwidth.
   *
   * @param type the distance between the devices
   * @param gpu the link of the GPU; null if it is not known
   * @param nic the link of the NIC; null if it is not known
   * @param megabitsPerSecond the rate of the NIC; 0 if it is not known
   * @param cpu the processors; null if they are not known
   */
  public double gigabytesPerSecond(
      PathType type,
      @Nullable PcieLink gpu,
      @Nullable PcieLink nic,
      long megabitsPerSecond,
      @Nullable CpuModel cpu) {
    Objects.requireNonNull(type, "type");
    return gigabytesPerSecond(
        type, pcieGigabytesPerSecond(gpu), nicGigabytesPerSecond(nic, megabitsPerSecond), cpu);
  }

  /**
   * {@return the bandwidth of a path without other users, in GB/s in one direction}
   *
   * @param type the distance between the devices
   * @param gpu the GPU
   * @param nic the NIC
   * @param cpu the processors; null if they are not known
   */
  public double gigabytesPerSecond(
      PathType type, TopologyDevice gpu, TopologyDevice nic, @Nullable CpuModel cpu) {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(gpu, "gpu");
    Objects.requireNonNull(nic, "nic");
    return gigabytesPerSecond(type, gpu.link(), nic.link(), nic.megabitsPerSecond().orElse(0), cpu);
  }

  /**
   * {@return the bandwidth of a path without other users, in GB/s in one direction}
   *
   * @param type the distance between the devices
   * @param gpu the rate of the link of the GPU, in GB/s
   * @param nic the rate of the NIC, in GB/s
   * @param cpu the processors; null if they are not known
   */
  public double gigabytesPerSecond(PathType type, double gpu, double nic, @Nullable CpuModel cpu) {
    Objects.requireNonNull(type, "type");
    ClassLimit limit = limitOf(type);
    Processor processor = processor(cpu);
    double rate = Math.min(gpu, nic);
    if (type.compareTo(PathType.HOST_BRIDGE) >= 0) {
      rate = Math.min(gpu / processor.hostBridgeOverhead, nic);
    }
    if (type.compareTo(PathType.UNKNOWN) >= 0) {
      rate = Math.min(rate, processor.interSocket);
    }
    return Math.min(rate, limit.limit) * limit.efficiency;
  }

  /**
   * {@return the bandwidth that all paths between sockets share, in GB/s in one direction}
   *
   * @param cpu the processors; null if they are not known
   */
  public double interSocketGigabytesPerSecond(@Nullable CpuModel cpu) {
    ClassLimit limit = limitOf(PathType.SYSTEM);
    return Math.min(processor(cpu).interSocket, limit.limit) * limit.efficiency;
  }

  /**
   * {@return the bandwidth of a NIC alone, in GB/s in one direction: the lesser of the rate of its
   * PCIe link and its own rate}
   *
   * @param link the link of the NIC; null if it is not known
   * @param megabitsPerSecond the rate of the NIC; 0 if unknown, for the profile's assumed rate
   */
  public double nicGigabytesPerSecond(@Nullable PcieLink link, long megabitsPerSecond) {
    double network =
        megabitsPerSecond > 0
            ? Math.min(megabitsPerSecond / 8_000.0, MAX_GIGABYTES_PER_SECOND)
            : assumedNic;
    return link == null ? network : Math.min(link.ncclGigabytesPerSecond(), network);
  }

  /**
   * {@return the bandwidth of the PCIe link of a device, in GB/s in one direction}
   *
   * @param link the link; null if it is not known, for the profile's assumed link
   */
  public double pcieGigabytesPerSecond(@Nullable PcieLink link) {
    return link == null ? assumedPcie : link.ncclGigabytesPerSecond();
  }

  /**
   * {@return the bandwidth of one NVLink, in GB/s in one direction}
   *
   * @param computeCapability the compute capability of the GPU, for example {@code 9.0} or {@code
   *     9.0.0}; if the profile does not have it, the latest capability before it applies, or else
   *     the oldest one
   */
  public double nvLinkGigabytesPerSecond(String computeCapability) {
    Objects.requireNonNull(computeCapability, "computeCapability");
    int sought = capability(computeCapability);
    int best = -1;
    int oldest = Integer.MAX_VALUE;
    double rate = 0;
    double rateOfOldest = 0;
    for (Map.Entry<String, Double> known : nvLinks.entrySet()) {
      int number = capability(known.getKey());
      if (number <= sought && number > best) {
        best = number;
        rate = known.getValue();
      }
      if (number < oldest) {
        oldest = number;
        rateOfOldest = known.getValue();
      }
    }
    return best < 0 ? rateOfOldest : rate;
  }

  /** The major and minor version as one number; 0 if the text is not a version. */
  private static int capability(String text) {
    Matcher version = CAPABILITY.matcher(text);
    return version.lookingAt()
        ? Integer.parseInt(version.group(1)) * 1_000 + Integer.parseInt(version.group(2))
        : 0;
  }

  private ClassLimit limitOf(PathType type) {
    PathType known =
        switch (type) {
          case SELF -> PathType.SAME_CARD;
          case HOST_BRIDGE_OR_NUMA_NODE -> PathType.NUMA_NODE;
          case UNKNOWN -> PathType.SYSTEM;
          default -> type;
        };
    ClassLimit limit = classes.get(known);
    return limit == null ? new ClassLimit(1, MAX_GIGABYTES_PER_SECOND) : limit;
  }

  private Processor processor(@Nullable CpuModel cpu) {
    for (Processor processor : processors) {
      if (processor.isOne(cpu)) {
        return processor;
      }
    }
    throw new IllegalStateException("a profile without an entry for all other processors");
  }
}
