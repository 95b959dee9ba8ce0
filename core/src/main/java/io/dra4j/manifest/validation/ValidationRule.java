package io.dra4j.manifest.validation;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The table of the rules that {@link ManifestValidator} checks. A rule is a requirement of the API
 * server of Kubernetes 1.37 for new objects of {@code resource.k8s.io} and for the claims of pods,
 * or a requirement of {@code kubectl --validate=strict} for their fields. A warning marks something
 * that the API server accepts but that is probably a mistake.
 */
public enum ValidationRule {
  /** A file is YAML or JSON as Kubernetes reads it, within the limits of size, depth and memory. */
  SYNTAX(
      Group.WHAT_CAN_BE_READ,
      "*",
      "A file is YAML or JSON as Kubernetes reads it, within the limits of size, depth and "
          + "memory.",
      "sigs.k8s.io/yaml, k8s.io/apimachinery"),

  /** An object names each of its fields once. */
  DUPLICATE_FIELD(
      Group.WHAT_CAN_BE_READ,
      "*",
      "An object names each of its fields once.",
      "kubectl --validate=strict"),

  /** A document is an object with apiVersion and kind, or a list of such objects. */
  OBJECT_TYPE(
      Group.WHAT_CAN_BE_READ,
      "*",
      "A document is an object with apiVersion and kind, or a list of such objects.",
      "k8s.io/apimachinery, meta/v1.TypeMeta"),

  /** The kind exists in its API group. */
  KNOWN_KIND(
      Group.WHAT_CAN_BE_READ, "*", "The kind exists in its API group.", "k8s.io/api/resource"),

  /** The kind exists in its version of the API. */
  KNOWN_VERSION(
      Group.WHAT_CAN_BE_READ,
      "*",
      "The kind exists in its version of the API.",
      "k8s.io/api/resource"),

  /** A field exists in the kind and version of the object; names are case sensitive. */
  KNOWN_FIELD(
      Group.WHAT_CAN_BE_READ,
      "*",
      "A field exists in the kind and version of the object; names are case sensitive.",
      "kubectl --validate=strict"),

  /** The value of a field has the type of the field. */
  FIELD_TYPE(
      Group.WHAT_CAN_BE_READ, "*", "The value of a field has the type of the field.", "k8s.io/api"),

  /** A list is whole: its metadata has no continue. */
  WHOLE_LIST(
      Group.WHAT_CAN_BE_READ,
      "*",
      "A list is whole: its metadata has no continue.",
      "meta/v1.ListMeta"),

  /** All files together have each object once. */
  UNIQUE_OBJECT(
      Group.WHAT_CAN_BE_READ,
      "*",
      "All files together have each object once.",
      "etcd: a name belongs to one object"),

  /**
   * metadata.name is a DNS subdomain of at most 253 bytes; metadata.generateName may replace it.
   */
  OBJECT_NAME(
      Group.METADATA,
      "*",
      "metadata.name is a DNS subdomain of at most 253 bytes; metadata.generateName may replace"
          + " it.",
      "ValidateObjectMeta, NameIsDNSSubdomain"),

  /** metadata.namespace is a DNS label. */
  NAMESPACE_NAME(
      Group.METADATA,
      "RT",
      "metadata.namespace is a DNS label.",
      "ValidateObjectMeta, ValidateNamespaceName"),

  /** metadata.generation is not negative. */
  METADATA_GENERATION(
      Group.METADATA, "RT", "metadata.generation is not negative.", "ValidateObjectMeta"),

  /**
   * The name of a label is at most 63 letters, digits, -, _ and dots, perhaps after a DNS subdomain
   * and a slash.
   */
  METADATA_LABEL_NAME(
      Group.METADATA,
      "SCRTD",
      "The name of a label is at most 63 letters, digits, -, _ and dots, perhaps after a DNS "
          + "subdomain and a slash.",
      "ValidateLabels"),

  /** The value of a label is at most 63 letters, digits, -, _ and dots, or nothing. */
  METADATA_LABEL_VALUE(
      Group.METADATA,
      "SCRTD",
      "The value of a label is at most 63 letters, digits, -, _ and dots, or nothing.",
      "ValidateLabels"),

  /** The name of an annotation, in lower case, has the format of a label name. */
  ANNOTATION_NAME(
      Group.METADATA,
      "SCRTD",
      "The name of an annotation, in lower case, has the format of a label name.",
      "ValidateAnnotations"),

  /** The names and values of annotations have at most 262144 bytes together. */
  ANNOTATIONS_SIZE(
      Group.METADATA,
      "SCRTD",
      "The names and values of annotations have at most 262144 bytes together.",
      "ValidateAnnotationsSize"),

  /** An owner has apiVersion, kind, name and uid, and at most one is the controller. */
  OWNER_REFERENCE(
      Group.METADATA,
      "SCRTD",
      "An owner has apiVersion, kind, name and uid, and at most one is the controller.",
      "ValidateOwnerReferences"),

  /**
   * The name of a finalizer has the format of a label name with a domain, unless it is kubernetes,
   * orphan or foregroundDeletion.
   */
  FINALIZER_NAME(
      Group.METADATA,
      "SCRTD",
      "The name of a finalizer has the format of a label name with a domain, unless it is"
          + " kubernetes, orphan or foregroundDeletion.",
      "ValidateFinalizerName"),

  /** The metadata for claims of a template only have labels and annotations. */
  TEMPLATE_METADATA(
      Group.METADATA,
      "T",
      "The metadata for claims of a template only have labels and annotations.",
      "ValidateTemplateObjectMeta"),

