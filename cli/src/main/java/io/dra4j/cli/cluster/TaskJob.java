package io.dra4j.cli.cluster;

import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryDevice;
import io.dra4j.inventory.NodeDevices;
import io.dra4j.manifest.task.SkyPilotTask;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Container;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.Job;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.PodSpec;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimSpec;
import io.dra4j.model.ResourceClaimTemplate;
import io.dra4j.model.ResourceRequirements;
import io.dra4j.model.StandardAttributes;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.selector.SelectorException;
import io.dra4j.topology.DeviceKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Converts a SkyPilot task to a job of a cluster with devices: a pod for each of its nodes, with a
 * claim for its GPUs from a class with such GPUs. For the best network the claim also requests as
 * many NICs, each on the PCIe root of one of the GPUs if PCIe roots are published.
 */
final class TaskJob {

  /** The largest number of GPU-NIC pairs that one claim can request. */
  private static final int MAX_PAIRS = 16;

  private static final String PRODUCT = "productName";

  private final List<DeviceClass> classes;
  private final DeviceInventory inventory;
  private final SelectorCompiler selectors;
  private final JobsWithoutNics kinds;

  TaskJob(List<KubernetesObject> cluster, SelectorCompiler selectors) {
    this.classes =
        cluster.stream()
            .filter(DeviceClass.class::isInstance)
            .map(DeviceClass.class::cast)
            .toList();
    this.inventory = DeviceInventory.of(ClusterSnapshot.of(cluster));
    this.selectors = selectors;
    this.kinds = new JobsWithoutNics(inventory, selectors, List.of());
  }

  /** The objects of a task; or a problem if the cluster has no class for its devices. */
  record Made(List<KubernetesObject> objects, Optional<String> problem) {}

  Made of(SkyPilotTask task) {
    if (task.accelerator().isEmpty()) {
      return lacking(
          "task %s requests no accelerators, so it needs no devices".formatted(task.name()));
    }
    DeviceClass gpus = null;
    for (DeviceClass one : classes) {
      gpus = gpus == null && isOnly(one, DeviceKind.GPU) && has(one, task) ? one : gpus;
    }
    DeviceClass nics =
        classes.stream().filter(one -> isOnly(one, DeviceKind.NIC)).findFirst().orElse(null);
    if (gpus == null) {
      return lacking(
          "task %s: no DeviceClass of the input selects GPUs of kind %s on any node"
              .formatted(task.name(), task.accelerator()));
    } else if (task.wantsBestNetwork() && nics == null) {
      return lacking(
          ("task %s requests the best network, but no DeviceClass of the input selects NICs"
                  + " on any node")
              .formatted(task.name()));
    }
    return new Made(objects(task, claimOf(task, gpus, nics)), Optional.empty());
  }

  /** Returns the claim of a pod: its GPUs and, for the best network, as many NICs. */
  private ResourceClaimSpec claimOf(
      SkyPilotTask task, DeviceClass gpus, @Nullable DeviceClass nics) {
    String selector = selector(gpus, task);
    ResourceClaim.Builder claim = ResourceClaim.named("x");
    String ofGpus = gpus.metadata().name();
    Consumer<ExactDeviceRequest.Builder> gpu = one -> one.deviceClass(ofGpus).selector(selector);
    if (!task.wantsBestNetwork() || nics == null) {
      claim.request("gpu", gpu.andThen(one -> one.count(task.accelerators())));
    } else {
      String ofNics = nics.metadata().name();
      Consumer<ExactDeviceRequest.Builder> nic = one -> one.deviceClass(ofNics);
      boolean areTied =
          task.accelerators() <= MAX_PAIRS && publishRoots(gpus) && publishRoots(nics);
      if (areTied) {
        claim.pairs(task.accelerators(), gpu, nic);
      } else {
        claim.request(
            DeviceRequest.exactly("gpu", gpu.andThen(one -> one.count(task.accelerators()))));
        claim.request(
            DeviceRequest.exactly("nic", nic.andThen(one -> one.count(task.accelerators()))));
      }
    }
    return claim.build().spec();
  }

  private static List<KubernetesObject> objects(SkyPilotTask task, ResourceClaimSpec claim) {
    String template = task.name() + "-devices";
    return List.of(
        new ResourceClaimTemplate(ObjectMeta.named("default", template), Map.of(), Map.of(), claim),
        Job.named("default", task.name())
            .parallelism(task.nodes())
            .completions(task.nodes())
            .template(
                PodSpec.builder()
                    .resourceClaimTemplate("devices", template)
                    .containers(List.of(Container.of("task", ResourceRequirements.NONE)))
                    .build())
            .build());
  }

  private static Made lacking(String problem) {
    return new Made(List.of(), Optional.of(problem));
  }

  private boolean isOnly(DeviceClass deviceClass, DeviceKind kind) {
    return kinds.kindsOf(deviceClass.metadata().name()).equals(Set.of(kind));
  }

  /** Returns whether a class selects a GPU of the kind. A GPU without product matches any kind. */
  private boolean has(DeviceClass deviceClass, SkyPilotTask task) {
    return devicesOf(deviceClass).stream()
        .anyMatch(
            device ->
                product(device)
                    .map(name -> words(task).stream().allMatch(name::contains))
                    .orElse(true));
  }

  private static List<String> words(SkyPilotTask task) {
    return Arrays.asList(task.accelerator().split("-"));
  }

  private String selector(DeviceClass gpus, SkyPilotTask task) {
    return devicesOf(gpus).stream()
        .filter(device -> product(device).isPresent())
        .findFirst()
        .map(
            device ->
                words(task).stream()
                    .map(
                        word ->
                            "device.attributes[\"%s\"].?%s.orValue(\"\").contains(\"%s\")"
                                .formatted(device.id().driver(), PRODUCT, word))
                    .collect(Collectors.joining(" && ")))
        .orElse("true");
  }

  private static Optional<String> product(InventoryDevice device) {
    Device published = device.device();
    return QualifiedName.of(device.id().driver(), PRODUCT)
                .in(device.id().driver(), published.attributes())
            instanceof DeviceAttribute.StringValue name
        ? Optional.of(name.value())
        : Optional.empty();
  }

  private boolean publishRoots(DeviceClass deviceClass) {
    return devicesOf(deviceClass).stream()
        .allMatch(device -> device.device().attributes().containsKey(StandardAttributes.PCIE_ROOT));
  }

  private List<InventoryDevice> devicesOf(DeviceClass deviceClass) {
    List<InventoryDevice> found = new ArrayList<>();
    for (Node node : inventory.nodes()) {
      NodeDevices devices = inventory.devicesOf(node.name()).orElse(null);
      if (devices != null) {
        try {
          found.addAll(devices.ofClass(deviceClass, selectors).list());
        } catch (SelectorException e) {
          return List.of(); // the class selects nothing there
        }
      }
    }
    return found;
  }
}
