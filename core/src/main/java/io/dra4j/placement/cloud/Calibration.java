package io.dra4j.placement.cloud;

import io.dra4j.internal.json.StrictJson;
import io.dra4j.placement.bandwidth.LinkModel;
import io.dra4j.placement.bandwidth.LinkModelException;
import io.dra4j.topology.CpuModel;
import io.dra4j.topology.PathType;
import io.dra4j.topology.PcieLink;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Compares the predictions of a {@link LinkModel} with published measurements, including wrong
 * predictions. The measurements are data with their sources. The model claims a number only if the
 * data states a tolerance for it; otherwise it claims only the order. Immutable.
 */
public final class Calibration {

  private static final String FILE = "measurements.json";
  private static final PcieLink PCIE_5_X16 = new PcieLink(32_000, 16);
  private static final String NOTHING = "-";

  /**
   * A measurement with its prediction.
   *
   * @param id the name of the measurement in the data
   * @param what a description of the measurement
   * @param measured the number that was published
   * @param unit {@code GB/s} of bus bandwidth, or {@code ms} for a training step
   * @param low the lowest prediction of the model, in GB/s, over all configurations that the source
   *     leaves open
   * @param high the highest prediction, in GB/s
   * @param tolerance the allowed error of the prediction, as a share of the measured number; empty
   *     if no number is claimed
   * @param tier the way in which the NICs reach the memory of the GPUs; null if it does not matter
   * @param fitted whether a profile was fitted on this measurement; such a profile claims nothing
   *     about it
   * @param source the publisher of the measurement
   * @param note the reason why no number is claimed; empty if one is claimed
   */
  public record Row(
      String id,
      String what,
      double measured,
      String unit,
      double low,
      double high,
      OptionalDouble tolerance,
      @Nullable NetworkTier tier,
      boolean fitted,
      String source,
      String note) {

    /**
     * {@return the error of the prediction, as a share of the measured number (0.03 if the model
     * predicts 3 % more); the error of the nearer end if the prediction is a range; 0 within the
     * range}
     */
    public double error() {
      double nearest = Math.max(low, Math.min(high, measured));
      return nearest / measured - 1;
    }
  }

  /**
   * Two measurements, one faster than the other.
   *
   * @param id the name of the pair
   * @param faster the faster measurement
   * @param slower the slower measurement
   * @param holds whether the model predicts the same order
   */
  public record Order(String id, Row faster, Row slower, boolean holds) {}

  /**
   * The ratio of two measurements.
   *
   * @param id the name of the pair
   * @param measured the ratio of the measured numbers
   * @param low the least ratio that the model predicts
   * @param high the greatest ratio that the model predicts
   * @param tolerance the allowed error of the prediction; empty if the measured ratio must be
   *     within the range
   * @param holds whether the prediction is within the tolerance or the range
   */
  public record Ratio(
      String id,
      double measured,
      double low,
      double high,
      OptionalDouble tolerance,
      boolean holds) {}

  /**
   * The bound on a training step: alignment saves at most the time that it saves in communication,
   * since computation hides some of that time.
   *
   * @param saved the measured saving in a step, in ms
   * @param atMost the predicted saving in the all-reduce of the gradients, in ms
   */
  public record TrainingBound(double saved, double atMost) {

    /** {@return whether the model allows the measured saving: it is from 0 to the bound} */
    public boolean holds() {
      return saved >= 0 && saved <= atMost;
    }
  }

  /**
   * The prediction of a profile that was fitted on another measurement.
   *
   * @param fittedOn the ID of the measurement on which the profile was fitted
   * @param row the ID of the predicted measurement
   * @param measured the measured bandwidth, in GB/s
   * @param predicted the predicted bandwidth, in GB/s
   * @param tolerance the allowed error, as a share of the measured number
   */
  public record HoldOut(
      String fittedOn, String row, double measured, double predicted, double tolerance) {

    /** {@return whether the error of the prediction is within the tolerance} */
    public boolean holds() {
      return Math.abs(predicted / measured - 1) <= tolerance;
    }
  }

