#!/usr/bin/env python3
"""Plays PCI functions that nobody has at hand: a vfio-user server for QEMU's vfio-user-pci.

usage: fakepci.py SOCKET:KEY=VALUE,KEY=VALUE ...

Keys, in hex: vendor, device, class (6 digits), subvendor, subdevice, rev, serial (16 digits: the capability "device serial
number"). In decimal: speed (1 for 2.5 GT/s to 6 for 64), width (lanes), bar (MiB of BAR 0).

A function has a config space, one 64-bit prefetchable memory BAR that reads as zero, the capabilities PCI Express and power
management, no interrupts and no DMA: all that sysfs says about a device, and no more. Prints "ready" once every socket is there.
The protocol: QEMU, docs/interop/vfio-user.rst.
"""
import json
import os
import socket
import struct
import sys
import threading

# Commands, in the order of the specification.
(VERSION, DMA_MAP, DMA_UNMAP, DEVICE_GET_INFO, REGION_GET_INFO, REGION_GET_IO_FDS, IRQ_GET_INFO, SET_IRQS,
 REGION_READ, REGION_WRITE, DMA_READ, DMA_WRITE, RESET) = range(1, 14)

HEADER = struct.Struct("<HHIII")  # message id, command, size, flags, error
REPLY, ERROR, NO_REPLY = 0x01, 0x20, 0x10
EOPNOTSUPP = 95

REGIONS, INTERRUPTS = 9, 5  # as vfio-pci counts them
BAR0, CONFIG = 0, 7
CONFIG_SIZE = 4096

# Where what lies in the config space.
COMMAND, CACHE_LINE, BAR0_LOW, BAR0_END, CAPABILITIES, INTERRUPT_LINE = 0x04, 0x0c, 0x10, 0x18, 0x34, 0x3c
POWER, EXPRESS, SERIAL = 0x40, 0x60, 0x100
WRITABLE = {COMMAND, COMMAND + 1, CACHE_LINE, INTERRUPT_LINE, POWER + 4,
            EXPRESS + 8, EXPRESS + 9, EXPRESS + 16, EXPRESS + 17}


def config_space(settings):
    space = bytearray(CONFIG_SIZE)

    def put(at, layout, *values):
        struct.pack_into("<" + layout, space, at, *values)

    def number(key, default):
        return int(settings.get(key, default), 16)

    vendor, pci_class = number("vendor", "10de"), number("class", "030200")
    put(0x00, "HHHH", vendor, number("device", "2330"), 0, 0x10)  # status: has a list of capabilities
    put(0x08, "BBBB", number("rev", "a1"), pci_class & 0xff, pci_class >> 8 & 0xff, pci_class >> 16)
    put(BAR0_LOW, "I", 0x0c)  # memory, 64 bit, prefetchable
    put(0x2c, "HH", number("subvendor", f"{vendor:x}"), number("subdevice", "16c1"))
    put(CAPABILITIES, "B", POWER)
    put(POWER, "BBHHBB", 0x01, EXPRESS, 0x0003, 0x0008, 0, 0)  # version 3, no soft reset
    speed, width = int(settings.get("speed", 5)), int(settings.get("width", 16))
    put(EXPRESS, "BBH", 0x10, 0, 0x0002)  # an endpoint, version 2
    put(EXPRESS + 4, "IHH", 0x10008001, 0x2810, 0)  # device: function-level reset, role-based errors
    put(EXPRESS + 12, "IHH", speed | width << 4 | 0x00400000, 0, speed | width << 4)  # link: possible, control, present
    put(EXPRESS + 36, "I", 0)
    put(EXPRESS + 44, "I", (1 << speed + 1) - 2)  # link: all speeds up to this one
    put(EXPRESS + 48, "H", speed)
    if settings.get("serial"):
        put(SERIAL, "IQ", 0x00010003, int(settings["serial"], 16))
    return space


class Function:
    """One function: listens at once, answers one client until it goes."""

    def __init__(self, path, settings):
        self.bar_size = int(settings.get("bar", 16)) << 20
        self.space = config_space(settings)
        self.pristine = bytes(self.space)
        if os.path.exists(path):
            os.unlink(path)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen(1)

    def serve(self):
        self.client, _ = self.listener.accept()
        try:
            while True:
                identity, command, size, flags, _ = HEADER.unpack(self.take(HEADER.size))
                answer = self.answer(command, self.take(size - HEADER.size))
                if not flags & NO_REPLY:
                    failed = answer is None
                    answer = answer or b""
                    self.client.sendall(HEADER.pack(
                        identity, command, HEADER.size + len(answer),
                        REPLY | (ERROR if failed else 0), EOPNOTSUPP if failed else 0) + answer)
        except (EOFError, ConnectionError):
            pass  # the machine is gone

    def take(self, size):
        taken = bytearray()
        while len(taken) < size:
            part, descriptors, _, _ = socket.recv_fds(self.client, size - len(taken), 16)
            for descriptor in descriptors:  # of the guest's memory, which a function without DMA does not need
                os.close(descriptor)
            if not part:
                raise EOFError
            taken += part
        return bytes(taken)

    def answer(self, command, body):
        """The body of the reply, or None when the command is not supported."""
        if command == VERSION:
            capabilities = {"max_msg_fds": 8, "max_data_xfer_size": 1 << 20, "pgsizes": 4096}
            return struct.pack("<HH", 0, 0) + json.dumps({"capabilities": capabilities}).encode() + b"\0"
        if command in (DMA_MAP, DMA_UNMAP):
            return body
        if command == DEVICE_GET_INFO:
            return struct.pack("<IIII", 16, 3, REGIONS, INTERRUPTS)  # can be reset, is PCI
        if command == REGION_GET_INFO:
            region = struct.unpack_from("<I", body, 8)[0]
            size = {BAR0: self.bar_size, CONFIG: CONFIG_SIZE}.get(region, 0)
            return struct.pack("<IIIIQQ", 32, 3 if size else 0, region, 0, size, 0)  # readable and writable
        if command == IRQ_GET_INFO:
            return struct.pack("<IIII", 16, 0, struct.unpack_from("<I", body, 8)[0], 0)
        if command == REGION_READ:
            offset, region, count = struct.unpack_from("<QII", body)
            return body[:16] + (bytes(self.space[offset:offset + count]) if region == CONFIG else bytes(count))
        if command == REGION_WRITE:
            offset, region, _ = struct.unpack_from("<QII", body)
            if region == CONFIG:
                self.write(offset, body[16:])
            return body[:16]
        if command == RESET:
            self.space[:] = self.pristine
            return b""
        return b"" if command == SET_IRQS else None

    def write(self, offset, data):
        for at, value in enumerate(data, offset):
            if BAR0_LOW <= at < BAR0_LOW + 4:  # the low bits say what the BAR is, and how large
                mask = (0xffffffff & ~(self.bar_size - 1)) >> 8 * (at - BAR0_LOW) & 0xff
                self.space[at] = value & mask | self.pristine[at] & ~mask & 0xff
            elif at in WRITABLE or BAR0_LOW <= at < BAR0_END:
                self.space[at] = value


def main(arguments):
    functions = []
    for argument in arguments:
        path, _, settings = argument.partition(":")
        functions.append(Function(path, dict(each.split("=", 1) for each in settings.split(",") if each)))
    for function in functions:
        threading.Thread(target=function.serve).start()
    print("ready", flush=True)


main(sys.argv[1:])
