/**
 * How the outside answers where a script says so: the reports of the contract, each given once, to the request that it
 * names, whatever has become of the agent until then. Whatever the script does not speak of, the outside answers as it likes.
 */
import type { AgentReport, Decision, TurnRecord } from "../../core/agent/state.ts";
import type { StepOutcome } from "./ports.ts";
import { isUserStep, type Script } from "./script.ts";

type Report<Type extends AgentReport["type"]> = Extract<AgentReport, { readonly type: Type }>;
type Place = { readonly turn: number; readonly step: number };

export class Answers {
  readonly #left: AgentReport[];

  constructor(script: Script) {
    this.#left = script.flatMap((step) => (isUserStep(step) || step.type === "outside" ? [] : [step]));
  }

  /** Null where the script does not say; so with all of these. */
  toRecord({ type, turn }: TurnRecord): "written" | "write-failed" | null {
    const isMeant = ({ record }: Report<"written" | "write-failed">) => record.type === type && record.turn === turn;
    const answer = this.#take(
      (report) => (report.type === "written" || report.type === "write-failed") && isMeant(report),
    );
    return answer?.type === "written" || answer?.type === "write-failed" ? answer.type : null;
  }

  toProposal(place: Place): Decision | null {
    const answer = this.#take((report) => report.type === "proposed" && isAt(report, place));
    return answer?.type === "proposed" ? answer.decision : null;
  }

  toStep(place: Place): StepOutcome | "failed" | null {
    const answer = this.#take((report) => report.type === "stepped" && isAt(report, place));
    return answer?.type === "stepped" ? answer.outcome : null;
  }

  toTask(): "maintained" | null {
    return this.#take(({ type }) => type === "maintained") === undefined ? null : "maintained";
  }

  /** A request may come again: then the next answer to it is given. */
  #take(fits: (report: AgentReport) => boolean): AgentReport | undefined {
    const at = this.#left.findIndex(fits);
    return at < 0 ? undefined : this.#left.splice(at, 1)[0];
  }
}

export const noAnswers = new Answers([]);

function isAt({ turn, step }: Place, place: Place): boolean {
  return turn === place.turn && step === place.step;
}
