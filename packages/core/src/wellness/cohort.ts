import { Failure } from '@cairn/base/failure.ts';
import { addDays } from '@cairn/base/local-day.ts';
import type { Row } from '@cairn/schema';
import type { Query, WriteTx } from '@cairn/sync/store.ts';

export const COHORT_MEASURES = ['mood', 'energy', 'stress'] as const;
export type CohortMeasure = (typeof COHORT_MEASURES)[number];

/** In which quarter the people above the middle of the scale lie, the lowest first. */
export const SHARES = ['few', 'some', 'many', 'most'] as const;
export type Share = (typeof SHARES)[number];

export type PlaceKind = 'organization' | 'site' | 'team';

/** A figure as the server released it; what it withheld has no row. */
export type CohortFigure = {
  week: string;
  measure: CohortMeasure;
  kind: PlaceKind;
  place_id: string;
  /** Rounded down to fives. */
  people: number;
  share: Share;
  /** Overdue action items of the organisation there, at the end of the week and four weeks earlier; with stress only. */
  overdue: number | null;
  overdue_before: number | null;
};

export const LEAST_PEOPLE = 10;
/** How many weeks can be looked at. */
export const COHORT_WEEKS = 12;
/** Weeks back that a hint compares with, as the server counts overdue work. */
export const HINT_WEEKS = 4;
/** Days after its end at which a week is reckoned, as `sync.sweep_cohorts` does. */
const REPORTED_AFTER = 2;
const DAY_MS = 86_400_000;

/** The Mondays of the weeks that have been reckoned, the newest first. @param now ms since 1970 */
export function reportedWeeks(now: number): string[] {
  const due = new Date(now - REPORTED_AFTER * DAY_MS);
  const day = due.toISOString().slice(0, 10);
  const monday = addDays(day, -((due.getUTCDay() + 6) % 7));
  return Array.from({ length: COHORT_WEEKS }, (_, index) => addDays(monday, -7 * (index + 1)));
}

export type Place = { kind: PlaceKind; id: string; name: string };
export type PlaceFigures = Place & Record<CohortMeasure, CohortFigure | null>;

/** Each place with its figures of one week; null where one is withheld. */
export function byPlace(places: readonly Place[], figures: readonly CohortFigure[]): PlaceFigures[] {
  return places.map(place => {
    const of = (measure: CohortMeasure): CohortFigure | null =>
      figures.find(each => each.kind === place.kind && each.place_id === place.id && each.measure === measure) ?? null;
    return { ...place, mood: of('mood'), energy: of('energy'), stress: of('stress') };
  });
}

/** What went up together at a place in four weeks: overdue work by a quarter or more, and the part with high stress. */
export type WorkloadHint = { from: Share; to: Share; overdue: number; before: number };

const MORE_BY = 1.25;
const FEWEST_MORE = 3;

/** @returns null where one of the two figures is withheld, or not both went up */
export function workloadHint(now: CohortFigure | null, before: CohortFigure | null): WorkloadHint | null {
  if (!now || !before || now.overdue === null || now.overdue_before === null) return null;
  const { overdue, overdue_before: earlier } = now;
  const isMore = overdue >= earlier * MORE_BY && overdue >= earlier + FEWEST_MORE;
  if (!isMore || SHARES.indexOf(now.share) <= SHARES.indexOf(before.share)) return null;
  return { from: before.share, to: now.share, overdue, before: earlier };
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
  places: Place[];
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
      const named = (kind: PlaceKind, rows: readonly { id: string; name: string }[]): Place[] =>
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

export type Counting = {
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
export async function beCounted(tx: WriteTx, { id, userId, employerId, isCounted, at }: Counting): Promise<void> {
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
