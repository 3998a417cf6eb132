const MINUTE_MS = 60_000;

/** How long an answer of the server counts, is kept, and is asked for again where there was none (R9.20). */
export const QUERY_RULE = {
  staleTime: 5 * MINUTE_MS,
  gcTime: 10 * MINUTE_MS,
  retry: 1,
  refetchOnWindowFocus: false,
} as const;

/**
 * The one exception: asked for anew whenever it is looked at, since somebody decides by it. Where it is taken, and why there, is listed in
 * `query-rule.test.ts`.
 */
export const AS_OF_NOW = { staleTime: 0 } as const;
