package io.dra4j.kubelet;

import com.google.protobuf.Message;
import io.dra4j.kubelet.wire.InfoRequest;
import io.dra4j.kubelet.wire.PluginInfo;
import io.dra4j.kubelet.wire.PrepareRequest;
import io.dra4j.kubelet.wire.PrepareResponse;
import io.dra4j.kubelet.wire.RegistrationStatus;
import io.dra4j.kubelet.wire.RegistrationStatusResponse;
import io.dra4j.kubelet.wire.UnprepareRequest;
import io.dra4j.kubelet.wire.UnprepareResponse;
import io.dra4j.kubelet.wire.WatchRequest;
import io.dra4j.kubelet.wire.WatchResponse;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.protobuf.ProtoUtils;

/**
 * The methods that the kubelet calls, with the names of {@code k8s.io/kubelet/pkg/apis}. The
 * versions of a service differ in name only; they share their messages.
 */
final class Services {

  /** The plugin type of DRA drivers. */
  static final String DRA_PLUGIN_TYPE = "DRAPlugin";

  static final MethodDescriptor<InfoRequest, PluginInfo> GET_INFO =
      method(
          MethodType.UNARY,
          "pluginregistration.Registration/GetInfo",
          InfoRequest.getDefaultInstance(),
          PluginInfo.getDefaultInstance());

  static final MethodDescriptor<RegistrationStatus, RegistrationStatusResponse> NOTIFY =
      method(
          MethodType.UNARY,
          "pluginregistration.Registration/NotifyRegistrationStatus",
          RegistrationStatus.getDefaultInstance(),
          RegistrationStatusResponse.getDefaultInstance());

  private Services() {}

  /** A version of the service DRAPlugin. */
  @SuppressWarnings("ImmutableEnumChecker") // gRPC's type is immutable, but not annotated
  enum Dra {
    V1("v1.DRAPlugin", "k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin"),
    V1BETA1("v1beta1.DRAPlugin", "k8s.io.kubelet.pkg.apis.dra.v1beta1.DRAPlugin");

    /** The name in {@code PluginInfo.supported_versions}. */
    final String announced;

    final String service;
    final MethodDescriptor<PrepareRequest, PrepareResponse> prepare;
    final MethodDescriptor<UnprepareRequest, UnprepareResponse> unprepare;

    Dra(String announced, String service) {
      this.announced = announced;
      this.service = service;
      this.prepare =
          method(
              MethodType.UNARY,
              service + "/NodePrepareResources",
              PrepareRequest.getDefaultInstance(),
              PrepareResponse.getDefaultInstance());
      this.unprepare =
          method(
              MethodType.UNARY,
              service + "/NodeUnprepareResources",
              UnprepareRequest.getDefaultInstance(),
              UnprepareResponse.getDefaultInstance());
    }
  }

  /** A version of the service DRAResourceHealth; it is announced by its name. */
  @SuppressWarnings("ImmutableEnumChecker") // gRPC's type is immutable, but not annotated
  enum Health {
    V1("v1.DRAResourceHealth"),
    V1ALPHA1("v1alpha1.DRAResourceHealth");

    final String service;
    final MethodDescriptor<WatchRequest, WatchResponse> watch;

    Health(String service) {
      this.service = service;
      this.watch =
          method(
              MethodType.SERVER_STREAMING,
              service + "/NodeWatchResources",
              WatchRequest.getDefaultInstance(),
              WatchResponse.getDefaultInstance());
    }
  }

  private static <Q extends Message, R extends Message> MethodDescriptor<Q, R> method(
      MethodType type, String name, Q request, R response) {
    return MethodDescriptor.<Q, R>newBuilder()
        .setType(type)
        .setFullMethodName(name)
        .setRequestMarshaller(ProtoUtils.marshaller(request))
        .setResponseMarshaller(ProtoUtils.marshaller(response))
        .build();
  }
}
