import { createLeaseScheduler } from "microloom/core";
import { describeLeaseScheduler } from "microloom/vitest";

describeLeaseScheduler("the lease scheduler of the core", (ports) => createLeaseScheduler(ports), {
  executions: 150,
  scripts: 40,
});
