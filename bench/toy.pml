/* The toy agent of sim/model/testing/toy.ts, input by input and in the same order. */
#define idle 0
#define asking 1
#define proposed 2
#define approved 3
#define waiting 4
#define halted 5

byte phase = idle, queued = 0, inFlight = 0, retries = 0, aborted = 0, budget = 15;
byte approval = 0, digest = 0, turn = 0, timer = 0, errors = 0;

active proctype agent() {
  do
  /* enqueue, start */
  :: d_step { queued < 7 && !aborted -> queued++ }
  :: d_step { phase == idle && queued > 0 && budget > 0 ->
       phase = asking; queued--; inFlight = (inFlight + 1) & 3; timer = 1; budget-- }
  /* reply: tool, reply: final */
  :: d_step { phase == asking -> phase = proposed; approval = turn & 1; timer = 0 }
  :: d_step { phase == asking ->
       phase = idle; inFlight = (inFlight + 3) & 3; turn = (turn + 1) & 15; timer = 0; digest = digest ^ 1 }
  /* tool done, tool failed */
  :: d_step { phase == approved || (phase == proposed && approval == 0) ->
       phase = asking; digest = (digest + turn + 1) & 7; timer = 1 }
  :: d_step { (phase == approved || phase == proposed) && retries < 3 ->
       phase = waiting; retries++; errors = (errors + 1) & 7 }
  :: d_step { (phase == approved || phase == proposed) && retries == 3 -> phase = halted; errors = 7 }
  /* approve, abort, timeout, retry */
  :: d_step { phase == proposed && approval == 1 -> phase = approved; approval = 2 }
  :: d_step { !aborted -> aborted = 1; timer = 0; if :: phase == asking -> phase = halted :: else fi }
  :: d_step { timer -> timer = 0; errors = (errors + 3) & 7; if :: phase == asking -> phase = waiting :: else fi }
  :: d_step { phase == waiting && budget > 0 -> phase = asking; budget--; timer = 1 }
  :: d_step { phase == halted && !aborted -> phase = idle; retries = 0 }
  od
}