  /** The name of a driver is a DNS subdomain of at most 63 bytes, in upper or lower case. */
  DRIVER_NAME(
      Group.NAMES,
      "SCRTD",
      "The name of a driver is a DNS subdomain of at most 63 bytes, in upper or lower case.",
      "validateDriverName"),

  /** A pool name is one or several DNS subdomains joined by slashes, at most 253 bytes together. */
  POOL_NAME(
      Group.NAMES,
      "SRD",
      "The name of a pool is one or several DNS subdomains joined by slashes, at most 253 "
          + "bytes together.",
      "validatePoolName"),

  /** The name of a device is a DNS label of at most 63 bytes. */
  DEVICE_NAME(
      Group.NAMES,
      "SRD",
      "The name of a device is a DNS label of at most 63 bytes.",
      "validateDeviceName"),

  /** The name of a node is a DNS subdomain of at most 253 bytes. */
  NODE_NAME(
      Group.NAMES,
      "S",
      "The name of a node is a DNS subdomain of at most 253 bytes.",
      "ValidateNodeName"),

  /** Each request names its class, a DNS subdomain of at most 253 bytes. */
  CLASS_NAME(
      Group.NAMES,
      "RT",
      "Each request names its class, a DNS subdomain of at most 253 bytes.",
      "validateDeviceClass"),

  /** The name of a request or of an alternative is a DNS label of at most 63 bytes. */
  REQUEST_NAME(
      Group.NAMES,
      "RT",
      "The name of a request or of an alternative is a DNS label of at most 63 bytes.",
      "validateRequestName"),

  /**
   * The name of an attribute is an identifier of at most 32 bytes, perhaps after a DNS subdomain of
   * at most 63 bytes and a slash.
   */
  ATTRIBUTE_NAME(
      Group.NAMES,
      "S",
      "The name of an attribute is an identifier of at most 32 bytes, perhaps after a DNS "
          + "subdomain of at most 63 bytes and a slash.",
      "validateQualifiedName"),

  /** The name of a capacity has the format of an attribute name. */
  CAPACITY_NAME(
      Group.NAMES,
      "S",
      "The name of a capacity has the format of an attribute name.",
      "validateQualifiedName"),

  /** Constraints, derived attributes and partition types name attributes as {@code domain/id}. */
  FULL_ATTRIBUTE_NAME(
      Group.NAMES,
      "SRT",
      "Constraints, derived attributes and partition types name attributes with their domain "
          + "and one slash.",
      "validateFullyQualifiedName"),

  /** An attribute of resource.kubernetes.io is one of Kubernetes; the domain has this spelling. */
  STANDARD_ATTRIBUTE(
      Group.NAMES,
      "SRT",
      "An attribute of the domain resource.kubernetes.io is one that Kubernetes defines, and the"
          + " domain has exactly this spelling.",
      "k8s.io/dynamic-resource-allocation/deviceattribute"),

  /** The generation of a pool is not negative. */
  POOL_GENERATION(
      Group.POOLS_AND_NODES_OF_RESOURCESLICES,
      "S",
      "The generation of a pool is not negative.",
      "validateResourcePool"),

  /** A pool has at least one slice: resourceSliceCount is above zero. */
  POOL_SLICE_COUNT(
      Group.POOLS_AND_NODES_OF_RESOURCESLICES,
      "S",
      "A pool has at least one slice: resourceSliceCount is above zero.",
      "validateResourcePool"),

  /** Exactly one of nodeName, nodeSelector, allNodes and perDeviceNodeSelection is set. */
  SLICE_NODE_ONE_OF(
      Group.POOLS_AND_NODES_OF_RESOURCESLICES,
      "S",
      "Exactly one of nodeName, nodeSelector, allNodes and perDeviceNodeSelection is set.",
      "validateResourceSliceSpec"),

  /** nodeName is not set or not empty (v1beta1: empty is not set). */
  SLICE_NODE_NAME_EMPTY(
      Group.POOLS_AND_NODES_OF_RESOURCESLICES,
      "S",
      "nodeName is not set or not empty (v1beta1: empty is not set).",
      "validateResourceSliceSpec"),

  /** allNodes and perDeviceNodeSelection are true or not set (v1beta1: allNodes may be false). */
  SLICE_FLAG_FALSE(
      Group.POOLS_AND_NODES_OF_RESOURCESLICES,
      "S",
      "allNodes and perDeviceNodeSelection are true or not set (v1beta1: allNodes may be "
          + "false).",
      "validateResourceSliceSpec"),

  /** The nodeSelector of a slice has exactly one term. */
  SLICE_NODE_SELECTOR_ONE_TERM(
      Group.POOLS_AND_NODES_OF_RESOURCESLICES,
      "S",
      "The nodeSelector of a slice has exactly one term.",
      "validateResourceSliceSpec"),

  /** A slice has devices or sharedCounters, not both. */
  SLICE_CONTENTS_ONE_OF(
      Group.POOLS_AND_NODES_OF_RESOURCESLICES,
      "S",
      "A slice has devices or sharedCounters, not both.",
      "validateResourceSliceSpec"),

  /** A node selector has at least one term. */
  NODE_SELECTOR_TERMS(
      Group.POOLS_AND_NODES_OF_RESOURCESLICES,
      "SR",
      "A node selector has at least one term.",
      "ValidateNodeSelector"),

  /** The operator is In, NotIn, Exists, DoesNotExist, Gt or Lt; for fields In or NotIn. */
  NODE_SELECTOR_OPERATOR(
      Group.POOLS_AND_NODES_OF_RESOURCESLICES,
      "SR",
      "The operator is In, NotIn, Exists, DoesNotExist, Gt or Lt; for fields In or NotIn.",
      "ValidateNodeSelectorRequirement"),

