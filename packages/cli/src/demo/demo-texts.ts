import type { ClusterList } from "@plimsoll/contracts/rest";
import type { RunningHub } from "@plimsoll/hub";
import { formatPrice, sumAmounts } from "../format/money.ts";
import { formatCount } from "../format/quantity.ts";
import type { DemoOptions } from "./demo-command.ts";
import type { DemoFolder } from "./demo-folder.ts";

/** What a demo says as it goes on. */
export interface DemoTexts {
  started(hub: RunningHub, folder: DemoFolder): string;
  complete(fleet: ClusterList): string;
  stopped(): string;
}

const MEBIBYTE = 1024 * 1024;

/** The texts of one demo; seconds count from here. */
export function demoTexts({ clusters }: DemoOptions): DemoTexts {
  let startedAt = performance.now();
  return {
    started({ url, adminLink, adminToken }, { kubeconfig }) {
      startedAt = performance.now();
      return [
        `Plimsoll demo: ${clusters} simulated clusters. None of them is real, and no figure is.`,
        "",
        `  open  ${adminLink ?? url}`,
        `  ask   PLIMSOLL_HUB=${url} PLIMSOLL_TOKEN=${adminToken ?? ""} npx plimsoll get clusters`,
        `  scan  npx plimsoll scan --kubeconfig ${kubeconfig}`,
        "",
        "Ctrl-C stops everything and leaves nothing behind.",
        "",
      ].join("\n");
    },
    complete({ items }) {
      const seconds = Math.ceil((performance.now() - startedAt) / 1000);
      const nodes = items.reduce((sum, cluster) => sum + (cluster.nodes?.total ?? 0), 0);
      return `All ${items.length} clusters report after ${seconds} s: ${formatCount(nodes)} nodes, ${costText(items)}.\n`;
    },
    stopped() {
      // Kilobytes, whatever the platform.
      const most = Math.round((process.resourceUsage().maxRSS * 1024) / MEBIBYTE);
      return `Stopped. Hub, ${clusters} agents and the simulated fleet took ${most} MiB of memory at the most.\n`;
    },
  };
}

function costText(clusters: ClusterList["items"]): string {
  const costs = Map.groupBy(
    clusters.flatMap(({ cost }) => cost ?? []),
    ({ currency }) => currency,
  );
  return [...costs]
    .map(([currency, of]) => `${formatPrice(currency, sumAmounts(of.map(({ total }) => total)))} per hour`)
    .join(", ");
}
