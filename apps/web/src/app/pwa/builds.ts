/** The files of one build on this device, as the worker that fetched them wrote them down. */
export type Build = {
  /** Where it is written down: the address of its start page with its revision, no two builds have the same. */
  name: string;
  /** Addresses under which its files lie. */
  files: string[];
  /** ms since 1970, when the worker began to fetch them. */
  began: number;
};

/**
 * The builds whose files stay: this one, those a window runs, and those begun after it. A fetch that broke off goes on with what it
 * has, and cleans up once it is this one.
 *
 * @param running addresses of first scripts, one of each build that a window runs
 * @returns null where a window runs a build nobody wrote down: then everything stays
 */
export function buildsToKeep(own: Build, others: readonly Build[], running: readonly string[]): Build[] | null {
  const all = [own, ...others];
  if (running.some(entry => !all.some(({ files }) => files.includes(entry)))) return null;
  return all.filter(
    build => build === own || build.began > own.began || running.some(entry => build.files.includes(entry)),
  );
}