  /** In and NotIn have values (of fields exactly one), Gt and Lt exactly one, the others none. */
  NODE_SELECTOR_VALUES(
      Group.POOLS_AND_NODES_OF_RESOURCESLICES,
      "SR",
      "In and NotIn have values (of fields exactly one), Gt and Lt exactly one, the others "
          + "none.",
      "ValidateNodeSelectorRequirement"),

  /** The key is the name of a label; for fields it is metadata.name. */
  NODE_SELECTOR_KEY(
      Group.POOLS_AND_NODES_OF_RESOURCESLICES,
      "SR",
      "The key is the name of a label; for fields it is metadata.name.",
      "ValidateNodeSelectorRequirement"),

  /** A value is a valid label value; for fields it is the name of a node. */
  NODE_SELECTOR_VALUE(
      Group.POOLS_AND_NODES_OF_RESOURCESLICES,
      "SR",
      "A value is a valid label value; for fields it is the name of a node.",
      "ValidateNodeSelectorRequirement"),

  /**
   * skipNodeOperations has NodePrepareResources, NodeUnprepareResources or {@literal *}, each once.
   */
  SKIP_NODE_OPERATION(
      Group.POOLS_AND_NODES_OF_RESOURCESLICES,
      "SR",
      "skipNodeOperations has NodePrepareResources, NodeUnprepareResources or *, each once.",
      "API v1, SkipNodeOperation"),

  /** A slice that skips NodePrepareResources also skips NodeUnprepareResources. */
  SKIP_NODE_OPERATION_PAIR(
      Group.POOLS_AND_NODES_OF_RESOURCESLICES,
      "S",
      "A slice that skips NodePrepareResources also skips NodeUnprepareResources.",
      "API v1, ResourceSliceSpec"),

  /** A slice has at most 128 devices. */
  DEVICES_MAX(Group.DEVICES, "S", "A slice has at most 128 devices.", "ResourceSliceMaxDevices"),

  /** A slice has at most 64 devices if one has taints, counter draws or a list attribute. */
  DEVICES_MAX_ADVANCED(
      Group.DEVICES,
      "S",
      "A slice has at most 64 devices if one of them has taints, draws on counters, or has a "
          + "list for an attribute.",
      "ResourceSliceMaxDevicesWithAdvancedFeatures"),

  /** The devices of a slice have different names. */
  DEVICE_UNIQUE(
      Group.DEVICES,
      "S",
      "The devices of a slice have different names.",
      "validateResourceSliceSpec"),

  /** A device has at most 32 attributes and capacities together. */
  DEVICE_ENTRIES_MAX(
      Group.DEVICES,
      "S",
      "A device has at most 32 attributes and capacities together.",
      "ResourceSliceMaxAttributesAndCapacitiesPerDevice"),

  /** The attributes of a device have at most 48 values; each value of a list counts. */
  DEVICE_VALUES_MAX(
      Group.DEVICES,
      "S",
      "The attributes of a device have at most 48 values together; a list counts for each of "
          + "its values.",
      "ResourceSliceMaxAttributeValuesPerDevice"),

  /**
   * An attribute has exactly one of int, bool, string, version, ints, bools, strings and versions.
   */
  ATTRIBUTE_ONE_VALUE(
      Group.DEVICES,
      "S",
      "An attribute has exactly one of int, bool, string, version, ints, bools, strings and "
          + "versions.",
      "validateDeviceAttribute"),

  /** The list of an attribute is not empty. */
  ATTRIBUTE_LIST_EMPTY(
      Group.DEVICES, "S", "The list of an attribute is not empty.", "validateDeviceAttribute"),

  /** A string or version of an attribute has at most 64 bytes. */
  ATTRIBUTE_TEXT_SIZE(
      Group.DEVICES,
      "S",
      "A string or version of an attribute has at most 64 bytes.",
      "DeviceAttributeMaxValueLength"),

  /** A version of an attribute is one of semver.org 2.0.0. */
  ATTRIBUTE_VERSION(
      Group.DEVICES,
      "S",
      "A version of an attribute is one of semver.org 2.0.0.",
      "validateDeviceAttributeVersionValue"),

  /**
   * With perDeviceNodeSelection each device has exactly one of nodeName, nodeSelector and allNodes.
   */
  DEVICE_NODE_ONE_OF(
      Group.DEVICES,
      "S",
      "With perDeviceNodeSelection each device has exactly one of nodeName, nodeSelector and "
          + "allNodes.",
      "validateDevice"),

  /** Without perDeviceNodeSelection no device has nodeName, nodeSelector or allNodes. */
  DEVICE_NODE_UNWANTED(
      Group.DEVICES,
      "S",
      "Without perDeviceNodeSelection no device has nodeName, nodeSelector or allNodes.",
      "validateDevice"),

  /** The nodeName of a device is not empty, and its allNodes is not false. */
  DEVICE_NODE_VALUE(
      Group.DEVICES,
      "S",
      "The nodeName of a device is not empty, and its allNodes is not false.",
      "validateDevice"),

  /** There are at most 4 bindingConditions and 4 bindingFailureConditions. */
  BINDING_CONDITIONS_MAX(
      Group.DEVICES,
      "SR",
      "There are at most 4 bindingConditions and 4 bindingFailureConditions.",
      "BindingConditionsMaxSize"),

  /** A binding condition has the format of a label name. */
  BINDING_CONDITION_NAME(
      Group.DEVICES,
      "SR",
      "A binding condition has the format of a label name.",
      "validateDeviceBindingParameters"),

