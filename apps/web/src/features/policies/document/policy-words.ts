import { isLate, isWaiting, type Standing } from '@cairn/core/policies/owed.ts';
import {
  versionNumber,
  type Policy,
  type PolicyVersion,
  type VersionState,
} from '@cairn/core/policies/version-states.ts';
import type { StatusState } from '@cairn/ui/feedback/pill.tsx';

export const STATE_FACES: Record<VersionState, StatusState> = {
  draft: 'open',
  in_review: 'review',
  change_requested: 'finding',
  approved: 'in_progress',
  published: 'done',
  superseded: 'waiting',
  archived: 'waiting',
};

export const CLASSIFICATIONS = [
  'public',
  'internal',
  'confidential',
] as const satisfies readonly Policy['classification'][];
/** What a select gives back. */
export const classificationFrom = (value: string): Policy['classification'] =>
  CLASSIFICATIONS.find(each => each === value) ?? 'internal';

type StandingWord = Standing['state'] | 'late';
const STANDING_FACES: Record<StandingWord, StatusState> = {
  none: 'done',
  requested: 'due',
  opened: 'due',
  late: 'overdue',
  acknowledged: 'done',
  declined: 'finding',
  exempt: 'done',
  void: 'due',
};

/** Where the person stands, as a word and a face. */
export function standingFace(standing: Standing, now: Date): { word: StandingWord; state: StatusState } {
  const unasked = standing.state === 'opened' && !isWaiting(standing) ? 'none' : standing.state;
  const word = isLate(standing, now) ? 'late' : unasked;
  return { word, state: STANDING_FACES[word] };
}

/** "3.0"; "–" before it is published. */
export const numberOf = (version: PolicyVersion): string => versionNumber(version) ?? '–';

/** The whole number somebody typed between two; null for nothing, undefined for anything else. */
export function wholeNumber(typed: string, least: number, most: number): number | null | undefined {
  if (typed.trim() === '') return null;
  const value = Number(typed);
  return Number.isInteger(value) && value >= least && value <= most ? value : undefined;
}
