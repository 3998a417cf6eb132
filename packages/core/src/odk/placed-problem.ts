/** A problem with a question or section, by its path, and which part of it. */
export type PlacedProblem = { path: string; field: string; message: string };