  /** A binding condition is named once, in bindingConditions or in bindingFailureConditions. */
  BINDING_CONDITION_UNIQUE(
      Group.DEVICES,
      "SR",
      "A binding condition is named once, in bindingConditions or in "
          + "bindingFailureConditions.",
      "validateDeviceBindingParameters"),

  /** bindingConditions and bindingFailureConditions are both present or both absent. */
  BINDING_CONDITIONS_PAIR(
      Group.DEVICES,
      "SR",
      "bindingConditions and bindingFailureConditions are both present or both absent.",
      "validateDeviceBindingParameters"),

  /** nodeAllocatableResources names cpu, memory or huge pages. */
  NODE_RESOURCE_NAME(
      Group.DEVICES,
      "S",
      "nodeAllocatableResources names cpu, memory or huge pages.",
      "IsNodeAllocatableResourceName"),

  /** A multiplier of a node resource is above zero, an overhead not below zero. */
  NODE_RESOURCE_AMOUNT(
      Group.DEVICES,
      "S",
      "A multiplier of a node resource is above zero, an overhead not below zero.",
      "validateNodeAllocatableMapping"),

  /**
   * A node resource has a mapping or an overhead; a mapping has capacityKey and capacityMultiplier,
   * or deviceMultiplier; an overhead has perPod or perContainer.
   */
  NODE_RESOURCE_ONE_OF(
      Group.DEVICES,
      "S",
      "A node resource has a mapping or an overhead; a mapping has capacityKey and "
          + "capacityMultiplier, or deviceMultiplier; an overhead has perPod or perContainer.",
      "API v1, NodeAllocatableResource"),

  /** The capacityKey of a node resource is a capacity of the device. */
  NODE_RESOURCE_CAPACITY(
      Group.DEVICES,
      "S",
      "The capacityKey of a node resource is a capacity of the device.",
      "API v1, NodeAllocatableMapping"),

  /** A slice has at most 8 sharedCounters. */
  COUNTER_SETS_MAX(
      Group.COUNTERS, "S", "A slice has at most 8 sharedCounters.", "ResourceSliceMaxCounterSets"),

  /** The counter sets of a slice have different names. */
  COUNTER_SET_UNIQUE(
      Group.COUNTERS,
      "S",
      "The counter sets of a slice have different names.",
      "validateResourceSliceSpec"),

  /** The name of a counter set is a DNS label of at most 63 bytes. */
  COUNTER_SET_NAME(
      Group.COUNTERS,
      "S",
      "The name of a counter set is a DNS label of at most 63 bytes.",
      "validateCounterSet"),

  /** A counter set, and each entry of consumesCounters, names at least one counter. */
  COUNTERS_REQUIRED(
      Group.COUNTERS,
      "S",
      "A counter set, and each entry of consumesCounters, names at least one counter.",
      "validateCounterSet"),

  /** A counter set, and each entry of consumesCounters, names at most 32 counters. */
  COUNTERS_MAX(
      Group.COUNTERS,
      "S",
      "A counter set, and each entry of consumesCounters, names at most 32 counters.",
      "ResourceSliceMaxCountersPerCounterSet"),

  /** The name of a counter is a DNS label of at most 63 bytes. */
  COUNTER_NAME(
      Group.COUNTERS,
      "S",
      "The name of a counter is a DNS label of at most 63 bytes.",
      "validateCounterName"),

  /** A device draws on at most 2 counter sets. */
  CONSUMED_SETS_MAX(
      Group.COUNTERS,
      "S",
      "A device draws on at most 2 counter sets.",
      "ResourceSliceMaxDeviceCounterConsumptionsPerDevice"),

  /** A device draws on a counter set once. */
  CONSUMED_SET_UNIQUE(
      Group.COUNTERS, "S", "A device draws on a counter set once.", "validateDevice"),

  /** An entry of consumesCounters has at most 2 compatibilityGroups. */
  COMPATIBILITY_GROUPS_MAX(
      Group.COUNTERS,
      "S",
      "An entry of consumesCounters has at most 2 compatibilityGroups.",
      "DeviceCompatibilityGroupsMaxSize"),

  /** A compatibility group is a DNS label, named once. */
  COMPATIBILITY_GROUP_NAME(
      Group.COUNTERS,
      "S",
      "A compatibility group is a DNS label, named once.",
      "API v1, DeviceCounterConsumption"),

  /**
   * With partitionTypeAttribute at least one device of the slice draws on counters, and each such
   * device has that attribute, as a string.
   */
  PARTITION_TYPE(
      Group.COUNTERS,
      "S",
      "With partitionTypeAttribute at least one device of the slice draws on counters, and each"
          + " such device has that attribute, as a string.",
      "API v1, ResourceSliceSpec"),

  /** Only devices with allowMultipleAllocations have a requestPolicy. */
  POLICY_SHAREABLE(
      Group.CAPACITIES,
      "S",
      "Only devices with allowMultipleAllocations have a requestPolicy.",
      "validateSingleAllocatableDeviceCapacity"),

  /** A requestPolicy has validValues or validRange, not both. */
  POLICY_ONE_OF(
      Group.CAPACITIES,
      "S",
      "A requestPolicy has validValues or validRange, not both.",
      "validateRequestPolicy"),

  /** A requestPolicy with validValues or validRange has a default. */
  POLICY_DEFAULT(
      Group.CAPACITIES,
      "S",
      "A requestPolicy with validValues or validRange has a default.",
      "validateValidRequestValues"),

  /** There are at most 10 validValues. */
  POLICY_VALUES_MAX(
      Group.CAPACITIES,
      "S",
      "There are at most 10 validValues.",
      "CapacityRequestPolicyDiscreteMaxOptions"),

