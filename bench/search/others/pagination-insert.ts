/**
 * Defect: pages by offset while the list changes. The lister starts again when the total has changed between two pages; a
 * deletion and an insertion in one gap leave the total as it was, and what moved up one place is on neither page.
 */
import { type Program, traffic } from "../program.ts";

const pageSize = 3;
const attemptsMost = 3;

export const paginationInsert: Program = {
  name: "paginationInsert",
  start(outside) {
    const rows = ["ada", "ben", "cleo", "dora", "emil", "fay", "gus", "hana", "ida"];
    let listed: string[] = [];
    outside.actor("importer", async (step) => {
      await traffic(step, "importer", 3, "parse");
      await step("insert zoe", { writes: ["rows"] });
      rows.push("zoe");
    });
    outside.actor("lister", async (step) => {
      for (let attempt = 1; attempt <= attemptsMost; attempt++) {
        listed = [];
        let total = rows.length;
        for (let offset = 0; offset < total; offset += pageSize) {
          await step(`page at ${offset}`, { reads: ["rows"], writes: ["listed"] });
          if (offset === 0) total = rows.length;
          if (rows.length !== total) break;
          listed.push(...rows.slice(offset, offset + pageSize));
        }
        if (rows.length === total && listed.length === total) return;
      }
    });
    outside.actor("editor", async (step) => {
      await traffic(step, "editor", 2, "type");
      await step("delete ben", { writes: ["rows"] });
      rows.splice(rows.indexOf("ben"), 1);
    });
    outside.actor("auditor", (step) => traffic(step, "audit", 5, "log"));
    outside.atEnd("what was there all the time is listed", () => {
      const missed = rows.find((row) => row !== "zoe" && !listed.includes(row));
      return missed === undefined || `${missed} is on no page`;
    });
    return () => ({ rows, listed });
  },
};
