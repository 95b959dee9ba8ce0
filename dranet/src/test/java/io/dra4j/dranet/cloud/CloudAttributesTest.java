package io.dra4j.dranet.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.dranet.discovery.NetworkDevice;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.spi.PciFunction;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.topology.PciAddress;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The attributes of clouds, from responses in the documented formats; no server is queried. */
class CloudAttributesTest {

  private final Map<String, String> answers = new HashMap<>();
  private final Map<String, Map<String, String>> asked = new HashMap<>();

  private Optional<String> answer(String method, String path, Map<String, String> headers) {
    asked.put(method + " " + path, headers);
    return Optional.ofNullable(answers.get(method + " " + path)).map(one -> one.replace('\'', '"'));
  }

  private void told(String path, String answer) {
    answers.put("GET " + path, answer);
  }

  private static Map<String, String> texts(Map<String, DeviceAttribute> attributes) {
    Map<String, String> texts = new HashMap<>();
    attributes.forEach(
        (name, value) ->
            texts.put(
                name,
                value instanceof DeviceAttribute.StringValue text
                    ? text.value()
                    : value.toString()));
    return texts;
  }

  @Test
  void gceTellsPlaceAndNetworks() throws Exception {
    told("/computeMetadata/v1/instance/machine-type", "projects/42/machineTypes/a3-mega\n");
    told("/computeMetadata/v1/instance/attributes/physical_host", "/blk/sub/hst");
    told(
        "/computeMetadata/v1/instance/network-interfaces/?recursive=true",
        "[{'mac': '42:01:0A:00:00:02', 'network': 'projects/42/networks/rail-0', 'ipAliases':"
            + " ['10.1.0.0/24', '10.2.0.0/24']}, {'mac': '42:01:0a:00:00:03', 'network': 'odd'}]");

    CloudAttributes gce = CloudAttributes.gce(this::answer);

    assertThat(texts(gce.byAddress("02:00:00:00:00:01")))
        .containsOnly(
            Map.entry("gce.dra.net/machineType", "a3-mega"),
            Map.entry("gce.dra.net/block", "blk"),
            Map.entry("gce.dra.net/subBlock", "sub"),
            Map.entry("gce.dra.net/host", "hst"));
    assertThat(gce.byAddress("42:01:0a:00:00:02"))
        .containsEntry("gce.dra.net/networkName", DeviceAttribute.of("rail-0"))
        .containsEntry("gce.dra.net/networkProjectNumber", DeviceAttribute.of(42))
        .containsEntry("gce.dra.net/ipAliases", DeviceAttribute.of("10.1.0.0/24,10.2.0.0/24"));
    assertThat(gce.byAddress("42:01:0a:00:00:03")).hasSize(4);
    assertThat(asked.values()).containsOnly(Map.of("Metadata-Flavor", "Google"));
  }

  @Test
  void awsIsAskedWithATokenForEachInterface() throws Exception {
    answers.put("PUT /latest/api/token", "t0ken");
    told(
        "/latest/dynamic/instance-identity/document",
        "{'instanceType': 'p5.48xlarge', 'availabilityZone': 'eu-1a'}");
    String macs = "/latest/meta-data/network/interfaces/macs/";
    told(macs, "02:00:00:00:00:0a/\n../../secret/\n");
    told(macs + "02:00:00:00:00:0a/interface-id", "eni-7");
    told(macs + "02:00:00:00:00:0a/device-number", "1");

    CloudAttributes aws = CloudAttributes.aws(this::answer);

    assertThat(aws.byAddress("02:00:00:00:00:0a"))
        .containsOnly(
            Map.entry("aws.dra.net/instanceType", DeviceAttribute.of("p5.48xlarge")),
            Map.entry("aws.dra.net/availabilityZone", DeviceAttribute.of("eu-1a")),
            Map.entry("aws.dra.net/interfaceId", DeviceAttribute.of("eni-7")),
            Map.entry("aws.dra.net/deviceNumber", DeviceAttribute.of(1)));
    assertThat(asked.keySet()).noneMatch(path -> path.contains("secret"));
    assertThat(asked.get("GET " + macs)).isEqualTo(Map.of("X-aws-ec2-metadata-token", "t0ken"));
  }

