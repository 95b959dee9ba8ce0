package io.dra4j.dranet.cloud;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/** A cloud that is recognized by the firmware (SMBIOS) of its machines. */
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

  /**
   * The chassis tag of all Azure machines. Other machines of the same vendor are Hyper-V guests.
   */
  private static final String AZURE_CHASSIS = "7783-7084-3265-9085-8269-3286-77";

  /**
   * {@return the cloud, without network access; empty if it is none of these or there is no SMBIOS}
   *
   * @param sys the mount point of sysfs, {@code /sys}
   */
  public static Optional<Cloud> detect(Path sys) {
    Path directory = Objects.requireNonNull(sys, "sys").resolve("class/dmi/id");
    String vendor = read(directory.resolve("sys_vendor"));
    String chassis = read(directory.resolve("chassis_asset_tag"));
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
    } catch (IOException e) { // the file does not exist, or this user cannot read it
      return "";
    }
  }

  /** {@return the address of the metadata server of the cloud, scheme and host} */
  public URI service() {
    return this == ALIBABA ? URI.create("http://100.100.100.200") : HttpMetadata.LINK_LOCAL;
  }

  /**
   * Queries the metadata server of the cloud.
   *
   * @param port the connection to the server
   * @return the attributes
   * @throws IOException if it does not respond, or its response is not valid
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
