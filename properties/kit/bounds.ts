/** What a check is bounded by where nobody says otherwise. */
export const defaultScripts = 60;
/** Of a whole check; each script gets its share. */
export const defaultCheckExecutions = 6_000;
