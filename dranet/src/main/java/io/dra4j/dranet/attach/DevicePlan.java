package io.dra4j.dranet.attach;

import io.dra4j.netlink.rdma.RdmaDevice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The planned steps for one device.
 *
 * @param request the device
 * @param link the planned state of its link in the pod; null if the device has no link
 * @param rdma the RDMA device to move; null for none
 * @param keep the step that records the state of the link on the host; null if the device has no
 *     link
 * @param steps the other steps in their order
 */
record DevicePlan(
    AttachRequest request,
    @Nullable LinkPlan link,
    @Nullable RdmaDevice rdma,
    @Nullable PlannedStep keep,
    List<PlannedStep> steps) {}
