/** How far back is looked, days, and from how many on it is no chance. */
export const LOOK_BACK_DAYS = 90;
export const TOO_OFTEN = 3;
const DAY_MS = 86_400_000;
/** Letters of what a recurrence is about, as the database keeps it. */
const ABOUT_CHARS = 1000;

/** One time that something went wrong, as an action item tells it. */
export type Occurrence = {
  /** Of the action item. */
  id: string;
  /** When it was made, ISO 8601. */
  at: string;
  /** Null: what belongs to no site belongs to the whole organisation. */
  siteId: string | null;
  assetId: string | null;
  /** The question that failed; null where it came from none. */
  failed: { inspectionId: string; formId: string; question: string } | null;
  rootCause: string | null;
};

/** What was decided about a recurrence: all of these times are answered. */
export type RecurrenceVerdict = { about: string; sourceIds: readonly string[] };

/** Something that goes wrong again and again, and is not answered yet. */
export type Recurrence = {
  kind: 'question' | 'cause';
  /** The same for the same question of the same form, or for the same cause, wherever it is. */
  about: string;
  siteId: string | null;
  /** Where all of it was one asset. */
  assetId: string | null;
  /** Ids of the action items, the newest first. */
  sources: string[];
};

type Time = { occurrence: Occurrence; once: string };
type Group = Pick<Recurrence, 'kind' | 'about' | 'assetId'> & { times: Time[] };

/** A cause as it is compared: case, blanks and what ends a sentence make no other cause. Null for no words. */
export function causeKey(text: string): string | null {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/[ .,;:!?]+$/, '');
  return words === '' ? null : `cause/${words}`.slice(0, ABOUT_CHARS);
}

/** Whether something of then (ISO 8601) still counts at `asOf` (ISO 8601). */
export const isRecent = (then: string, asOf: string): boolean =>
  Date.parse(then) >= Date.parse(asOf) - LOOK_BACK_DAYS * DAY_MS;

/**
 * What went wrong three times within the 90 days before `asOf` (ISO 8601), the newest first: the same question of the same form at
 * one asset or at one site (an inspection counts once, however often it asks), or the same root cause at one site. What was
 * decided stays so until it happens once more. Neither the order of the times nor of the decisions matters.
 */
export function recurrences(
  occurrences: readonly Occurrence[],
  decided: readonly RecurrenceVerdict[],
  asOf: string,
): Recurrence[] {
  const recent = occurrences.filter(({ at }) => isRecent(at, asOf)).toSorted(newestFirst);
  const answered = new Set(decided.flatMap(({ about, sourceIds }) => sourceIds.map(id => `${about}\n${id}`)));
  const found = grouped(recent).filter(
    ({ about, times }) =>
      new Set(times.map(({ once }) => once)).size >= TOO_OFTEN &&
      times.some(({ occurrence }) => !answered.has(`${about}\n${occurrence.id}`)),
  );
  return found.filter(group => !found.some(other => coversAll(other, group))).map(recurrenceOf);
}

const newestFirst = (a: Occurrence, b: Occurrence): number =>
  Date.parse(b.at) - Date.parse(a.at) || (a.id < b.id ? -1 : 1);

function grouped(occurrences: readonly Occurrence[]): Group[] {
  const groups = new Map<string, Group>();
  const add = (group: Omit<Group, 'times'>, place: string, time: Time) => {
    const key = `${group.about}\n${place}`;
    const present = groups.get(key);
    if (present) present.times.push(time);
    else groups.set(key, { ...group, times: [time] });
  };
  for (const occurrence of occurrences) {
    const { id, failed, rootCause, siteId, assetId } = occurrence;
    const site = `site/${siteId ?? ''}`;
    if (failed !== null) {
      const about = `question/${failed.formId}/${failed.question}`.slice(0, ABOUT_CHARS);
      const time = { occurrence, once: failed.inspectionId };
      if (assetId !== null) add({ kind: 'question', about, assetId }, `asset/${assetId}`, time);
      add({ kind: 'question', about, assetId: null }, site, time);
    }
    const cause = rootCause === null ? null : causeKey(rootCause);
    if (cause !== null) add({ kind: 'cause', about: cause, assetId: null }, site, { occurrence, once: id });
  }
  return [...groups.values()];
}

/** Whether another group of the same tells of all these times and more; of the same times the asset is told. */
function coversAll(other: Group, group: Group): boolean {
  if (other === group || other.about !== group.about) return false;
  const ids = new Set(other.times.map(({ occurrence }) => occurrence.id));
  if (!group.times.every(({ occurrence }) => ids.has(occurrence.id))) return false;
  return ids.size > group.times.length || other.assetId !== null;
}

function recurrenceOf({ kind, about, assetId, times }: Group): Recurrence {
  const sources = times.map(({ occurrence }) => occurrence.id);
  return { kind, about, assetId, siteId: times[0]?.occurrence.siteId ?? null, sources };
}
