import { Failure } from '@cairn/base/failure.ts';
import { addDays } from '@cairn/base/local-day.ts';
import type { Row } from '@cairn/schema';
import type { Query, WriteTx } from '@cairn/sync/store.ts';

export const COHORT_MEASURES = ['mood', 'energy', 'stress'] as const;
export type CohortMeasure = (typeof COHORT_MEASURES)[number];

export type PlaceKind = 'organization' | 'site' | 'team';

/** A figure of four weeks as the server released it, an estimate with noise; where too few people count there is no row. */
export type CohortFigure = {
  /** Monday of the first of its four weeks. */
  week: string;
  measure: CohortMeasure;
  kind: PlaceKind;
  place_id: string;
  /** Estimate, rounded down to fives. */
  people: number;
  /** Estimate of those above the middle of the scale, 0 to 100. */
  percent: number;
  /** Points: 19 of 20 estimates are no further off. */
  margin: number;
  /** Overdue action items of the organisation there, at the end of the four weeks and four weeks earlier; with stress only. */
  overdue: number | null;
  overdue_before: number | null;
};

export const MIN_PEOPLE = 60;
/** Weeks that one figure is about, and those back that a hint compares with. */
export const FIGURE_WEEKS = 4;
/** How many figures back can be looked at: a year of them. */
const SHOWN_FIGURES = 13;
/** The Monday from which the server counts its four weeks, as `cohort.sweep_cohorts` does. */
const FIRST_MONDAY_MS = Date.parse('2026-01-05T00:00:00Z');
/** Days after their end at which four weeks are reckoned, as `cohort.sweep_cohorts` does. */
const REPORTED_AFTER = 2;
const DAY_MS = 86_400_000;

/** The Mondays on which the four weeks began that have been reckoned, the newest first. @param now ms since 1970 */
export function reportedWeeks(now: number): string[] {
  const span = 7 * FIGURE_WEEKS;
  const over = Math.floor(((now - FIRST_MONDAY_MS) / DAY_MS - REPORTED_AFTER) / span);
  const first = new Date(FIRST_MONDAY_MS).toISOString().slice(0, 10);
  return Array.from({ length: SHOWN_FIGURES }, (_, index) => addDays(first, span * (over - 1 - index)));
}

/** Between which parts of 100 the true part lies, 19 times in 20. */
export const rangeOf = ({ percent, margin }: CohortFigure): { from: number; until: number } => ({
  from: Math.max(0, percent - margin),
  until: Math.min(100, percent + margin),
});

export type CohortPlace = { kind: PlaceKind; id: string; name: string };
export type PlaceFigures = CohortPlace & Record<CohortMeasure, CohortFigure | null>;

/** Each place with its figures of four weeks; null where there is none. */
export function byPlace(places: readonly CohortPlace[], figures: readonly CohortFigure[]): PlaceFigures[] {
  return places.map(place => {
    const of = (measure: CohortMeasure): CohortFigure | null =>
      figures.find(each => each.kind === place.kind && each.place_id === place.id && each.measure === measure) ?? null;
    return { ...place, mood: of('mood'), energy: of('energy'), stress: of('stress') };
  });
}

/** What went up together at a place in four weeks: overdue work by a quarter or more, and the part with high stress, in percent. */
export type WorkloadHint = { from: number; to: number; overdue: number; before: number };

const MORE_BY = 1.25;
const MIN_INCREASE = 3;

/** @returns null where one of the two figures is missing, not both went up, or stress by no more than chance explains */
export function workloadHint(now: CohortFigure | null, before: CohortFigure | null): WorkloadHint | null {
  if (!now || !before || now.overdue === null || now.overdue_before === null) return null;
  const { overdue, overdue_before: earlier } = now;
  const isMore = overdue >= earlier * MORE_BY && overdue >= earlier + MIN_INCREASE;
  // Two independent errors add up as the sides of a right angle.
  if (!isMore || now.percent - before.percent <= Math.hypot(now.margin, before.margin)) return null;
  return { from: before.percent, to: now.percent, overdue, before: earlier };
}

export type Employer = { id: string; name: string };
type Consent = Row<'cohort_consents'>;

const isOpen = (consent: Consent): boolean => consent.revoked_at === null && consent.deleted_at === null;

/** The companies a person belongs to, by name. */
export function employers(userId: string): Query<Employer[]> {
  return {
    key: `wellness/employers/${userId}`,
    tables: ['organizations', 'organization_members'],
    async read(tx) {
      const memberships = await tx.range('organization_members', 'user', userId, userId);
      const ids = memberships.filter(row => row.deleted_at === null).map(row => row.organization_id);
      const rows = await Promise.all(ids.map(id => tx.get('organizations', id)));
      return rows
        .flatMap(row => (row && row.kind === 'company' && row.deleted_at === null ? [row] : []))
        .map(({ id, name }) => ({ id, name }))
        .toSorted((a, b) => a.name.localeCompare(b.name));
    },
  };
}

export type EmployerView = {
  /** The person lets this organisation count them. */
  isCounted: boolean;
  /** The whole first, then sites and teams by name, as far as this device has them. */
  places: CohortPlace[];
};

/** Of one company: whether the person is counted, and the places there are figures of. */
export function employerView(employer: Employer): Query<EmployerView> {
  return {
    key: `wellness/employerView/${employer.id}/${employer.name}`,
    tables: ['cohort_consents', 'sites', 'teams'],
    async read(tx) {
      const consents = await tx.range('cohort_consents', 'employer', employer.id, employer.id);
      const here = (row: { organization_id: string; deleted_at: string | null }): boolean =>
        row.organization_id === employer.id && row.deleted_at === null;
      const named = (kind: PlaceKind, rows: readonly { id: string; name: string }[]): CohortPlace[] =>
        rows.map(({ id, name }) => ({ kind, id, name })).toSorted((a, b) => a.name.localeCompare(b.name));
      const sites = (await tx.range('sites', 'organization', employer.id, employer.id)).filter(here);
      const teams = (await tx.all('teams')).filter(here);
      return {
        isCounted: consents.some(isOpen),
        places: [
          { kind: 'organization', id: employer.id, name: employer.name },
          ...named('site', sites),
          ...named('team', teams),
        ],
      };
    },
  };
}

export type ConsentInput = {
  id: string;
  userId: string;
  employerId: string;
  isCounted: boolean;
  /** ISO 8601. */ at: string;
};

/**
 * Lets an organisation count the person, or not any more.
 *
 * @throws {Failure} `not_allowed` where the person does not belong to it
 */
export async function beCounted(tx: WriteTx, { id, userId, employerId, isCounted, at }: ConsentInput): Promise<void> {
  const open = (await tx.range('cohort_consents', 'employer', employerId, employerId)).filter(isOpen);
  if (!isCounted) {
    for (const consent of open) await tx.change('cohort_consents', consent.id, { revoked_at: at });
    return;
  }
  if (open.length > 0) return;
  const memberships = await tx.range('organization_members', 'user', userId, userId);
  if (!memberships.some(row => row.organization_id === employerId && row.deleted_at === null)) {
    throw new Failure('not_allowed', `beCounted: ${employerId}`);
  }
  await tx.put('cohort_consents', { id, user_id: userId, employer_id: employerId });
}
