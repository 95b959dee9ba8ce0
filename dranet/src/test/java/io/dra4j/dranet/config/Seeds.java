package io.dra4j.dranet.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Configurations and filters, from which the fuzzer starts. */
public final class Seeds {

  private static final List<String> CONFIGURATIONS =
      List.of(
          "{}",
          "{'interface':{'name':'gpu0rdma0','mtu':8896,'addresses':['192.168.1.5/32','2001:db8::5/64'],'hardwareAddr':'02:00:00:00:00:01'}}",
          "{'interface':{'dhcp':true,'gsoMaxSize':65536,'gsoIPv4MaxSize':65536,'vrf':{'name':'blue','table':10}}}",
          "{'routes':[{'destination':'0.0.0.0/0','gateway':'192.168.1.1','source':'192.168.1.5','scope':0,'table':100}]}",
          "{'rules':[{'priority':10,'source':'192.168.1.5/32','table':100},{'destination':'198.51.100.0/24','table':7}]}",
          "{'neighbors':[{'destination':'192.168.1.1','hardwareAddr':'02:00:00:00:00:09'}]}",
          "{'ethtool':{'features':{'tcp-segmentation-offload':false},'privateFlags':{'sniffer':true}}}",
          "{'profile':'fast','interface':{'disableEbpfPrograms':true}}");

  private static final List<String> FILTERS =
      List.of(
          "attributes['dra.net/type'].StringValue == 'veth'",
          "'dra.net/rdma' in attributes && attributes[ 'dra.net/rdma' ] . BoolValue",
          "device.attributes['dra.net'].mtu.IntValue > 1500",
          "attributes.size() > 0");

  private Seeds() {}

  /**
   * Writes each seed to a file, for Jazzer.
   *
   * @param args the directory
   * @throws IOException if it cannot be written
   */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createDirectories(Path.of(args[0]));
    List<byte[]> inputs = inputs();
    for (int i = 0; i < inputs.size(); i++) {
      Files.write(directory.resolve("seed-" + i), inputs.get(i));
    }
  }

  /** All of them, as inputs of {@link ConfigFuzzer#fuzzerTestOneInput}. */
  static List<byte[]> inputs() {
    List<byte[]> inputs = new ArrayList<>();
    CONFIGURATIONS.forEach(one -> inputs.add(("0" + one.replace('\'', '"')).getBytes(UTF_8)));
    FILTERS.forEach(one -> inputs.add(("1" + one).getBytes(UTF_8)));
    return inputs;
  }
}
