import type { KubeContainer, KubeContainerStatus, KubePod } from "@plimsoll/contracts";
import type { FieldReader } from "./field-reader.ts";
import { pooled } from "./pool.ts";
import { projectConditions, projectMetadata, projectResources, projectResourcesInForce } from "./project-metadata.ts";
import type { Sharing } from "./sharing.ts";

/** A pod without env, commands, probes, security contexts and volumes other than claims. */
export function projectPod(pod: FieldReader, share: Sharing): KubePod {
  const spec = pod.object("spec");
  const status = pod.optionalObject("status");
  return {
    metadata: projectMetadata(pod, share),
    spec: {
      nodeName: pooled(share.text, spec.optionalText("nodeName")),
      containers: projectContainers(spec.list("containers"), share),
      initContainers: projectSome(spec.optionalList("initContainers"), share),
      overhead: pooled(share.texts, spec.optionalQuantities("overhead")),
      resources: projectResources(spec, "resources", share),
      priorityClassName: pooled(share.text, spec.optionalText("priorityClassName")),
      volumes: projectClaims(spec),
    },
    status: status && projectPodStatus(status, share),
  };
}

/** Name, image, resources and restart policy of each container. */
export function projectContainers(containers: readonly FieldReader[], share: Sharing): readonly KubeContainer[] {
  return share.containers(
    containers.map((container) => ({
      name: container.text("name"),
      image: container.optionalText("image"),
      resources: projectResources(container, "resources", share),
      restartPolicy: container.optionalText("restartPolicy"),
    })),
  );
}

function projectSome(containers: readonly FieldReader[] | undefined, share: Sharing) {
  return containers && containers.length > 0 ? projectContainers(containers, share) : undefined;
}

function projectPodStatus(status: FieldReader, share: Sharing): KubePod["status"] {
  return {
    phase: pooled(share.text, status.optionalText("phase")),
    reason: pooled(share.text, status.optionalText("reason")),
    startTime: pooled(share.text, status.optionalText("startTime")),
    conditions: projectConditions(status, share),
    containerStatuses: projectStatuses(status, "containerStatuses", share),
    initContainerStatuses: projectStatuses(status, "initContainerStatuses", share),
    allocatedResources: pooled(share.texts, status.optionalQuantities("allocatedResources")),
    resources: projectResourcesInForce(status, share),
  };
}

function projectStatuses(status: FieldReader, field: string, share: Sharing) {
  const statuses = status.optionalList(field)?.map((container) => projectContainerStatus(container, share));
  return pooled(share.containerStatuses, statuses);
}

function projectContainerStatus(container: FieldReader, share: Sharing): KubeContainerStatus {
  return {
    name: container.text("name"),
    allocatedResources: pooled(share.texts, container.optionalQuantities("allocatedResources")),
    resources: projectResourcesInForce(container, share),
    ready: container.optionalFlag("ready"),
    restartCount: container.optionalNumber("restartCount"),
    state: projectState(container.optionalObject("state")),
  };
}

function projectState(state: FieldReader | undefined): KubeContainerStatus["state"] {
  const running = state?.optionalObject("running");
  if (running) return { running: { startedAt: running.optionalText("startedAt") } };
  const terminated = state?.optionalObject("terminated");
  if (terminated) {
    return {
      terminated: {
        startedAt: terminated.optionalText("startedAt"),
        finishedAt: terminated.optionalText("finishedAt"),
        reason: terminated.optionalText("reason"),
      },
    };
  }
  const waiting = state?.optionalObject("waiting");
  return waiting && { waiting: { reason: waiting.optionalText("reason") } };
}

/** Only volumes that name a claim; most pods have none and keep no list. */
function projectClaims(spec: FieldReader): KubePod["spec"]["volumes"] {
  const claims = spec.optionalList("volumes")?.flatMap((volume) => {
    const claim = volume.optionalObject("persistentVolumeClaim");
    return claim ? [{ name: volume.text("name"), persistentVolumeClaim: { claimName: claim.text("claimName") } }] : [];
  });
  return claims && claims.length > 0 ? claims : undefined;
}