  private final String profile;
  private final Map<String, Row> rows = new LinkedHashMap<>();
  private final List<Order> orders = new ArrayList<>();
  private final List<Ratio> ratios = new ArrayList<>();
  private final TrainingBound training;
  private final HoldOut holdOut;

  private Calibration(LinkModel model, StrictJson json) throws StrictJson.Problem {
    json.only("setups", "measurements", "orders", "ratios", "training", "holdOut");
    this.profile = model.name();
    StrictJson setups = json.object("setups");
    for (StrictJson measurement : json.objects("measurements")) {
      Row row = row(measurement, setups, model);
      rows.put(row.id(), row);
    }
    for (StrictJson order : json.objects("orders")) {
      orders.add(order(order));
    }
    for (StrictJson ratio : json.objects("ratios")) {
      ratios.add(ratio(ratio));
    }
    this.training = training(json.object("training"));
    this.holdOut = holdOut(json.object("holdOut"));
  }

  /**
   * {@return the predictions of a model for all published measurements}
   *
   * @param model the model to compare with the measurements
   */
  public static Calibration of(LinkModel model) {
    Objects.requireNonNull(model, "model");
    return StrictJson.ofResource(Calibration.class, FILE, json -> new Calibration(model, json));
  }

  private static Row row(StrictJson json, StrictJson setups, LinkModel model)
      throws StrictJson.Problem {
    json.only("id", "what", "value", "unit", "setup", "tolerance", "fitted", "source", "note");
    StrictJson setup = setups.object(json.required("setup"));
    setup.only(
        "pairs",
        "paths",
        "nicMegabitsPerSecond",
        "cpuModels",
        "nvLinks",
        "computeCapability",
        "tier");
    double low = Double.MAX_VALUE;
    double high = 0;
    for (double rate : rates(setup, model)) {
      low = Math.min(low, rate);
      high = Math.max(high, rate);
    }
    String tier = setup.text("tier");
    String note = json.text("note");
    return new Row(
        json.required("id"),
        json.required("what"),
        json.number("value", 0),
        json.required("unit"),
        low,
        high,
        tolerance(json),
        tier == null ? null : NetworkTier.valueOf(tier),
        json.flag("fitted"),
        json.required("source"),
        note == null ? "" : note);
  }

  private static OptionalDouble tolerance(StrictJson json) throws StrictJson.Problem {
    return json.has("tolerance")
        ? OptionalDouble.of(json.number("tolerance", 0))
        : OptionalDouble.empty();
  }

  /** The bandwidth in GB/s for each path and processor that the source leaves open. */
  private static List<Double> rates(StrictJson setup, LinkModel model) throws StrictJson.Problem {
    double nvLink =
        setup.has("nvLinks")
            ? setup.whole("nvLinks", 0)
                * model.nvLinkGigabytesPerSecond(setup.required("computeCapability"))
            : Double.MAX_VALUE;
    if (!setup.has("pairs")) {
      return List.of(nvLink);
    }
    List<Double> rates = new ArrayList<>();
    for (String path : setup.texts("paths")) {
      for (CpuModel cpu : processors(setup.wholes("cpuModels"))) {
        double pair =
            model.gigabytesPerSecond(
                PathType.valueOf(path),
                PCIE_5_X16,
                PCIE_5_X16,
                setup.whole("nicMegabitsPerSecond", 0),
                cpu);
        rates.add(Math.min(setup.whole("pairs", 0) * pair, nvLink));
      }
    }
    return rates;
  }

  /** The processors of a setup: Intel's in all data; paths in a switch do not depend on them. */
  private static List<CpuModel> processors(List<Integer> models) {
    return models.isEmpty() ? List.of(intel(0)) : models.stream().map(Calibration::intel).toList();
  }

  private static CpuModel intel(int model) {
    return new CpuModel("x86_64", "GenuineIntel", 6, model);
  }

