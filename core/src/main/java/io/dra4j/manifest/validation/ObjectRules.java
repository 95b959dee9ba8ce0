package io.dra4j.manifest.validation;

import static io.dra4j.manifest.validation.ValidationRule.DEVICE_NAME;
import static io.dra4j.manifest.validation.ValidationRule.DRIVER_NAME;
import static io.dra4j.manifest.validation.ValidationRule.EXTENDED_RESOURCE_NAME;
import static io.dra4j.manifest.validation.ValidationRule.POOL_NAME;
import static io.dra4j.manifest.validation.ValidationRule.TAINT_RULE_SELECTOR;

import io.dra4j.manifest.ManifestInspector;
import io.dra4j.manifest.RawObject;
import io.dra4j.selector.SelectorCompiler;

/** Rules of each kind of {@code resource.k8s.io}; of others, only those of names and pod claims. */
final class ObjectRules implements ManifestInspector {

  private final MetadataRules metadata = new MetadataRules();
  private final SliceRules slices = new SliceRules();
  private final ConfigurationRules configurations = new ConfigurationRules();
  private final TaintRules taints = new TaintRules();
  private final ConditionRules conditions = new ConditionRules();
  private final StatusRules statuses = new StatusRules();
  private final SelectorRules selectors;
  private final ClaimRules claims;

  ObjectRules(SelectorCompiler compiler) {
    selectors = new SelectorRules(compiler);
    claims = new ClaimRules(selectors);
  }

  @Override
  public void inspect(RawObject object, Findings findings) {
    FieldCursor root = FieldCursor.of(object, findings);
    if (!object.apiVersion().startsWith("resource.k8s.io/")) {
      MetadataRules.checkName(root.objectOrEmpty("metadata"), false);
      PodRules.check(object.kind(), root);
      return;
    }
    boolean isBeta1 = object.apiVersion().endsWith("/v1beta1");
    boolean isNamespaced = object.kind().startsWith("ResourceClaim");
    metadata.check(root, isNamespaced, object.kind().equals("DeviceClass"));
    if (root.has("spec") && !root.isObject("spec")) {
      return; // the reader reports it
    }
    FieldCursor spec = root.objectOrEmpty("spec");
    switch (object.kind()) {
      case "ResourceSlice" -> slices.check(spec, isBeta1);
      case "DeviceClass" -> checkClass(spec);
      case "ResourceClaim" -> {
        claims.check(spec, isBeta1);
        FieldCursor status = root.object("status");
        if (status != null) {
          statuses.check(status, new RequestNames(spec.objectOrEmpty("devices")));
        }
      }
      case "ResourceClaimTemplate" -> {
        metadata.checkTemplate(spec);
        claims.check(spec.objectOrEmpty("spec"), isBeta1);
      }
      case "DeviceTaintRule" -> {
        checkTaintRule(spec);
        conditions.check(root.objectOrEmpty("status"));
      }
      default -> {}
    }
  }

  private void checkClass(FieldCursor spec) {
    selectors.check(spec);
    configurations.check(spec, entry -> {});
    spec.checkName(EXTENDED_RESOURCE_NAME, "extendedResourceName", NameFormat.EXTENDED_RESOURCE);
  }

  private void checkTaintRule(FieldCursor spec) {
    FieldCursor selector = spec.objectOrEmpty("deviceSelector");
    if (!spec.has("deviceSelector")) {
      spec.problem(
          TAINT_RULE_SELECTOR,
          "",
          "expected deviceSelector: without it, releases up to 1.37 taint all devices of the"
              + " cluster, and newer releases taint none");
    } else if (selector.names().isEmpty()) {
      spec.problem(
          TAINT_RULE_SELECTOR,
          "deviceSelector",
          "expected driver, pool or device: the empty selector taints all devices of the cluster");
    }
    if (selector.has("deviceClassName") || selector.has("selectors")) {
      boolean isLeft = selector.has("driver") || selector.has("pool") || selector.has("device");
      spec.problem(
          TAINT_RULE_SELECTOR,
          "deviceSelector",
          "deviceClassName and selectors only have an effect up to Kubernetes 1.34; newer"
              + " releases drop them"
              + (isLeft ? "" : ", and the rule taints all devices of the cluster"));
    }
    selector.checkName(DRIVER_NAME, "driver", NameFormat.DRIVER);
    selector.checkName(POOL_NAME, "pool", NameFormat.POOL);
    selector.checkName(DEVICE_NAME, "device", NameFormat.LABEL);
    taints.checkTaint(spec.objectOrEmpty("taint"));
  }
}
