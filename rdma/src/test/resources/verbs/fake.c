/*
 * A libibverbs for machines without RDMA devices: an InfiniBand device of two ports, mlx9_0, and a software device of one, rxe9. What
 * goes wrong is chosen when it is compiled: NO_KERNEL, LIST_FAILS, OPEN_FAILS, DEVICE_FAILS, PORT_FAILS, PKEY_FAILS, GIDS_FAIL,
 * MANY_GIDS, NO_GIDS; OLD has no table of GIDs. Structures are as the library hands them out (man ibv_query_device, ibv_query_port).
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

struct device { const char *name; int ports; };
struct context { struct device *device; };

struct limits {
  char firmware[64];
  uint8_t node_guid[8], system_guid[8];
  uint64_t region_bytes, page_sizes;
  uint32_t vendor, part, version;
  int queue_pairs, work_requests;
  unsigned capabilities;
  int pieces, read_pieces, queues, entries, regions, domains, reads, ee_reads, resources, begun, ee_begun, atomic;
  int ee, rdd, windows, raw6, raw, groups, group_pairs, all_pairs, handles, fast, maps, shared, shared_requests, shared_pieces;
  uint16_t keys;
  uint8_t delay, ports;
};

struct port {
  int state, max_mtu, active_mtu, gids;
  uint32_t capabilities, message_bytes, bad_keys, bad_queue_keys;
  uint16_t keys, lid, manager;
  uint8_t lmc, lanes, level, timeout, reply, width, speed, physical, layer, flags;
};

struct entry { uint8_t gid[16]; uint32_t index, port, type, netdev; };

static struct device devices[] = {{"rxe9", 1}, {"mlx9_0", 2}};
static struct device *list[] = {&devices[0], &devices[1], NULL};
static struct context contexts[2];
static int opened;

#define VERSIONED(name, is, was) __asm__(".symver " #is ", " #name "@@IBVERBS_1.1"); __asm__(".symver " #was ", " #name "@IBVERBS_1.0")

/* Of version 1.0: programs of 2006 have them. */
void *old_get_device_list(int *count) { *count = -1; return list; }
void *old_open_device(void *device) { (void)device; return NULL; }

void *get_device_list(int *count) {
#if defined(NO_KERNEL)
  errno = ENOSYS;
  return NULL;
#elif defined(LIST_FAILS)
  errno = ENOMEM;
  return NULL;
#else
  *count = 2;
  return list;
#endif
}
VERSIONED(ibv_get_device_list, get_device_list, old_get_device_list);

void ibv_free_device_list(void **freed) { (void)freed; }

const char *ibv_get_device_name(struct device *device) { return device->name; }

void *open_device(struct device *device) {
#ifdef OPEN_FAILS
  if (device == &devices[0]) { errno = EACCES; return NULL; }
#endif
  if (opened > 0) { errno = EMFILE; return NULL; } /* who does not close, gets no more */
  opened++;
  contexts[device - devices].device = device;
  return &contexts[device - devices];
}
VERSIONED(ibv_open_device, open_device, old_open_device);

int ibv_close_device(struct context *context) { (void)context; opened--; return 0; }

int ibv_query_device(struct context *context, struct limits *limits) {
  int infiniband = context->device == &devices[1];
#ifdef DEVICE_FAILS
  if (infiniband) return EIO;
#endif
  memset(limits, 0, sizeof *limits);
  if (infiniband) strcpy(limits->firmware, "28.39.1002");
  memcpy(limits->node_guid, "\x50\x6b\x4b\x03\x00\xf6\xa3\xc2", 8);
  memcpy(limits->system_guid, "\x50\x6b\x4b\x03\x00\xf6\xa3\xc0", 8);
  limits->region_bytes = UINT64_MAX;
  limits->page_sizes = 0xfffff000;
  limits->vendor = 0x2c9;
  limits->part = 4129;
  limits->version = 0x1ab;
  limits->queue_pairs = 131072;
  limits->capabilities = 0xed721c36;
  limits->regions = 16777216;
  limits->atomic = 1;
  limits->shared_pieces = 31;
  limits->keys = 128;
  limits->delay = 16;
  limits->ports = context->device->ports;
  return 0;
}

int ibv_query_port(struct context *context, uint8_t number, struct port *port) {
  int infiniband = context->device == &devices[1];
#ifdef PORT_FAILS
  if (number == 2) return ENODEV;
#endif
  port->state = number == 2 ? 1 : 4;
  port->max_mtu = 5;
  port->active_mtu = number == 2 ? 77 : 3;
#if defined(MANY_GIDS)
  port->gids = 1 << 30;
#elif defined(NO_GIDS)
  port->gids = infiniband ? 0 : -1;
#else
  port->gids = 256;
#endif
  port->capabilities = 0x02514868;
  port->message_bytes = 0x40000000;
  port->keys = 3;
  port->lid = infiniband ? 0xfffe : 0;
  port->lmc = 7;
  port->physical = 5;
  port->layer = infiniband ? 1 : 2;
  return 0;
}

static void gid(struct context *context, int port, int index, uint8_t *bytes) {
  memset(bytes, 0, 16);
  bytes[0] = 0xfe;
  bytes[1] = 0x80;
  bytes[8] = context->device == &devices[1];
  bytes[14] = port;
  bytes[15] = index;
}

int ibv_query_gid(struct context *context, uint8_t port, int index, uint8_t *bytes) {
#ifdef GIDS_FAIL
  if (index == 9) { errno = EIO; return -1; }
#endif
  if (index == 0 || index == 9 || index == 255) gid(context, port, index, bytes);
  else { memset(bytes, 0, 16); bytes[0] = 0xfe; bytes[1] = 0x80; }
  return 0;
}

int ibv_query_pkey(struct context *context, uint8_t port, int index, uint8_t *key) {
  (void)context;
#ifdef PKEY_FAILS
  if (index == 1) { errno = EINVAL; return -1; }
#endif
  key[0] = index == 0 ? 0xff : index == 1 ? 0x80 : 0x12;
  key[1] = index == 0 ? 0xff : index == 1 ? 0x00 : 0x30 + port;
  return 0;
}

#ifndef OLD
ssize_t _ibv_query_gid_table(struct context *context, struct entry *entries, size_t room, uint32_t flags, size_t size) {
  size_t count = 0;
  int port, i, places[] = {0, 9, 255};
  if (flags != 0 || size != sizeof(struct entry)) return -EINVAL;
#ifdef GIDS_FAIL
  return -EOPNOTSUPP;
#endif
  for (port = 1; port <= context->device->ports; port++)
    for (i = 0; i < 3; i++) {
      if (count == room) return -EINVAL;
      gid(context, port, places[i], entries[count].gid);
      entries[count].index = places[i];
      entries[count].port = port;
      entries[count].type = i == 2 ? 99 : context->device == &devices[1] ? 0 : 2;
      entries[count].netdev = i == 1 ? 7 : 0;
      count++;
    }
  return count;
}
#endif
