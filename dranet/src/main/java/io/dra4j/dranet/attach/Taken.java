package io.dra4j.dranet.attach;

import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.dranet.config.VrfConfig;
import io.dra4j.spi.configuration.ConfigurationProblem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks that devices of a claim do not share names and addresses in the pod. */
final class Taken {

  private final Map<String, String> names = new HashMap<>();
  private final Map<String, Long> vrfs = new HashMap<>();
  private final Map<Object, String> addresses = new HashMap<>();

  void check(LinkPlan plan, NetworkConfig config, List<ConfigurationProblem> problems) {
    checkName(plan, problems);
    checkVrf(plan, problems);
    checkHardwareAddress(plan, problems);
    if (config.link().addresses() != null) {
      checkAddresses(plan, problems);
    }
  }

  private void checkName(LinkPlan plan, List<ConfigurationProblem> problems) {
    String link = plan.host().link().name();
    String other = names.putIfAbsent(plan.podName(), link);
    if (other != null) {
      problems.add(
          new ConfigurationProblem(
              "/interface/name",
              "'"
                  + plan.podName()
                  + "' is already the name of "
                  + other
                  + " in the pod; use %d in the name, which stands for the number of the device"));
    }
  }

  private void checkVrf(LinkPlan plan, List<ConfigurationProblem> problems) {
    VrfConfig vrf = plan.vrf();
    if (vrf != null) {
      Long table = vrfs.putIfAbsent(vrf.name(), vrf.effectiveTable());
      if (table != null && table != vrf.effectiveTable()) {
        problems.add(
            new ConfigurationProblem(
                "/interface/vrf/table",
                "VRF "
                    + vrf.name()
                    + " already has table "
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
                "'" + name + "' is already the name of " + names.get(name) + " in the pod"));
      } else if (names.containsKey(name) && (vrf == null || !vrf.name().equals(name))) {
        problems.add(
            new ConfigurationProblem(
                "/interface/name", "'" + name + "' is already the name of a VRF in the pod"));
      }
    }
  }

  private void checkHardwareAddress(LinkPlan plan, List<ConfigurationProblem> problems) {
    if (!plan.given().isEmpty()) {
      String before = addresses.putIfAbsent(plan.given(), plan.host().link().name());
      if (before != null) {
        problems.add(
            new ConfigurationProblem(
                "/interface/hardwareAddr",
                "address " + plan.given() + " is already assigned to " + before));
      }
    }
  }

  private void checkAddresses(LinkPlan plan, List<ConfigurationProblem> problems) {
    for (int i = 0; i < plan.addresses().size(); i++) {
      Object address = plan.addresses().get(i).address().address();
      String before = addresses.putIfAbsent(address, plan.host().link().name());
      if (before != null) {
        problems.add(
            new ConfigurationProblem(
                "/interface/addresses/" + i,
                "address " + address + " is already assigned to " + before));
      }
    }
  }
}
