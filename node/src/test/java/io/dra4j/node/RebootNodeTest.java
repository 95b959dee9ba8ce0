package io.dra4j.node;

import static io.dra4j.node.NodeCluster.await;
import static io.dra4j.node.NodeCluster.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node that is started anew: its processes, network namespaces, links and the files below {@code
 * /run} are gone, and it has another boot id. Its disk is there, and the API server knows its pods.
 */
class RebootNodeTest {

  @TempDir private Path directory;

  @Test
  void podsOfTheBootBeforeGetInterfacesOfThisOne() throws Exception {
    try (NodeCluster cluster = NodeCluster.connect();
        TestLinks links = TestLinks.add(cluster, "boot", 2)) {
      AgentProcess.Options options =
          new AgentProcess.Options(directory.resolve("claims.db"), "boot-1", "");
      try (AgentProcess agent = AgentProcess.start(directory, options)) {
        cluster.create(links.pod("boot-a", "Always", 0));
        cluster.create(links.pod("boot-b", "Always", 0));
        links.awaitWith("boot-a");
        links.awaitWith("boot-b");
        String container = containerOf(cluster, "boot-a");
        NodeProgram kubelet = NodeProgram.find("kubelet");
        NodeProgram containerd = NodeProgram.find("containerd");

        agent.kill();
        kubelet.kill();
        containerd.kill();
        endContainers();
        links.removeLinks();
        deleteFiles(Path.of(System.getenv("CDI_DIR")));

        links.addLinks();
        containerd.start();
        await("containerd answers", RebootNodeTest::containerdAnswers); // the kubelet does not wait
        kubelet.start();
        agent.restart("boot-2");
        for (String pod : List.of("boot-a", "boot-b")) {
          await(pod + " has a new container", () -> !containerOf(cluster, pod).equals(container));
          await(pod + " has looked again", () -> cluster.logFile(pod).contains("WITH"));
          assertThat(cluster.logFile(pod)).as(pod).doesNotContain("LOST");
        }
        await("the pods have their interfaces", () -> links.there().isEmpty());
        cluster.delete("boot-a");
        cluster.delete("boot-b");
        links.awaitBack();
      }
    }
  }

  private static boolean containerdAnswers() {
    Path socket = Path.of(System.getenv("CONTAINERD_SOCKET"));
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return channel.connect(UnixDomainSocketAddress.of(socket));
    } catch (IOException e) {
      return false;
    }
  }

  private static String containerOf(NodeCluster cluster, String pod) {
    var statuses = cluster.pod(pod).getStatus().getContainerStatuses();
    return statuses.isEmpty() ? "" : String.valueOf(statuses.get(0).getContainerID());
  }

  /** Ends the processes of all containers, with which their namespaces end. */
  private static void endContainers() throws Exception {
    List<ProcessHandle> shims =
        ProcessHandle.allProcesses()
            .filter(one -> NodeProgram.command(one).toString().contains("containerd-shim"))
            .toList();
    for (ProcessHandle shim : shims) {
      shim.descendants().forEach(ProcessHandle::destroyForcibly);
      shim.destroyForcibly();
    }
    for (String line : run("cat", "/proc/mounts").lines().toList()) {
      String mount = line.split(" ", 3)[1];
      if (mount.contains("/netns/") || mount.contains("/run/state/")) {
        // A mount that is shared may have gone with another one.
        String unless = "umount -l \"$1\" || ! grep -qF \" $1 \" /proc/mounts";
        run("sh", "-c", unless, "sh", mount);
      }
    }
  }

  private static void deleteFiles(Path directory) throws Exception {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
  }
}
