import type { LatePorts } from "../kit/fixture.ts";
import type { LeasePorts } from "./ports.ts";

/** Ports for a scheduler that is made before its execution begins: until then nobody is asked, and the answer is yes. */
export function lateLeasePorts(): LatePorts<LeasePorts> {
  let to: LeasePorts = early;
  return {
    ports: { approve: (call) => to.approve(call) },
    bind(ports) {
      to = ports ?? early;
    },
  };
}

const early: LeasePorts = { approve: () => Promise.resolve(true) };
