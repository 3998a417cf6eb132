import type { CircleRole } from '../roles/role-names.ts';

export const SCOPES = ['goals', 'habits', 'wellness', 'tasks', 'sessions', 'principles'] as const;
export type Scope = (typeof SCOPES)[number];

export const LEVELS = ['full', 'summary', 'titles', 'ok', 'counts', 'act', 'countersign'] as const;
export type Level = (typeof LEVELS)[number];

/** Something a role may be granted. */
export type Offer = {
  scope: Scope;
  level: Level;
  /** Only items the person picks one by one. */
  chosen: boolean;
};

/** A scope that is given on the circle's own screens. */
export type GivenScope = Exclude<Scope, 'principles'>;
export type GivenOffer = Offer & { scope: GivenScope };

const offer = (scope: Scope, level: Level, chosen = false): Offer => ({ scope, level, chosen });

/**
 * What each role may be granted at most (domain 1.5); what is missing cannot be granted at all. Notes and journals are in
 * no row. The server's table `circle_visibility` is the same, and its word counts.
 */
export const visibility: Readonly<Record<CircleRole, readonly Offer[]>> = {
  mentor_coach: [
    offer('goals', 'full'),
    offer('habits', 'full'),
    offer('habits', 'summary'),
    offer('wellness', 'summary'),
    offer('wellness', 'ok'),
    offer('tasks', 'full'),
    offer('sessions', 'full'),
  ],
  accountability_partner: [
    offer('goals', 'full', true),
    offer('habits', 'full', true),
    offer('wellness', 'ok'),
    offer('tasks', 'full', true),
    offer('sessions', 'full'),
    offer('principles', 'countersign', true),
  ],
  managed_admin: [offer('goals', 'titles'), offer('tasks', 'full'), offer('tasks', 'act'), offer('sessions', 'full')],
  triad_intelligence_operator: [
    offer('goals', 'summary'),
    offer('habits', 'summary'),
    offer('wellness', 'summary'),
    offer('tasks', 'counts'),
  ],
};

/** What is given on the circle's own screens; a countersignature is asked for at its principle. */
export const offersOf = (role: CircleRole): GivenOffer[] =>
  visibility[role].filter((each): each is GivenOffer => each.scope !== 'principles');

export const circleRoles = Object.keys(visibility) as CircleRole[];

export const isScope = (value: unknown): value is Scope => SCOPES.some(scope => scope === value);
export const isLevel = (value: unknown): value is Level => LEVELS.some(level => level === value);