  /** validValues are in ascending order, without duplicates. */
  POLICY_VALUES_ORDER(
      Group.CAPACITIES,
      "S",
      "validValues are in ascending order, without duplicates.",
      "validateRequestPolicyValidValues"),

  /** No valid value is above the capacity. */
  POLICY_VALUE_SIZE(
      Group.CAPACITIES,
      "S",
      "No valid value is above the capacity.",
      "validateRequestPolicyValidValues"),

  /** The default is one of the validValues. */
  POLICY_DEFAULT_LISTED(
      Group.CAPACITIES,
      "S",
      "The default is one of the validValues.",
      "validateRequestPolicyValidValues"),

  /** A validRange has min. */
  POLICY_RANGE_MIN(Group.CAPACITIES, "S", "A validRange has min.", "validateRequestPolicyRange"),

  /** In a validRange min is not above max, and neither is above the capacity. */
  POLICY_RANGE_ORDER(
      Group.CAPACITIES,
      "S",
      "In a validRange min is not above max, and neither is above the capacity.",
      "validateRequestPolicyRange"),

  /** The default is not below min and not above max. */
  POLICY_RANGE_DEFAULT(
      Group.CAPACITIES,
      "S",
      "The default is not below min and not above max.",
      "validateRequestPolicyRange"),

  /**
   * The numbers of a validRange are whole, with a step that is not negative, and fit in 64 bits; or
   * all fit in 64 bits in thousandths.
   */
  POLICY_RANGE_NUMBERS(
      Group.CAPACITIES,
      "S",
      "The numbers of a validRange are whole, with a step that is not negative, and fit in 64"
          + " bits; or all fit in 64 bits in thousandths.",
      "validateRequestPolicyRange"),

  /** The step of a validRange is above zero. */
  POLICY_STEP_POSITIVE(
      Group.CAPACITIES,
      "S",
      "The step of a validRange is above zero.",
      "validateRequestPolicyRangeStep"),

  /** The sum of min and one step is not above the capacity. */
  POLICY_STEP_SIZE(
      Group.CAPACITIES,
      "S",
      "The sum of min and one step is not above the capacity.",
      "validateRequestPolicyRange"),

  /** The default and max are min plus a multiple of the step. */
  POLICY_STEP_MULTIPLE(
      Group.CAPACITIES,
      "S",
      "The default and max are min plus a multiple of the step.",
      "validateRequestPolicyRangeStep"),

  /** A device has at most 16 taints. */
  TAINTS_MAX(
      Group.TAINTS_AND_TOLERATIONS,
      "S",
      "A device has at most 16 taints.",
      "DeviceTaintsMaxLength"),

  /** The key of a taint has the format of a label name. */
  TAINT_KEY(
      Group.TAINTS_AND_TOLERATIONS,
      "SD",
      "The key of a taint has the format of a label name.",
      "validateDeviceTaint"),

  /** The value of a taint is a valid label value. */
  TAINT_VALUE(
      Group.TAINTS_AND_TOLERATIONS,
      "SD",
      "The value of a taint is a valid label value.",
      "validateDeviceTaint"),

  /** The effect of a taint is None, NoSchedule or NoExecute. */
  TAINT_EFFECT(
      Group.TAINTS_AND_TOLERATIONS,
      "SD",
      "The effect of a taint is None, NoSchedule or NoExecute.",
      "validateDeviceTaint"),

  /** A DeviceTaintRule selects the devices that it taints. */
  TAINT_RULE_SELECTOR(
      Group.TAINTS_AND_TOLERATIONS,
      "D",
      "A DeviceTaintRule selects the devices that it taints.",
      "DeviceTaintRuleSpec.DeviceSelector"),

  /** The key of a toleration, if there is one, has the format of a label name. */
  TOLERATION_KEY(
      Group.TAINTS_AND_TOLERATIONS,
      "RT",
      "The key of a toleration, if there is one, has the format of a label name.",
      "validateDeviceToleration"),

  /** The operator of a toleration is Exists or Equal. */
  TOLERATION_OPERATOR(
      Group.TAINTS_AND_TOLERATIONS,
      "RT",
      "The operator of a toleration is Exists or Equal.",
      "validateDeviceToleration"),

  /** With Exists a toleration has no value; with Equal it has a valid label value. */
  TOLERATION_VALUE(
      Group.TAINTS_AND_TOLERATIONS,
      "RT",
      "With Exists a toleration has no value; with Equal it has a valid label value.",
      "validateDeviceToleration"),

  /** The effect of a toleration is None, NoSchedule or NoExecute, or not set. */
  TOLERATION_EFFECT(
      Group.TAINTS_AND_TOLERATIONS,
      "RT",
      "The effect of a toleration is None, NoSchedule or NoExecute, or not set.",
      "validateDeviceToleration"),

  /** A claim has at most 32 requests. */
  REQUESTS_MAX(Group.REQUESTS, "RT", "A claim has at most 32 requests.", "DeviceRequestsMaxSize"),

  /** The requests of a claim have different names. */
  REQUEST_UNIQUE(
      Group.REQUESTS, "RT", "The requests of a claim have different names.", "validateDeviceClaim"),

  /** A request has either exactly (v1beta1: fields of its own) or firstAvailable. */
  REQUEST_ONE_OF(
      Group.REQUESTS,
      "RT",
      "A request has exactly one of exactly and firstAvailable (v1beta1: fields of its own or "
          + "firstAvailable).",
      "validateDeviceRequest"),

  /** A request has at most 8 alternatives in firstAvailable. */
  ALTERNATIVES_MAX(
      Group.REQUESTS,
      "RT",
      "A request has at most 8 alternatives in firstAvailable.",
      "FirstAvailableDeviceRequestMaxSize"),

