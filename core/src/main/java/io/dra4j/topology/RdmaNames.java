package io.dra4j.topology;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names of the RDMA devices of a host, among the other names of its devices. */
final class RdmaNames {

  /** Names that drivers give, which number the devices of a host. */
  private static final Pattern NUMBERED =
      Pattern.compile(
          "((?:mlx[45]|mthca|hfi1|efa|erdma|hns|mana|ionic|cxgb4|usnic|bnxt_re|irdma|i40iw|qib"
              + "|ocrdma|qedr|rxe|siw)_?)(0|[1-9][0-9]{0,3})");

  /** Names that udev derives from locations (rdma-core, rdma_rename.c), and names of bonds. */
  private static final Pattern OTHER =
      Pattern.compile("(?:(?:rdma|roce|iw|opa)[pPos][0-9].*)|mlx[45]_bond_[0-9]+");

  private final Map<String, String> idByName = new TreeMap<>();

  RdmaNames(List<TopologyDevice> devices) {
    for (TopologyDevice device : devices) {
      for (String name : device.names()) {
        if (NUMBERED.matcher(name).matches() || OTHER.matcher(name).matches()) {
          idByName.put(name, device.id());
        }
      }
    }
  }

  List<String> all() {
    return List.copyOf(idByName.keySet());
  }

  /** The devices by number, in the order of nvidia-smi, if one driver numbers all from 0 on. */
  Optional<Map<Integer, String>> numbered(int wanted) {
    Map<Integer, String> ids = new HashMap<>();
    String prefix = null;
    for (Map.Entry<String, String> entry : idByName.entrySet()) {
      Matcher name = NUMBERED.matcher(entry.getKey());
      if (!name.matches() || (prefix != null && !prefix.equals(name.group(1)))) {
        return Optional.empty();
      }
      prefix = name.group(1);
      int number = Integer.parseInt(name.group(2));
      if (number >= wanted) {
        return Optional.empty();
      }
      ids.put(number, entry.getValue());
    }
    return ids.size() == wanted ? Optional.of(ids) : Optional.empty();
  }
}
