import { startFakeCluster } from "../../../../test/list-watch/fake-cluster.ts";
import { listWatchSuite } from "../../../../test/list-watch/suite.ts";

listWatchSuite("a fake API server", { bookmarks: true, expiry: true }, startFakeCluster);
