/**
 * rxjs schedules on plain timers and subscribes to plain promises, so all of it runs on our deliveries. A search box
 * with switchMap shows the right results in every order. With mergeMap, with an error that nobody catches inside, or
 * with a takeUntil in the wrong place, it does not.
 */
import { scenario, type World } from "microloom";
import { catchError, debounceTime, EMPTY, from, mergeMap, Subject, switchMap, takeUntil } from "rxjs";

/** A user who types two letters, a server that answers when it likes, and what is shown. */
function searchBox(world: World, options: { readonly mayFail: boolean }) {
  const keys = new Subject<string>();
  const searched: string[] = [];
  const shown: string[] = [];
  const search = (query: string) => {
    searched.push(query);
    return from(world.io(`server:search ${query}`, () => query, options));
  };
  world.events("user", [
    ["type a", () => keys.next("a")],
    ["type ab", () => keys.next("ab")],
  ]);
  return { keys, search, searched, shown };
}

export const switched = scenario("rxjs: switchMap shows the last search", (world) => {
  const { keys, search, shown } = searchBox(world, { mayFail: false });
  keys.pipe(switchMap(search)).subscribe((results) => shown.push(results));
  world.sometimes("both are shown", () => shown.join() === "a,ab");
  world.sometimes("the first is given up", () => shown.join() === "ab");
  world.atQuiescence("the last search is shown last", () => shown.at(-1) === "ab" || shown.join());
});

export const merged = scenario("rxjs: mergeMap shows whatever comes last", (world) => {
  const { keys, search, shown } = searchBox(world, { mayFail: false });
  keys.pipe(mergeMap(search)).subscribe((results) => shown.push(results));
  world.atQuiescence("the last search is shown last", () => shown.at(-1) === "ab" || shown.join());
});

export const debounced = scenario("rxjs: debounceTime waits for 300 ms without a key", (world) => {
  const { keys, search, searched, shown } = searchBox(world, { mayFail: false });
  keys.pipe(debounceTime(300), switchMap(search)).subscribe((results) => shown.push(results));
  world.always("nothing is searched before", () => world.nowMs >= 300 || searched.length === 0);
  world.sometimes("two keys are one search", () => searched.join() === "ab" && world.nowMs === 300);
  world.sometimes("two keys are two searches", () => searched.join() === "a,ab" && world.nowMs === 600);
  world.atQuiescence("the last search is shown last", () => shown.at(-1) === "ab" || shown.join());
});

/** An error that is caught inside costs one search. */
export const caughtInside = scenario("rxjs: an error caught inside leaves the search box working", (world) => {
  const { keys, search, searched, shown } = searchBox(world, { mayFail: true });
  const caught = (query: string) => search(query).pipe(catchError(() => EMPTY));
  keys.pipe(switchMap(caught)).subscribe((results) => shown.push(results));
  world.sometimes("the first fails, the second is shown", () => searched.join() === "a,ab" && shown.join() === "ab");
  world.atQuiescence("both were searched", () => searched.join() === "a,ab" || searched.join());
});

/** The same error, caught at the end of the pipe, has ended it. */
export const caughtOutside = scenario("rxjs: one failed search ends the search box", (world) => {
  const { keys, search, searched, shown } = searchBox(world, { mayFail: true });
  keys.pipe(switchMap(search)).subscribe({
    next: (results) => shown.push(results),
    error: () => world.note("the search failed"),
  });
  world.atQuiescence("both were searched", () => searched.join() === "a,ab" || searched.join());
});

/** An error that nobody catches is thrown from a timer of rxjs's own, and that timer is virtual, too. */
export const caughtNowhere = scenario("rxjs: an error without a handler is thrown from a timer", (world) => {
  const { keys, search, shown } = searchBox(world, { mayFail: true });
  keys.pipe(switchMap(search)).subscribe((results) => shown.push(results));
});

/** takeUntil() ends what stands above it. Above the switchMap it leaves the search that is under way. */
export const leftRunning = scenario("rxjs: takeUntil above switchMap shows results on a closed page", (world) => {
  const { keys, search, shown } = searchBox(world, { mayFail: false });
  const closed = new Subject<void>();
  let shownAtClose: number | null = null;
  keys.pipe(takeUntil(closed), switchMap(search)).subscribe((results) => shown.push(results));
  world.events("page", [
    [
      "close",
      () => {
        closed.next();
        shownAtClose = shown.length;
      },
    ],
  ]);
  world.always("a closed page shows nothing new", () => shownAtClose === null || shown.length === shownAtClose);
});
