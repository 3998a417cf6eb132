import { metresBetween } from '@cairn/base/globe.ts';
import type { Row } from '@cairn/schema';
import { codeIn, isSameCode } from '../assets/scanned-code.ts';
import type { GeoPoint } from '../forms/question-types/places.ts';
import { chainFaults, type ChainFault, type PresenceEntry, readEntry } from './presence-chain.ts';

type Entry = Row<'presence_entries'>;
type Asset = Pick<Row<'assets'>, 'code' | 'barcode' | 'latitude' | 'longitude'>;

/** Whether a version of a form asks who inspects to prove that they are there. Its definition is not read whole for this. */
export function asksPresence(version: Pick<Row<'form_versions'>, 'definition'> | undefined): boolean {
  const definition = version?.definition;
  if (typeof definition !== 'object' || definition === null || Array.isArray(definition)) return false;
  return definition['presence'] === 'asked' || definition['presence'] === 'required';
}

/** Why somebody could not scan the tag. */
export const scanReasons = ['missing', 'unreadable', 'unreachable', 'no_camera', 'other'] as const;
/** Why there is no position. */
export const placeReasons = ['refused', 'not_found', 'indoors', 'other'] as const;

const given = (text: string | null | undefined): text is string => (text ?? '').trim() !== '';

/** Whether a thing has a tag that can be scanned. */
export const hasTag = (asset: Asset | null | undefined): boolean => given(asset?.code) || given(asset?.barcode);

/** Whether a code read off a tag is this thing's own. */
export function isTagOf(asset: Asset | null | undefined, code: string): boolean {
  const read = codeIn(code);
  return [asset?.code, asset?.barcode].some(each => given(each) && isSameCode(each, read));
}

const readable = (entries: readonly Entry[]): PresenceEntry[] => entries.flatMap(({ body }) => readEntry(body) ?? []);

/**
 * What one person witnessed since they last began: what somebody else did before they took over, or a draft that was thrown away
 * and begun again, proves nothing of this time. Everybody's where nobody is named any more.
 */
function ofThisTime(entries: readonly PresenceEntry[], by: string | null): PresenceEntry[] {
  const theirs = by === null ? entries : entries.filter(entry => entry.by === by);
  return [...Map.groupBy(theirs, ({ strand }) => strand).values()].flatMap(strand => {
    const begun = strand.findLastIndex(({ kind }) => kind === 'started');
    return strand.slice(Math.max(0, begun));
  });
}

export type PresencePart = 'scan' | 'position';

/**
 * What is not proven yet: neither done nor said why it cannot be. Where the thing inspected has no tag nothing is scanned, and
 * somebody else's tag proves nothing.
 *
 * @param by who inspects
 */
export function presenceLacks(
  rows: readonly Entry[],
  asset: Asset | null | undefined,
  by: string | null,
): PresencePart[] {
  const entries = ofThisTime(readable(rows), by);
  const has = (...kinds: PresenceEntry['kind'][]) => entries.some(({ kind }) => kinds.includes(kind));
  const scanned = has('no_scan') || entries.some(({ kind, facts }) => kind === 'scan' && facts['matched'] === true);
  return [
    ...(hasTag(asset) && !scanned ? (['scan'] as const) : []),
    ...(has('no_position') || entries.some(entry => placeIn(entry) !== null) ? [] : (['position'] as const)),
  ];
}

/** Why something could not be done: one of the reasons, and the person's own words. */
type CheckImpossible = { state: 'impossible'; reason: string; words: string | null };

/** What a reviewer is shown of it. */
export type PresenceSummary = {
  /** Device times of the first and the last entry, ISO 8601. */
  from: string;
  to: string;
  /** When the server had the last of them; null while one waits on this device. */
  arrived: string | null;
  scan: { state: 'matched' | 'other_tag' } | CheckImpossible | null;
  /** `metres` from where the thing stands; null where nobody knows where that is. */
  position: { state: 'taken'; place: GeoPoint; metres: number | null } | CheckImpossible | null;
  photos: number;
  strands: number;
  faults: ChainFault[];
  /** An inspection that is finished has no entry of its end, or one of other answers. */
  endMissing: boolean;
};

/**
 * The chain of an inspection in a few facts; null where nothing was witnessed.
 */
export function presenceSummary(
  rows: readonly Entry[],
  inspection: Pick<Row<'inspections'>, 'id' | 'status' | 'content_hash' | 'conducted_by'>,
  asset: Asset | null,
): PresenceSummary | null {
  const all = readable(rows);
  const entries = ofThisTime(all, inspection.conducted_by);
  const times = entries.map(({ at }) => at).toSorted();
  const [from] = times;
  if (from === undefined) return null;
  const ends = all.filter(({ kind }) => kind === 'finished').map(({ facts }) => facts['content_hash']);
  const isOpen = ['scheduled', 'in_progress', 'has_issues'].includes(inspection.status);
  const receivedTimes = rows.flatMap(row => row.received_at ?? []).toSorted();
  const removed = new Set(entries.filter(({ kind }) => kind === 'photo_removed').map(({ facts }) => facts['media']));
  const photos = entries.filter(({ kind, facts }) => kind === 'photo' && !removed.has(facts['media'] ?? null));
  return {
    from,
    to: times.at(-1) ?? from,
    arrived: receivedTimes.length < rows.length ? null : (receivedTimes.at(-1) ?? null),
    scan: scanOf(entries),
    position: positionOf(entries, asset),
    photos: photos.length,
    strands: new Set(rows.map(({ strand }) => strand)).size,
    faults: chainFaults(inspection.id, rows),
    endMissing: !isOpen && !ends.includes(inspection.content_hash),
  };
}

function scanOf(entries: readonly PresenceEntry[]): PresenceSummary['scan'] {
  const scans = entries.filter(({ kind }) => kind === 'scan');
  if (scans.some(({ facts }) => facts['matched'] === true)) return { state: 'matched' };
  const why = entries.findLast(({ kind }) => kind === 'no_scan');
  if (why) return impossible(why);
  return scans.length > 0 ? { state: 'other_tag' } : null;
}

function impossible({ facts: { reason, words } }: PresenceEntry): CheckImpossible {
  return { state: 'impossible', reason: String(reason), words: typeof words === 'string' ? words : null };
}

function positionOf(entries: readonly PresenceEntry[], asset: Asset | null): PresenceSummary['position'] {
  const places = entries.flatMap(entry => placeIn(entry) ?? []);
  const [nearest] = places
    .map(place => ({ place, metres: asset ? metresFrom(asset, place) : null }))
    .toSorted((a, b) => (a.metres ?? 0) - (b.metres ?? 0));
  if (nearest) return { state: 'taken', ...nearest };
  const why = entries.findLast(({ kind }) => kind === 'no_position');
  return why ? impossible(why) : null;
}

/** Where an entry says somebody was; null where it is no place on earth, whoever wrote it. */
function placeIn({ kind, facts: { lat, lon, accuracy } }: PresenceEntry): GeoPoint | null {
  if (kind !== 'position' || typeof lat !== 'number' || typeof lon !== 'number') return null;
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180) return null;
  return {
    lat,
    lon,
    altitude: null,
    accuracy: typeof accuracy === 'number' ? accuracy : null,
  };
}

function metresFrom({ latitude, longitude }: Asset, place: GeoPoint): number | null {
  if (latitude === null || longitude === null) return null;
  return metresBetween({ lat: latitude, lon: longitude }, place);
}
