/** Plugins of container runtimes: the Node Resource Interface (NRI) over ttrpc. */
module io.dra4j.nri {
  requires com.google.protobuf;
  requires static transitive org.jspecify;

  exports io.dra4j.nri;
}
