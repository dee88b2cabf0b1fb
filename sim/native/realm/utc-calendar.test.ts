import { afterEach, expect, test } from "vitest";
import { parseAsUtc } from "./parse-utc.ts";
import { Replacements } from "./patch.ts";
import { utcCalendarPatches } from "./utc-calendar.ts";

const found = process.env.TZ;
afterEach(() => {
  if (found === undefined) Reflect.deleteProperty(process.env, "TZ");
  else process.env.TZ = found;
});

const zones = ["America/New_York", "Europe/London", "Asia/Kathmandu", "Pacific/Apia"];
const times = [0, 1_577_836_800_000, 1_583_652_600_000, 1_593_604_923_456, -62_198_755_200_000, 8.64e15, Number.NaN];
const getters = ["Date", "Day", "FullYear", "Hours", "Milliseconds", "Minutes", "Month", "Seconds", "Year"];
const setters = ["Date", "FullYear", "Hours", "Milliseconds", "Minutes", "Month", "Seconds", "Year"];
const texts = ["String", "DateString", "TimeString", "LocaleString", "LocaleDateString", "LocaleTimeString", "JSON"];

function called(date: Date, name: string, args: readonly unknown[]): unknown {
  const method: unknown = Reflect.get(date, name);
  if (typeof method !== "function") throw new TypeError(`Date has no ${name}`);
  return Reflect.apply(method, date, args);
}

/** Everything about these times that depends on the default zone. */
function observed(): unknown[] {
  const seen: unknown[] = [];
  for (const time of times) {
    const at = (): Date => new Date(time);
    seen.push(at().getTimezoneOffset(), `${at()}`, at().toUTCString());
    for (const name of getters) seen.push(called(at(), `get${name}`, []));
    for (const name of texts) seen.push(called(at(), `to${name}`, []));
    for (const name of ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"])
      seen.push(called(at(), name, ["de", { timeStyle: name === "toLocaleDateString" ? undefined : "full" }]));
    seen.push(called(at(), "toLocaleString", ["en", { timeZone: "Asia/Tokyo" }]));
    for (const name of setters) {
      for (const args of [[5], [30, 2], [99, 2, 3, 4], [Number.NaN], []]) {
        const date = at();
        seen.push([called(date, `set${name}`, args), date.getTime()]);
      }
    }
    if (Number.isNaN(time)) continue;
    seen.push(new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "long" }).format(time));
    seen.push(
      Intl.DateTimeFormat().format(time),
      new Intl.DateTimeFormat("en", { hour: "2-digit" }).formatToParts(time),
    );
  }
  seen.push(new Intl.DateTimeFormat().resolvedOptions(), Intl.DateTimeFormat.supportedLocalesOf("de"));
  const { year } = new (class extends Intl.DateTimeFormat {
    year = 4;
  })();
  seen.push(
    year,
    Intl.DateTimeFormat.name,
    Intl.DateTimeFormat.length,
    new Intl.DateTimeFormat() instanceof Intl.DateTimeFormat,
  );
  return seen;
}

test.each(zones)("utcCalendarPatches() does in %s what UTC does", (zone) => {
  process.env.TZ = "UTC";
  const expected = observed();
  process.env.TZ = zone;
  expect(observed()).not.toEqual(expected);
  const replacements = new Replacements();
  replacements.install(utcCalendarPatches());
  try {
    expect(observed()).toEqual(expected);
    expect(() => called(new Date(0), "toLocaleString", ["en", null])).toThrow(TypeError);
    expect(() => Reflect.apply(Date.prototype.getTimezoneOffset, {}, [])).toThrow(TypeError);
  } finally {
    replacements.restore();
  }
});

/** Dates of many shapes, with and without a zone, some of them none at all. */
function dates(): string[] {
  const days = ["2020-03-08", "2020-7-1", "99/3/8", "7/1/1999", "1 Jul 2020", "Sun, March 8, 2020", "2020", "1890-07"];
  const separators = ["T", "t", " "];
  const hours = ["02:30", "2:30:15 pm", "23:59:59.999", "24:00", "2:30 (EST)"];
  const ends = ["", "Z", " UTC", " GMT+0200", "+02:00", " -0500", " EST", " pdt", " (EDT", "?"];
  return days.flatMap((day) => [
    ...ends.map((end) => `${day}${end}`),
    ...separators.flatMap((separator) => hours.flatMap((hour) => ends.map((end) => `${day}${separator}${hour}${end}`))),
  ]);
}

test.each(zones)("parseAsUtc() reads in %s what Date.parse() reads in UTC", (zone) => {
  process.env.TZ = "UTC";
  const expected = dates().map((text) => [text, Date.parse(text)]);
  expect(expected.filter(([, time]) => !Number.isNaN(time)).length).toBeGreaterThan(400);
  process.env.TZ = zone;
  expect(dates().map((text) => [text, parseAsUtc(text)])).toEqual(expected);
});
