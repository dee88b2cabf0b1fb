/**
 * UTC as the default time zone of a thread whose zone cannot be changed: the local methods of Date become those for UTC,
 * and Intl.DateTimeFormat gets UTC where it is told no zone. A formatter that was made before keeps the machine's zone.
 */
import { kept, type Patch } from "./patch.ts";

const RealFormat = Intl.DateTimeFormat;
const { prototype } = Date;
const real = {
  getTime: prototype.getTime,
  getUTCFullYear: prototype.getUTCFullYear,
  setUTCFullYear: prototype.setUTCFullYear,
  toUTCString: prototype.toUTCString,
};
const fields = ["Date", "FullYear", "Hours", "Milliseconds", "Minutes", "Month", "Seconds"] as const;
const zoneName = "GMT+0000 (Coordinated Universal Time)";

export function utcCalendarPatches(): Patch[] {
  const value = utcFormat();
  return [
    ...fields.flatMap((field) => [
      { target: prototype, key: `get${field}`, value: prototype[`getUTC${field}`] },
      { target: prototype, key: `set${field}`, value: prototype[`setUTC${field}`] },
    ]),
    { target: prototype, key: "getDay", value: prototype.getUTCDay },
    ...Object.entries(others).map(([key, value]) => ({ target: prototype, key, value })),
    ...(["toLocaleString", "toLocaleDateString", "toLocaleTimeString"] as const).map((key) => {
      const text: unknown = prototype[key];
      return { target: prototype, key, value: inUtc(text) };
    }),
    { target: Intl, key: "DateTimeFormat", value },
    { target: RealFormat.prototype, key: "constructor", value },
    ...kept(value, "supportedLocalesOf"),
  ];
}

const others = {
  getTimezoneOffset(this: Date): number {
    return Number.isNaN(Reflect.apply(real.getTime, this, [])) ? Number.NaN : 0;
  },
  getYear(this: Date): number {
    return Reflect.apply(real.getUTCFullYear, this, []) - 1_900;
  },
  setYear(this: Date, year: unknown): number {
    const number = Math.trunc(Number(year));
    const full = number >= 0 && number <= 99 ? number + 1_900 : number;
    return Reflect.apply(real.setUTCFullYear, this, [full]);
  },
  toString(this: Date): string {
    const parts = told(this);
    return parts === null ? "Invalid Date" : `${parts.date} ${parts.time} ${zoneName}`;
  },
  toDateString(this: Date): string {
    return told(this)?.date ?? "Invalid Date";
  },
  toTimeString(this: Date): string {
    const parts = told(this);
    return parts === null ? "Invalid Date" : `${parts.time} ${zoneName}`;
  },
};

/** "Wed, 01 Jan 2020 00:00:00 GMT", in the order of toString(). */
function told(date: Date): { readonly date: string; readonly time: string } | null {
  const parts = Reflect.apply(real.toUTCString, date, []).split(" ");
  const [weekday = "", day, month, year, time = ""] = parts;
  if (parts.length < 5) return null;
  return { date: `${weekday.slice(0, 3)} ${month} ${day} ${year}`, time };
}

function inUtc(method: unknown): unknown {
  return function (this: Date, locales?: unknown, options?: unknown): unknown {
    if (typeof method !== "function") return undefined;
    return Reflect.apply(method, this, [locales, withUtc(options)]);
  };
}

function utcFormat(): object {
  function DateTimeFormat(this: unknown, locales?: unknown, options?: unknown): unknown {
    return Reflect.construct(RealFormat, [locales, withUtc(options)], new.target ?? DateTimeFormat);
  }
  Object.setPrototypeOf(DateTimeFormat, RealFormat);
  Object.defineProperty(DateTimeFormat, "length", { value: RealFormat.length });
  Object.defineProperty(DateTimeFormat, "prototype", { value: RealFormat.prototype, writable: false });
  const value = RealFormat.supportedLocalesOf;
  Object.defineProperty(DateTimeFormat, "supportedLocalesOf", { value, writable: true, configurable: true });
  return DateTimeFormat;
}

/** The same options, with a zone. What is no options at all goes to Node as it is, and Node throws. */
function withUtc(options: unknown): unknown {
  if (options === undefined) return { timeZone: "UTC" };
  if (typeof options !== "object" || options === null) return options;
  if (Reflect.get(options, "timeZone") !== undefined) return options;
  return Object.create(options, { timeZone: { value: "UTC", enumerable: true } });
}
