type Range = { start: number; end: number; step: number };

/** Why these are no ends and step of a range, in one sentence; null where they are. It may go from high to low. */
export function rangeProblem({ start, end, step }: Range): string | null {
  const range = `from ${start} to ${end} in steps of ${step}`;
  if (![start, end, step].every(Number.isFinite)) return `a range has numbers as its ends and step, not ${range}`;
  if (start === end) return `a range goes from a start to another end, not ${range}`;
  if (step <= 0) return `the steps of a range are above 0, not ${range}`;
  return step > Math.abs(end - start) ? `one step is more than the whole range ${range}` : null;
}
