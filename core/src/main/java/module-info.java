/** Model, manifests and allocation of Kubernetes Dynamic Resource Allocation. */
@SuppressWarnings("module") // io.dra4j.spi is compiled later
module io.dra4j.core {
  requires static transitive org.jspecify;
  requires transitive com.fasterxml.jackson.databind;
  requires com.google.common;
  requires org.yaml.snakeyaml;

  exports io.dra4j.allocation;
  exports io.dra4j.allocation.explanation;
  exports io.dra4j.allocation.policy;
  exports io.dra4j.allocation.status;
  exports io.dra4j.common;
  exports io.dra4j.internal.json to
      io.dra4j.spi;
  exports io.dra4j.inventory;
  exports io.dra4j.manifest;
  exports io.dra4j.manifest.task;
  exports io.dra4j.manifest.validation;
  exports io.dra4j.manifest.value;
  exports io.dra4j.model;
  exports io.dra4j.placement;
  exports io.dra4j.placement.bandwidth;
  exports io.dra4j.placement.cloud;
  exports io.dra4j.placement.gang;
  exports io.dra4j.scheduling;
  exports io.dra4j.scheduling.defragmentation;
  exports io.dra4j.scheduling.planning;
  exports io.dra4j.scheduling.reservation;
  exports io.dra4j.selector;
  exports io.dra4j.topology;
}
