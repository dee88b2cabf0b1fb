import fc from "fast-check";
import { expect, test } from "vitest";
import { fastCodec } from "../../../sim/model/codec.ts";
import { leaseModel } from "./lease-model.ts";
import { inputsIn, options, picks, walk } from "./testing/walk.ts";
import type { LeaseWorld } from "./world.ts";

test("a state and its normal form have the same inputs, which say the same and lead to the same normal forms", () => {
  fc.assert(
    fc.property(options, picks, (options, picks) => {
      const model = leaseModel(options);
      const { canonical = (world: LeaseWorld) => world } = model;
      const codec = fastCodec(model.schema);
      const packed = (world: LeaseWorld) => {
        const words = new Int32Array(codec.words);
        codec.encode(canonical(world), words, 0);
        return words.join();
      };
      walk(model, picks, (world) => {
        const normal = canonical(world);
        const [plain, retold] = [inputsIn(model, world), inputsIn(model, normal)];
        expect([packed(normal), types(retold)]).toEqual([packed(world), types(plain)]);
        for (const [place, deed] of plain.entries()) {
          const other = retold[place];
          if (other === undefined) continue;
          const [one, two] = [model.step(world, deed), model.step(normal, other)];
          const isSame = types(two.effects) === types(one.effects) && packed(two.state) === packed(one.state);
          if (!isSame) throw new Error(`${model.describe(deed)} is not the same in the normal form`);
        }
      });
    }),
    { numRuns: 6, seed: 7 },
  );
});

const types = (said: readonly { readonly type: string }[]) => said.map(({ type }) => type).join();
