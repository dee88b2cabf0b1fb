import { expect, test } from "vitest";
import { kept, onEach, patchesOf, Replacements } from "./patch.ts";

function subject(): { readonly target: object; readonly descriptors: () => unknown } {
  const target = Object.create(
    { inherited: 1 },
    {
      plain: { value: 1, writable: true, enumerable: true, configurable: true },
      hidden: { value: 2, writable: false, enumerable: false, configurable: true },
      accessor: { get: () => 3, enumerable: false, configurable: true },
      fixed: { value: 4, writable: true, enumerable: true, configurable: false },
    },
  );
  return { target, descriptors: () => Object.getOwnPropertyDescriptors(target) };
}

const values = { plain: "a", hidden: "b", accessor: "c", inherited: "d", absent: "e" };

test("Replacements.restore() restores every kind of property, and those that were absent", () => {
  const { target, descriptors } = subject();
  const before = descriptors();
  const replacements = new Replacements();
  for (let round = 0; round < 2; round++) {
    replacements.install(patchesOf(target, values));
    expect(target).toMatchObject(values);
    expect(Object.keys(target).sort()).toEqual(["absent", "fixed", "inherited", "plain"]);
    Object.assign(target, { plain: "mine", absent: "mine" });
    Reflect.deleteProperty(target, "hidden");
    replacements.restore();
    expect(descriptors()).toEqual(before);
    expect(target).toMatchObject({ inherited: 1 });
  }
});

test("Replacements installs a setter, which sees what is set on whoever inherits, and takes it away", () => {
  const { target, descriptors } = subject();
  const before = descriptors();
  const seen: unknown[] = [];
  const replacements = new Replacements();
  replacements.install([
    { target, key: "absent", set: (value) => seen.push(value) },
    { target, key: "hidden", set: (value) => seen.push(value) },
  ]);
  Object.assign(Object.create(target), { absent: "a", hidden: "b" });
  expect(seen).toEqual(["a", "b"]);
  replacements.restore();
  expect(descriptors()).toEqual(before);
});

test("Replacements restores what is only kept, and does not touch it before", () => {
  const { target, descriptors } = subject();
  const before = descriptors();
  const replacements = new Replacements();
  replacements.install(kept(target, "plain", "accessor", "absent", "fixed"));
  expect(descriptors()).toEqual(before);
  Object.assign(target, { plain: "mine", absent: "mine" });
  Object.defineProperty(target, "accessor", { get: () => "mine" });
  replacements.restore();
  expect(descriptors()).toEqual(before);
});

test("Replacements.restore() restores in reverse order what was replaced twice", () => {
  const { target, descriptors } = subject();
  const before = descriptors();
  const replacements = new Replacements();
  replacements.install([...patchesOf(target, { plain: "a" }), ...patchesOf(target, { plain: "b" })]);
  expect(target).toMatchObject({ plain: "b" });
  replacements.restore();
  expect(descriptors()).toEqual(before);
});

test("Replacements.restore() restores all the others when one was frozen, and names it", () => {
  const frozen = subject();
  const other = subject();
  const before = other.descriptors();
  const replacements = new Replacements();
  replacements.install(onEach([other.target, frozen.target, other.target], (target) => patchesOf(target, values)));
  Object.defineProperty(frozen.target, "plain", { value: "mine", configurable: false, writable: false });
  Object.defineProperty(frozen.target, "absent", { value: "mine", configurable: false, writable: false });
  expect(() => replacements.restore()).toThrow("Cannot restore absent, plain: the code under test has frozen");
  expect(other.descriptors()).toEqual(before);
  expect(frozen.target).toMatchObject({ inherited: 1, plain: "mine" });
  replacements.restore();
});
