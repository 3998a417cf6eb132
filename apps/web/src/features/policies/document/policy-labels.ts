import { isLate, isWaiting, type PolicyStatus } from '@cairn/core/policies/policy-status.ts';
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

type StatusLabel = PolicyStatus['state'] | 'late';
const STATUS_FACES: Record<StatusLabel, StatusState> = {
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
export function statusFace(status: PolicyStatus, now: Date): { label: StatusLabel; state: StatusState } {
  const unasked = status.state === 'opened' && !isWaiting(status) ? 'none' : status.state;
  const label = isLate(status, now) ? 'late' : unasked;
  return { label, state: STATUS_FACES[label] };
}

/** "3.0"; "–" before it is published. */
export const numberOf = (version: PolicyVersion): string => versionNumber(version) ?? '–';

/** The whole number somebody typed between two; null for nothing, undefined for anything else. */
export function wholeNumber(typed: string, least: number, most: number): number | null | undefined {
  if (typed.trim() === '') return null;
  const value = Number(typed);
  return Number.isInteger(value) && value >= least && value <= most ? value : undefined;
}
