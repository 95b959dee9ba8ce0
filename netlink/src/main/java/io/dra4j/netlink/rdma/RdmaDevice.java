package io.dra4j.netlink.rdma;

/**
 * An RDMA device.
 *
 * @param index its number, unique in its namespace
 * @param name its name, for example {@code mlx5_0}
 * @param ports the number of ports, or the number of its last port
 * @param nodeType {@code RDMA_NODE_...}: 1 channel adapter, 4 RNIC, 7 unspecified
 * @param nodeGuid its GUID
 * @param systemImageGuid the GUID of the system that it is in
 * @param capabilities {@code IB_DEVICE_...}
 * @param firmwareVersion empty if the driver does not report it
 * @param protocol {@code roce}, {@code ib}, {@code iw}, {@code opa} or {@code usnic}; empty if not
 *     known
 */
public record RdmaDevice(
    int index,
    String name,
    int ports,
    int nodeType,
    long nodeGuid,
    long systemImageGuid,
    long capabilities,
    String firmwareVersion,
    String protocol) {}
