const LITERAL_OR_COMMENT = /('(?:[^']|'')*')|--[^\n]*|\/\*[\s\S]*?\*\//g;

/** An SQL text without its comments; what looks like one within a literal stays. */
export const withoutComments = (sql: string): string =>
  sql.replaceAll(LITERAL_OR_COMMENT, (_, literal: string | undefined) => literal ?? '');