  /** The alternatives of a request have different names. */
  ALTERNATIVE_UNIQUE(
      Group.REQUESTS,
      "RT",
      "The alternatives of a request have different names.",
      "validateDeviceRequest"),

  /** The allocationMode is ExactCount or All. */
  ALLOCATION_MODE(
      Group.REQUESTS,
      "RT",
      "The allocationMode is ExactCount or All.",
      "validateDeviceAllocationMode"),

  /** The count of ExactCount is not below zero; no count and 0 mean 1. */
  COUNT_POSITIVE(
      Group.REQUESTS,
      "RT",
      "The count of ExactCount is not below zero; no count and 0 mean 1.",
      "validateDeviceAllocationMode"),

  /** With All there is no count. */
  COUNT_WITH_ALL(
      Group.REQUESTS, "RT", "With All there is no count.", "validateDeviceAllocationMode"),

  /**
   * The namespace of a claim or template with adminAccess has the label
   * resource.kubernetes.io/admin-access: "true", if the files have the namespace.
   */
  ADMIN_ACCESS_NAMESPACE(
      Group.REQUESTS,
      "RT",
      "The namespace of a claim or template with adminAccess has the label "
          + "resource.kubernetes.io/admin-access: \"true\", if the files have the namespace.",
      "KEP-5018: DRAAdminNamespaceLabelKey"),

  /** There are at most 32 selectors. */
  SELECTORS_MAX(Group.REQUESTS, "CRT", "There are at most 32 selectors.", "DeviceSelectorsMaxSize"),

  /** A selector has cel. */
  SELECTOR_CEL(Group.REQUESTS, "CRT", "A selector has cel.", "validateSelector"),

  /** An expression has at most 10240 bytes. */
  SELECTOR_SIZE(
      Group.REQUESTS,
      "CRT",
      "An expression has at most 10240 bytes.",
      "CELSelectorExpressionMaxLength"),

  /** An expression compiles, and its result is a boolean. */
  SELECTOR_EXPRESSION(
      Group.REQUESTS,
      "CRT",
      "An expression compiles, and its result is a boolean.",
      "validateCELSelector"),

  /** The estimated cost of an expression is at most 1000000. */
  SELECTOR_COST(
      Group.REQUESTS,
      "CRT",
      "The estimated cost of an expression is at most 1000000.",
      "CELSelectorExpressionMaxCost"),

  /** There are at most 32 derivedAttributes. */
  DERIVED_ATTRIBUTES_MAX(
      Group.REQUESTS,
      "RT",
      "There are at most 32 derivedAttributes.",
      "DeviceDerivedAttributesMaxSize"),

  /** The derived attributes of a request have different names. */
  DERIVED_ATTRIBUTE_UNIQUE(
      Group.REQUESTS,
      "RT",
      "The derived attributes of a request have different names.",
      "API v1, ExactDeviceRequest"),

  /** A derived attribute is named by a constraint on its request. */
  DERIVED_ATTRIBUTE_USED(
      Group.REQUESTS,
      "RT",
      "A derived attribute is named by a constraint on its request.",
      "API v1, DeviceDerivedAttribute"),

  /** A derived attribute has at most 10240 bytes, compiles, and yields a value or a list. */
  DERIVED_ATTRIBUTE_EXPRESSION(
      Group.REQUESTS,
      "RT",
      "The expression of a derived attribute has at most 10240 bytes, compiles, and its "
          + "result is a value or a list of values.",
      "API v1, DeviceDerivedAttribute"),

  /** The estimated costs of all derived attributes of a claim are at most 1000000 together. */
  DERIVED_ATTRIBUTES_COST(
      Group.REQUESTS,
      "RT",
      "The estimated costs of all derived attributes of a claim are at most 1000000 together.",
      "DeviceClaimDerivedAttributeCELMaxCost"),

  /** A claim has at most 32 constraints. */
  CONSTRAINTS_MAX(
      Group.CONSTRAINTS_AND_CONFIGURATION,
      "RT",
      "A claim has at most 32 constraints.",
      "DeviceConstraintsMaxSize"),

  /** A constraint compares an attribute. */
  CONSTRAINT_ATTRIBUTE(
      Group.CONSTRAINTS_AND_CONFIGURATION,
      "RT",
      "A constraint compares an attribute.",
      "validateDeviceConstraint"),

  /** A constraint or configuration names at most 32 requests. */
  REQUEST_REFERENCES_MAX(
      Group.CONSTRAINTS_AND_CONFIGURATION,
      "RT",
      "A constraint or configuration names at most 32 requests.",
      "DeviceRequestsMaxSize"),

  /** A reference to a request names a request of the claim: REQUEST, or REQUEST/ALTERNATIVE. */
  REQUEST_REFERENCE(
      Group.CONSTRAINTS_AND_CONFIGURATION,
      "RT",
      "A reference to a request names a request of the claim: REQUEST, or REQUEST/ALTERNATIVE.",
      "validateRequestNameRef"),

  /** A constraint or configuration names a request once. */
  REQUEST_REFERENCE_UNIQUE(
      Group.CONSTRAINTS_AND_CONFIGURATION,
      "RT",
      "A constraint or configuration names a request once.",
      "validateDeviceConstraint"),

  /** A claim or class has at most 32 entries of configuration. */
  CONFIG_MAX(
      Group.CONSTRAINTS_AND_CONFIGURATION,
      "CRT",
      "A claim or class has at most 32 entries of configuration.",
      "DeviceConfigMaxSize"),