  @Test
  void azureTellsWhatIsNotEmpty() throws Exception {
    told(
        "/metadata/instance/compute?api-version=2025-11-11&format=json",
        "{'vmSize': 'Standard_ND96', 'placementGroupId': '', 'interconnectGroupId': 'g'}");

    assertThat(CloudAttributes.azure(this::answer).byAddress("02:00:00:00:00:01"))
        .containsOnly(
            Map.entry("azure.dra.net/vmSize", DeviceAttribute.of("Standard_ND96")),
            Map.entry("azure.dra.net/interconnectGroupId", DeviceAttribute.of("g")));
  }

  @Test
  void azureLeadsPacketsOfAnInterfaceToItsGateways() throws Exception {
    told("/metadata/instance/compute?api-version=2025-11-11&format=json", "{}");
    told(
        "/metadata/instance/network?api-version=2025-11-11&format=json",
        "{'interface': [{'macAddress': '0022480A0001', 'ipv4': {'subnet': []}, 'ipv6':"
            + " {'ipAddress': [{'privateIpAddress': 'fe80::1'}]}}, {'macAddress': '0022480A0002',"
            + " 'ipv4': {'subnet': [{'address': '10.9.255.0', 'prefix': '24'}]}, 'ipv6':"
            + " {'ipAddress': [{'privateIpAddress': 'fd00::5'}]}}]}");

    CloudAttributes azure = CloudAttributes.azure(this::answer);

    assertThat(azure.configurationOf("00:22:48:0a:00:01", "fe80::9"))
        .isEqualTo(NetworkConfig.EMPTY);
    assertThat(azure.configurationOf("00:22:48:0a:00:02", ""))
        .isEqualTo(
            NetworkConfig.parse(
                """
                {"rules": [{"source": "10.9.255.0/24", "table": 101}],
                 "routes": [{"destination": "0.0.0.0/0", "gateway": "10.9.255.1", "table": 101}]}
                """));
    assertThat(azure.configurationOf("00:22:48:0a:00:02", "fe80::9"))
        .isEqualTo(
            NetworkConfig.parse(
                """
                {"rules": [{"source": "10.9.255.0/24", "table": 101},
                           {"source": "fd00::5/128", "table": 101}],
                 "routes": [{"destination": "0.0.0.0/0", "gateway": "10.9.255.1", "table": 101},
                            {"destination": "::/0", "gateway": "fe80::9", "table": 101}]}
                """));
  }

