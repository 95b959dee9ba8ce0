package io.dra4j.dranet.attach;

import io.dra4j.netlink.rdma.RdmaDevice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that is to be done for one device.
 *
 * @param request the device
 * @param link the state that its link gets in the pod; null if it has none
 * @param rdma the RDMA device that is moved; null if none is
 * @param keep the step that keeps what the link is on the host; null if it has none
 * @param steps the other steps in their order
 */
record DevicePlan(
    AttachRequest request,
    @Nullable LinkPlan link,
    @Nullable RdmaDevice rdma,
    @Nullable PlannedStep keep,
    List<PlannedStep> steps) {}
