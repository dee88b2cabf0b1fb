/** The conditions that stand for a problem of the subject itself, and the kind of each. */
export const problemKinds = {
  "kit/factory-threw": "factory-threw",
  "kit/bad-shape": "bad-shape",
  "kit/unsettled": "unsettled",
  "kit/after-dispose": "after-dispose",
  "kit/threw": "threw",
} as const;