  @Test
  void azuresAddressThatIsNoneIsReported() {
    told("/metadata/instance/compute?api-version=2025-11-11&format=json", "{}");
    told(
        "/metadata/instance/network?api-version=2025-11-11&format=json",
        "{'interface': [{'macAddress': '0022480A0001', 'ipv6': {'ipAddress':"
            + " [{'privateIpAddress': 'fd00::x'}]}}]}");

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> CloudAttributes.azure(this::answer))
        .withMessageContaining("fd00::x");
  }

  @Test
  void awsGroupsInterfacesOfNeuronMachines() throws Exception {
    answers.put("PUT /latest/api/token", "t0ken");
    told("/latest/dynamic/instance-identity/document", "{'instanceType': 'trn2u.48xlarge'}");

    CloudAttributes aws = CloudAttributes.aws(this::answer);

    assertThat(aws.attributesOf(onFunction("0000:ca:00.0", "efa")))
        .containsOnly(
            Map.entry("aws.dra.net/instanceType", DeviceAttribute.of("trn2u.48xlarge")),
            Map.entry("resource.aws.com/devicegroup1_id", DeviceAttribute.of("0000:ca:00.0")),
            Map.entry("resource.aws.com/devicegroup4_id", DeviceAttribute.of("13713e551cd37c19")),
            Map.entry("resource.aws.com/devicegroup8_id", DeviceAttribute.of("3593812b8066a078")),
            Map.entry("resource.aws.com/devicegroup16_id", DeviceAttribute.of("821d14afaf11327d")));
    assertThat(aws.attributesOf(onFunction("0000:ca:00.0", "ena"))).hasSize(1);
    assertThat(aws.attributesOf(onFunction("0000:01:00.0", "efa"))).hasSize(1);
  }

  @Test
  void acceleratorsThatShareAnInterfaceCountItOnceInTheirGroup() {
    assertThat(NeuronGroups.of("trn1.32xlarge").attributesOf("0000:10:1A.0"))
        .containsEntry("resource.aws.com/devicegroup4_id", DeviceAttribute.of("88a3c6ad1661fe1d"));
    assertThat(NeuronGroups.of("p5.48xlarge").attributesOf("0000:10:1a.0")).isEmpty();
  }

  private static NetworkDevice onFunction(String address, String driver) {
    return new NetworkDevice(
        "a", PciFunction.at(PciAddress.parse(address)).driver(driver).build(), null, null);
  }

  @Test
  void alibabaIsAskedWithATokenAtAnAddressOfItsOwn() throws Exception {
    answers.put("PUT /latest/api/token", "t0ken\n");
    told("/latest/meta-data/instance/instance-type", "ecs.ebmgn8v.48xlarge");

    CloudAttributes alibaba = CloudAttributes.alibaba(this::answer);

    RdmaDevice elastic = RdmaDevice.named("erdma_0").build();
    assertThat(alibaba.attributesOf(new NetworkDevice("a", null, null, elastic)))
        .containsOnly(
            Map.entry("alibaba.dra.net/instanceType", DeviceAttribute.of("ecs.ebmgn8v.48xlarge")),
            Map.entry("alibaba.dra.net/erdma", DeviceAttribute.of(true)));
    assertThat(alibaba.attributesOf(new NetworkDevice("b", null, null, null))).hasSize(1);
    assertThat(asked.get("GET /latest/meta-data/instance/instance-type"))
        .isEqualTo(Map.of("X-aliyun-ecs-metadata-token", "t0ken"));
    assertThat(Cloud.ALIBABA.service()).hasToString("http://100.100.100.200");
  }

  @Test
  void ociTellsTheEndsOfItsIdentifiers() throws Exception {
    told(
        "/opc/v2/host/",
        "{'networkBlockId': 'outer', 'rackId': 'r1', 'rdmaTopologyData': {'customerHPCIslandId':"
            + " 'ocid1.hpcisland.oc1.x.abc', 'customerNetworkBlock': 'ocid1.b.oc1.x."
            + "y".repeat(70)
            + "'}}");

    assertThat(CloudAttributes.oci(this::answer).byAddress("02:00:00:00:00:01"))
        .containsOnly(
            Map.entry("oke.dra.net/rackId", DeviceAttribute.of("r1")),
            Map.entry("oke.dra.net/hpcIslandId", DeviceAttribute.of("abc")),
            Map.entry("oke.dra.net/networkBlockId", DeviceAttribute.of("y".repeat(60))));
  }

  @Test
  void answersOfOtherShapesAreTold() {
    told("/opc/v2/host/", "<html>");
    told("/metadata/instance/compute?api-version=2025-11-11&format=json", "7");

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> CloudAttributes.oci(this::answer))
        .withMessage("metadata of /opc/v2/host/ is not valid JSON");
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> CloudAttributes.azure(this::answer))
        .withMessageEndingWith("is not a JSON object or array");
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> CloudAttributes.aws(this::answer))
        .withMessage("the metadata service returned no token");
  }
}