  /** An entry of configuration has opaque. */
  CONFIG_OPAQUE(
      Group.CONSTRAINTS_AND_CONFIGURATION,
      "CRT",
      "An entry of configuration has opaque.",
      "validateDeviceConfiguration"),

  /** Opaque parameters are given, and are a JSON object. */
  PARAMETERS(
      Group.CONSTRAINTS_AND_CONFIGURATION,
      "CRT",
      "Opaque parameters are given, and are a JSON object.",
      "validateRawExtension"),

  /** Opaque parameters have at most 10240 bytes. */
  PARAMETERS_SIZE(
      Group.CONSTRAINTS_AND_CONFIGURATION,
      "CRT",
      "Opaque parameters have at most 10240 bytes.",
      "OpaqueParametersMaxLength"),

  /** extendedResourceName is DOMAIN/NAME with a domain other than those of kubernetes.io. */
  EXTENDED_RESOURCE_NAME(
      Group.CONSTRAINTS_AND_CONFIGURATION,
      "C",
      "extendedResourceName is DOMAIN/NAME with a domain other than those of kubernetes.io.",
      "IsExtendedResourceName"),

  /** An allocation has at most 32 results. */
  RESULTS_MAX(
      Group.WHAT_WAS_ALLOCATED,
      "R",
      "An allocation has at most 32 results.",
      "AllocationResultsMaxSize"),

  /** An allocation has at most 64 entries of configuration. */
  ALLOCATION_CONFIG_MAX(
      Group.WHAT_WAS_ALLOCATED,
      "R",
      "An allocation has at most 64 entries of configuration.",
      "2 * DeviceConfigMaxSize"),

  /** The source of configuration is FromClass or FromClaim. */
  CONFIG_SOURCE(
      Group.WHAT_WAS_ALLOCATED,
      "R",
      "The source of configuration is FromClass or FromClaim.",
      "validateAllocationConfigSource"),

  /** shareID is a UUID of 36 lower case characters. */
  SHARE_ID(
      Group.WHAT_WAS_ALLOCATED,
      "R",
      "shareID is a UUID of 36 lower case characters.",
      "validateUID"),

  /** A claim is reserved for at most 256 consumers. */
  RESERVED_MAX(
      Group.WHAT_WAS_ALLOCATED,
      "R",
      "A claim is reserved for at most 256 consumers.",
      "ResourceClaimReservedForMaxSize"),

  /** A consumer has resource, name and uid. */
  RESERVED_CONSUMER(
      Group.WHAT_WAS_ALLOCATED,
      "R",
      "A consumer has resource, name and uid.",
      "validateResourceClaimUserReference"),

  /** Consumers have different uids. */
  RESERVED_UNIQUE(
      Group.WHAT_WAS_ALLOCATED,
      "R",
      "Consumers have different uids.",
      "validateResourceClaimStatusUpdate"),

  /** Only an allocated claim is reserved. */
  RESERVED_ALLOCATED(
      Group.WHAT_WAS_ALLOCATED,
      "R",
      "Only an allocated claim is reserved.",
      "validateResourceClaimStatusUpdate"),

  /** status.devices only has devices of the allocation. */
  STATUS_DEVICE_ALLOCATED(
      Group.WHAT_WAS_ALLOCATED,
      "R",
      "status.devices only has devices of the allocation.",
      "validateDeviceStatus"),

  /** status.devices has each device once. */
  STATUS_DEVICE_UNIQUE(
      Group.WHAT_WAS_ALLOCATED,
      "R",
      "status.devices has each device once.",
      "validateResourceClaimStatusUpdate"),

  /** The data of a device is a JSON object of at most 10240 bytes. */
  STATUS_DATA(
      Group.WHAT_WAS_ALLOCATED,
      "R",
      "The data of a device is a JSON object of at most 10240 bytes.",
      "AllocatedDeviceStatusDataMaxLength"),

  /** There are at most 8 conditions. */
  CONDITIONS_MAX(
      Group.WHAT_WAS_ALLOCATED,
      "RD",
      "There are at most 8 conditions.",
      "AllocatedDeviceStatusMaxConditions"),

  /**
   * A condition has a unique type in the format of a label name, status True, False or Unknown,
   * lastTransitionTime, and a reason of one word.
   */
  CONDITION(
      Group.WHAT_WAS_ALLOCATED,
      "RD",
      "A condition has a unique type in the format of a label name, status True, False or"
          + " Unknown, lastTransitionTime, and a reason of one word.",
      "ValidateConditions"),

  /** A network device has at most 16 ips. */
  NETWORK_ADDRESSES_MAX(
      Group.WHAT_WAS_ALLOCATED,
      "R",
      "A network device has at most 16 ips.",
      "NetworkDeviceDataMaxIPs"),

  /** Each of ips is an address with its prefix length, in canonical form, without duplicates. */
  NETWORK_ADDRESS(
      Group.WHAT_WAS_ALLOCATED,
      "R",
      "Each of ips is an address with its prefix length, in canonical form, without duplicates.",
      "IsValidInterfaceAddress"),

  /** interfaceName has at most 256 bytes. */
  INTERFACE_NAME_SIZE(
      Group.WHAT_WAS_ALLOCATED,
      "R",
      "interfaceName has at most 256 bytes.",
      "NetworkDeviceDataInterfaceNameMaxLength"),

  /** hardwareAddress has at most 128 bytes. */
  HARDWARE_ADDRESS_SIZE(
      Group.WHAT_WAS_ALLOCATED,
      "R",
      "hardwareAddress has at most 128 bytes.",
      "NetworkDeviceDataHardwareAddressMaxLength"),

