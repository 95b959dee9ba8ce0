package io.dra4j.dranet.cloud;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/** A cloud whose machines say by their firmware (SMBIOS) where they run. */
public enum Cloud {
  /** Google Compute Engine. */
  GCE,
  /** Amazon EC2. */
  AWS,
  /** Microsoft Azure. */
  AZURE,
  /** Oracle Cloud Infrastructure. */
  OKE,
  /** Alibaba Cloud. */
  ALIBABA;

  /** The chassis of each Azure machine; other machines of the vendor are Hyper-V guests. */
  private static final String AZURE_CHASSIS = "7783-7084-3265-9085-8269-3286-77";

  /**
   * Detects the cloud without asking the network.
   *
   * @param sys where sysfs is, {@code /sys}
   * @return the cloud; empty on another machine, or if the machine has no SMBIOS
   */
  public static Optional<Cloud> detect(Path sys) {
    Path folder = Objects.requireNonNull(sys, "sys").resolve("class/dmi/id");
    String vendor = read(folder.resolve("sys_vendor"));
    String chassis = read(folder.resolve("chassis_asset_tag"));
    if (vendor.equals("Google")) {
      return Optional.of(GCE);
    } else if (vendor.equals("Amazon EC2")) {
      return Optional.of(AWS);
    } else if (chassis.equals(AZURE_CHASSIS)) {
      return Optional.of(AZURE);
    } else if (chassis.equals("OracleCloud.com")) {
      return Optional.of(OKE);
    } else if (vendor.equals("Alibaba Cloud")) {
      return Optional.of(ALIBABA);
    }
    return Optional.empty();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) { // the fact is not there, or not for this user
      return "";
    }
  }

  /**
   * Says where the metadata server of the cloud is.
   *
   * @return scheme and host
   */
  public URI service() {
    return this == ALIBABA ? URI.create("http://100.100.100.200") : HttpMetadata.LINK_LOCAL;
  }

  /**
   * Asks the metadata server of the cloud.
   *
   * @param port the way to it
   * @return what it says
   * @throws IOException if it does not answer, or with something else
   */
  public CloudAttributes read(MetadataPort port) throws IOException {
    return switch (this) {
      case GCE -> CloudAttributes.gce(port);
      case AWS -> CloudAttributes.aws(port);
      case AZURE -> CloudAttributes.azure(port);
      case OKE -> CloudAttributes.oci(port);
      case ALIBABA -> CloudAttributes.alibaba(port);
    };
  }
}
