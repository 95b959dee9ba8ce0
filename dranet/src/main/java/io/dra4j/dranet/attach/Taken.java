package io.dra4j.dranet.attach;

import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.dranet.config.VrfConfig;
import io.dra4j.spi.configuration.ConfigurationProblem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What several devices of a claim may not have in common. */
final class Taken {

  private final Map<String, String> names = new HashMap<>();
  private final Map<String, Long> vrfs = new HashMap<>();
  private final Map<Object, String> addresses = new HashMap<>();

  void check(LinkPlan plan, NetworkConfig config, List<ConfigurationProblem> problems) {
    String link = plan.host().link().name();
    String other = names.putIfAbsent(plan.podName(), link);
    if (other != null) {
      problems.add(
          new ConfigurationProblem(
              "/interface/name",
              "'"
                  + plan.podName()
                  + "' is the name of "
                  + other
                  + " in the pod, too; %d in a name stands for the number of the device"));
    }
    VrfConfig vrf = plan.vrf();
    if (vrf != null) {
      Long table = vrfs.putIfAbsent(vrf.name(), vrf.effectiveTable());
      if (table != null && table != vrf.effectiveTable()) {
        problems.add(
            new ConfigurationProblem(
                "/interface/vrf/table",
                "VRF "
                    + vrf.name()
                    + " has table "
                    + table
                    + " for another device, not "
                    + vrf.effectiveTable()));
      }
    }
    for (String name : vrfs.keySet()) {
      if (names.containsKey(name) && !name.equals(plan.podName())) {
        problems.add(
            new ConfigurationProblem(
                "/interface/vrf/name",
                "'" + name + "' is the name of " + names.get(name) + " in the pod"));
      } else if (names.containsKey(name) && (vrf == null || !vrf.name().equals(name))) {
        problems.add(
            new ConfigurationProblem(
                "/interface/name", "'" + name + "' is the name of a VRF in the pod, too"));
      }
    }
    if (!plan.given().isEmpty()) {
      String before = addresses.putIfAbsent(plan.given(), link);
      if (before != null) {
        problems.add(
            new ConfigurationProblem(
                "/interface/hardwareAddr", plan.given() + " is given to " + before + ", too"));
      }
    }
    if (config.link().addresses() != null) {
      for (int i = 0; i < plan.addresses().size(); i++) {
        Object address = plan.addresses().get(i).address().address();
        String before = addresses.putIfAbsent(address, link);
        if (before != null) {
          problems.add(
              new ConfigurationProblem(
                  "/interface/addresses/" + i, address + " is given to " + before + ", too"));
        }
      }
    }
  }
}