  private Row known(StrictJson json, String field) throws StrictJson.Problem {
    Row row = rows.get(json.required(field));
    if (row == null) {
      throw new StrictJson.Problem(json.at(field), "names no measurement");
    }
    return row;
  }

  private Order order(StrictJson json) throws StrictJson.Problem {
    json.only("id", "faster", "slower", "by");
    Row faster = known(json, "faster");
    Row slower = known(json, "slower");
    NetworkTier tier = faster.tier();
    NetworkTier slowerTier = slower.tier();
    boolean holds =
        json.required("by").equals("tier")
            ? tier != null && slowerTier != null && tier.isFasterThan(slowerTier)
            : faster.low() > slower.high();
    return new Order(json.required("id"), faster, slower, holds);
  }

  private Ratio ratio(StrictJson json) throws StrictJson.Problem {
    json.only("id", "of", "to", "tolerance");
    Row of = known(json, "of");
    Row to = known(json, "to");
    double measured = of.measured() / to.measured();
    double low = of.low() / to.high();
    double high = of.high() / to.low();
    OptionalDouble tolerance = tolerance(json);
    double nearest = Math.max(low, Math.min(high, measured));
    boolean holds = Math.abs(nearest / measured - 1) <= tolerance.orElse(0);
    return new Ratio(json.required("id"), measured, low, high, tolerance, holds);
  }

  /** An all-reduce sends 2 (n - 1) / n times the gradients over each link of the ring. */
  private TrainingBound training(StrictJson json) throws StrictJson.Problem {
    json.only("aligned", "unaligned", "gradientGigabytes", "gpus");
    Row aligned = known(json, "aligned");
    Row unaligned = known(json, "unaligned");
    int gpus = json.whole("gpus", 2);
    double sent = 2.0 * (gpus - 1) / gpus * json.number("gradientGigabytes", 0);
    return new TrainingBound(
        unaligned.measured() - aligned.measured(),
        (sent / unaligned.low() - sent / aligned.high()) * 1_000);
  }

  private HoldOut holdOut(StrictJson json) throws StrictJson.Problem {
    json.only(
        "profile", "path", "nicMegabitsPerSecond", "cpuModel", "fittedOn", "predicts", "tolerance");
    LinkModel fitted;
    try {
      fitted = LinkModel.parse(FILE, json.object("profile").toString());
    } catch (LinkModelException e) {
      throw new StrictJson.Problem("holdOut.profile", String.valueOf(e.getMessage()));
    }
    Row row = known(json, "predicts");
    return new HoldOut(
        known(json, "fittedOn").id(),
        row.id(),
        row.measured(),
        fitted.gigabytesPerSecond(
            PathType.valueOf(json.required("path")),
            PCIE_5_X16,
            PCIE_5_X16,
            json.whole("nicMegabitsPerSecond", 0),
            intel(json.whole("cpuModel", 0))),
        json.number("tolerance", 0));
  }

  /** {@return all measurements, in the order of the data} */
  public List<Row> rows() {
    return List.copyOf(rows.values());
  }

  /** {@return the pairs whose order the model claims, in the order of the data} */
  public List<Order> orders() {
    return List.copyOf(orders);
  }

  /** {@return the pairs whose ratio the model claims, in the order of the data} */
  public List<Ratio> ratios() {
    return List.copyOf(ratios);
  }

  /** {@return the bound on the saving of alignment in a training step} */
  public TrainingBound training() {
    return training;
  }

  /** {@return the prediction of a profile that was fitted on another measurement} */
  public HoldOut holdOut() {
    return holdOut;
  }

  /** {@return the comparison, with wrong predictions, as Markdown that ends with a line break} */
  public String page() {
    StringBuilder page = new StringBuilder();
    addMeasurements(page);
    addOrders(page);
    addRatios(page);
    addTraining(page);
    addMachines(page);
    return page.toString();
  }

