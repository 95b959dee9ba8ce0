module dra4j.dev/rdma-scan

go 1.26.0
