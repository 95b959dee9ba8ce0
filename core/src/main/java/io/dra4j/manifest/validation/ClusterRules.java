package io.dra4j.manifest.validation;

import io.dra4j.manifest.ManifestFinding;
import io.dra4j.manifest.RawObject;
import java.util.ArrayList;
import java.util.List;

/** The rules about several objects of a cluster, with findings once all objects were read. */
final class ClusterRules {

  private final ContainerRequests requests = new ContainerRequests();
  private final AdminNamespaces namespaces = new AdminNamespaces();

  /** Stores the parts of an object that the rules need. */
  void inspect(RawObject object, FieldCursor root) {
    requests.inspect(object, root);
    namespaces.inspect(object, root);
  }

  /** The findings about all objects so far. */
  List<ManifestFinding> findings() {
    List<ManifestFinding> findings = new ArrayList<>(namespaces.findings());
    findings.addAll(requests.findings());
    return findings;
  }
}