  /** A resourceClaims entry has a DNS label as name, a DNS subdomain for its claim or template. */
  POD_CLAIM_NAME(
      Group.CLAIMS_OF_PODS,
      "PWJEFAGL",
      "An entry of resourceClaims has a name, a DNS label, and names its claim or template by a "
          + "DNS subdomain.",
      "validatePodResourceClaim"),

  /** An entry of resourceClaims names a claim or a template, not both. */
  POD_CLAIM_ONE_OF(
      Group.CLAIMS_OF_PODS,
      "PWJEFAGL",
      "An entry of resourceClaims names a claim or a template, not both.",
      "validatePodResourceClaim"),

  /** Entries of resourceClaims have different names. */
  POD_CLAIM_UNIQUE(
      Group.CLAIMS_OF_PODS,
      "PWJEFAGL",
      "Entries of resourceClaims have different names.",
      "ValidatePodResourceClaims"),

  /** The claims of a container are entries of the resourceClaims of its pod. */
  POD_CLAIM_USED(
      Group.CLAIMS_OF_PODS,
      "PWJEFA",
      "The claims of a container are entries of the resourceClaims of its pod.",
      "validateResourceClaimNames"),

  /** A request that a container names exists in its claim or template, if the files have that. */
  POD_CLAIM_REQUEST(
      Group.CLAIMS_OF_PODS,
      "PWJEFA",
      "A request that a container names exists in its claim or template, if the files have that"
          + " object.",
      "core/v1.ResourceClaim.Request");

  private static final Map<String, ValidationRule> BY_ID =
      Arrays.stream(values()).collect(Collectors.toMap(ValidationRule::id, Function.identity()));

  /** The subject of a rule. */
  public enum Group {
    /** Syntax and types. */
    WHAT_CAN_BE_READ("Syntax and types"),
    /** Metadata. */
    METADATA("Metadata"),
    /** Names. */
    NAMES("Names"),
    /** Pools and nodes of ResourceSlices. */
    POOLS_AND_NODES_OF_RESOURCESLICES("Pools and nodes of ResourceSlices"),
    /** Devices. */
    DEVICES("Devices"),
    /** Counters. */
    COUNTERS("Counters"),
    /** Capacities. */
    CAPACITIES("Capacities"),
    /** Taints and tolerations. */
    TAINTS_AND_TOLERATIONS("Taints and tolerations"),
    /** Requests. */
    REQUESTS("Requests"),
    /** Constraints and configuration. */
    CONSTRAINTS_AND_CONFIGURATION("Constraints and configuration"),
    /** Allocations and status. */
    WHAT_WAS_ALLOCATED("Allocations and status"),
    /** Claims of pods. */
    CLAIMS_OF_PODS("Claims of pods");

    private final String title;

    Group(String title) {
      this.title = title;
    }

    /** {@return the title of the group for readers, a few words} */
    public String title() {
      return title;
    }
  }

  /** The consequence of a broken rule. */
  public enum Severity {
    /** The API server rejects the object. */
    ERROR,
    /** The API server accepts the object, but it is probably a mistake. */
    WARNING
  }

  private final Group group;
  private final String kinds;
  private final String says;
  private final String source;

  ValidationRule(Group group, String kinds, String says, String source) {
    this.group = group;
    this.kinds = kinds;
    this.says = says;
    this.source = source;
  }

  /**
   * {@return the rule of a name}
   *
   * @param id its name, for example {@code driver-name}
   * @throws IllegalArgumentException if there is no rule of this name
   */
  public static ValidationRule byId(String id) {
    Objects.requireNonNull(id, "id");
    ValidationRule rule = BY_ID.get(id);
    if (rule == null) {
      throw new IllegalArgumentException("no rule " + id);
    }
    return rule;
  }

  /** {@return the name in all releases: lower case words with dashes, like {@code driver-name}} */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** {@return the subject of the rule, the group of rules that it belongs to} */
  public Group group() {
    return group;
  }

  /** {@return an error if the API server rejects an object that breaks the rule, else a warning} */
  public Severity severity() {
    return switch (this) {
      case STANDARD_ATTRIBUTE, POD_CLAIM_REQUEST, TAINT_RULE_SELECTOR, WHOLE_LIST ->
          Severity.WARNING;
      default -> Severity.ERROR;
    };
  }

  /** {@return the kinds with the rule, like {@code ResourceSlice}; empty for all known kinds} */
  public List<String> kinds() {
    return EnumSet.allOf(Kind.class).stream()
        .filter(kind -> kinds.indexOf(kind.letter) >= 0)
        .map(kind -> kind.text)
        .toList();
  }

  /** {@return the requirement of the rule, in one sentence} */
  public String says() {
    return says;
  }

  /** {@return the source of the rule, a constant or function of Kubernetes} */
  public String source() {
    return source;
  }

  /** The kinds, by their letters in the table. */
  private enum Kind {
    SLICE('S', "ResourceSlice"),
    CLASS('C', "DeviceClass"),
    CLAIM('R', "ResourceClaim"),
    TEMPLATE('T', "ResourceClaimTemplate"),
    TAINT_RULE('D', "DeviceTaintRule"),
    POD('P', "Pod"),
    STATEFUL_SET('W', "StatefulSet"),
    JOB('J', "Job"),
    DEPLOYMENT('E', "Deployment"),
    REPLICA_SET('F', "ReplicaSet"),
    DAEMON_SET('A', "DaemonSet"),
    POD_GROUP('G', "PodGroup"),
    WORKLOAD('L', "Workload");

    private final char letter;
    private final String text;

    Kind(char letter, String text) {
      this.letter = letter;
      this.text = text;
    }
  }
}
