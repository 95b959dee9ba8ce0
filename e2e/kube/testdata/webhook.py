"""Says of the stand-in NICs gpuNrdma0 that they are RDMA devices, two behind each PCIe root: webhook.py PORT"""

import http.server
import json
import re
import sys


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer({"cloudProvider": True, "profileProvider": False})

    def do_POST(self):
        device = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        number = re.fullmatch(r"gpu(\d)rdma0", device["name"])
        if self.path != "/GetDeviceAttributes" or not number:
            return self.answer({})
        root = ("pci0000:8a", "pci0000:91")[int(number[1]) // 2]
        self.answer({"dra.net/rdma": {"bool": True}, "resource.kubernetes.io/pcieRoot": {"string": root}})

    def answer(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