  private void addMeasurements(StringBuilder page) {
    page.append("# Predicted and measured\n\n")
        .append("Predictions of the profile `")
        .append(profile)
        .append("` of `LinkModel` for published measurements. No number of the ")
        .append(
            "profile was fitted on any of them.\nA number is claimed where the last column has ")
        .append("a tolerance; elsewhere only the order below.\n\n")
        .append("| What | Measured | Predicted | Off by | Claimed |\n|---|---|---|---|---|\n");
    for (Row row : rows.values()) {
      boolean bandwidth = row.unit().equals("GB/s");
      line(
          page,
          row.what() + " (" + row.source() + ")",
          number(row.measured()) + " " + row.unit(),
          bandwidth ? range(row.low(), row.high()) + " GB/s" : NOTHING,
          !bandwidth ? NOTHING : row.error() == 0 ? "in the range" : percent(row.error()),
          row.tolerance().isPresent()
              ? "within " + percent(row.tolerance().getAsDouble()).substring(1)
              : "order" + (row.note().isEmpty() ? "" : ": " + row.note()));
    }
  }

  private void addOrders(StringBuilder page) {
    page.append("\n## Order\n\n| Faster | Slower | Measured | Predicted |\n|---|---|---|---|\n");
    for (Order order : orders) {
      NetworkTier tier = order.faster().tier();
      line(
          page,
          order.faster().id(),
          order.slower().id(),
          number(order.faster().measured())
              + " and "
              + number(order.slower().measured())
              + " "
              + order.faster().unit(),
          (order.holds() ? "the same" : "**not so**")
              + (tier == null ? "" : ", by the network tier"));
    }
  }

  private void addRatios(StringBuilder page) {
    page.append("\n## Ratios\n\n| Ratio | Measured | Predicted | Claimed |\n|---|---|---|---|\n");
    for (Ratio ratio : ratios) {
      line(
          page,
          ratio.id(),
          number(ratio.measured()),
          range(ratio.low(), ratio.high()),
          (ratio.tolerance().isPresent()
                  ? "within " + percent(ratio.tolerance().getAsDouble()).substring(1)
                  : "within the range")
              + (ratio.holds() ? "" : ": **not so**"));
    }
  }

  private void addTraining(StringBuilder page) {
    page.append("\n## Training\n\nAlignment saved ")
        .append(number(training.saved()))
        .append(" ms of a step. The model says that it saves ")
        .append(number(training.atMost()))
        .append(" ms of communication, of which computation hides some: ")
        .append(training.holds() ? "the bound holds" : "the bound does **not** hold")
        .append(".\n\n## A fitted profile\n\nFitted on `")
        .append(holdOut.fittedOn())
        .append("`, a profile with the efficiency 0.73 predicts ")
        .append(number(holdOut.predicted()))
        .append(" GB/s for `")
        .append(holdOut.row())
        .append("`, measured ")
        .append(number(holdOut.measured()))
        .append(" GB/s (")
        .append(percent(holdOut.predicted() / holdOut.measured() - 1))
        .append("). It is not part of the profile `")
        .append(profile)
        .append("`.\n");
  }

  private static void addMachines(StringBuilder page) {
    page.append("\n## Machines of clouds\n\n")
        .append("| Machine type | GPUs | NICs for them | GPUDirect | Networks |\n")
        .append("|---|---|---|---|---|\n");
    for (CloudMachine machine : CloudMachines.all()) {
      List<String> networks =
          machine.networks().stream()
              .map(
                  network ->
                      "%s: NICs %d, VPCs %d, subnets %d"
                          .formatted(
                              network.purpose().equals("gpu") ? "GPUs" : "host",
                              network.nics(),
                              network.vpcs(),
                              network.subnets()))
              .toList();
      line(
          page,
          machine.machineType(),
          machine.gpus() + " " + machine.gpu(),
          String.valueOf(machine.gpuNics()),
          machine.tier().toString(),
          String.join("; ", networks));
    }
  }

  private static void line(StringBuilder page, String... cells) {
    page.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private static String range(double low, double high) {
    return low == high ? number(low) : number(low) + " to " + number(high);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%+.1f %%", share * 100);
  }
}
