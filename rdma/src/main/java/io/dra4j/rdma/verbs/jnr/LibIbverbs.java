package io.dra4j.rdma.verbs.jnr;

/**
 * The functions that {@code libibverbs.so.1} exports in version {@code IBVERBS_1.1}. {@code dlsym}
 * finds them because it is the default version of each. {@code _ibv_query_gid_table} has version
 * {@code IBVERBS_1.11}. The inline functions of the header are not here: they use a table of the
 * context whose layout is not part of the interface. Addresses and sizes are {@code long} and
 * {@code uint8_t} is {@code int}, since callers pass both in whole registers. No function has six
 * parameters: jnr-ffi 2.3.4 crashes when it calls one on x86_64.
 */
@SuppressWarnings({"MissingSummary", "MethodName"}) // see the manual pages of section 3
public interface LibIbverbs {

  long ibv_get_device_list(long count);

  void ibv_free_device_list(long list);

  String ibv_get_device_name(long device);

  long ibv_open_device(long device);

  int ibv_close_device(long context);

  int ibv_query_device(long context, long attributes);

  int ibv_query_port(long context, int port, long attributes);

  int ibv_query_gid(long context, int port, int index, long gid);

  int ibv_query_pkey(long context, int port, int index, long key);

  long _ibv_query_gid_table(long context, long entries, long room, int flags, long size);
}
