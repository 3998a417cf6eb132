import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';
import { isOpen, type Relationship } from '../support-circle/grants.ts';
import { circle, type Circle, type CircleEntry } from '../support-circle/queries.ts';
import { briefLinesOf, type BriefLine, type LineKind, type Receiver } from './brief-line.ts';

export type Brief = Row<'triad_briefs'>;
export type LineRow = Row<'triad_brief_lines'>;

/** What was sent to one of the circle. */
export type SentCopy = { copy: Row<'triad_brief_copies'>; name: string | null; lines: BriefLine[] };

/** A brief about the person, with all its lines in order. */
export type OwnBrief = { brief: Brief; operator: Relationship | null; lines: LineRow[]; sent: SentCopy[] };

export type TriadPage = {
  /** About this person, the newest first. */
  own: OwnBrief[];
  /** What others sent this person, the newest first. */
  received: SentCopy[];
  /** Whose briefs this person looks through, each with those there were, the newest first. */
  operated: (CircleEntry & { briefs: Brief[] })[];
  /** Who looks the person's own briefs through. */
  operators: CircleEntry[];
  /** To whom of the circle a brief may be sent. */
  receivers: Receiver[];
};

const byWeek = (a: { week: string }, b: { week: string }): number => b.week.localeCompare(a.week);

/** Roles that look briefs through, by the table of permissions. */
async function briefRoles(tx: Tx): Promise<ReadonlySet<string>> {
  const rules = await tx.all('role_permissions');
  return new Set(
    rules.filter(rule => rule.role_kind === 'circle' && rule.permission === 'circle.brief').map(rule => rule.role),
  );
}

async function ownBriefs(tx: Tx, briefs: readonly Brief[], copies: readonly SentCopy[]): Promise<OwnBrief[]> {
  const own: OwnBrief[] = [];
  for (const brief of briefs.toSorted(byWeek)) {
    const lines = await tx.range('triad_brief_lines', 'brief', brief.id, brief.id);
    own.push({
      brief,
      operator: (await tx.get('circle_relationships', brief.relationship_id)) ?? null,
      lines: lines.toSorted((a, b) => a.position - b.position),
      sent: copies.filter(({ copy }) => copy.brief_id === brief.id),
    });
  }
  return own;
}

async function sentCopies(tx: Tx, userId: string): Promise<SentCopy[]> {
  const copies: SentCopy[] = [];
  for (const copy of (await tx.all('triad_brief_copies')).toSorted(byWeek)) {
    const relationship = await tx.get('circle_relationships', copy.relationship_id);
    const name = copy.subject_id === userId ? relationship?.helper_name : relationship?.subject_name;
    copies.push({ copy, name: name ?? null, lines: briefLinesOf(copy.lines) });
  }
  return copies;
}

function people({ helpers, helped }: Circle, roles: ReadonlySet<string>, briefs: readonly Brief[]) {
  const operators = helpers.filter(({ relationship }) => roles.has(relationship.role));
  const looksThrough = new Set(operators.map(({ relationship }) => relationship.helper_id));
  return {
    operators,
    receivers: helpers.filter(({ relationship }) => !looksThrough.has(relationship.helper_id)),
    operated: helped
      .filter(({ relationship }) => roles.has(relationship.role))
      .map(entry => ({
        ...entry,
        briefs: briefs.filter(brief => brief.relationship_id === entry.relationship.id).toSorted(byWeek),
      })),
  };
}

/** Everything of weekly briefs that this device holds for a person, whatever their part in it. */
export function triadPage(userId: string): Query<TriadPage> {
  const ofCircle = circle(userId);
  return {
    key: `triad-intelligence/triadPage/${userId}`,
    tables: [...ofCircle.tables, 'role_permissions', 'triad_briefs', 'triad_brief_lines', 'triad_brief_copies'],
    async read(tx) {
      const briefs = await tx.all('triad_briefs');
      const copies = await sentCopies(tx, userId);
      const own = briefs.filter(brief => brief.subject_id === userId);
      return {
        own: await ownBriefs(
          tx,
          own,
          copies.filter(({ copy }) => copy.subject_id === userId),
        ),
        received: copies.filter(({ copy }) => copy.helper_id === userId),
        ...people(await ofCircle.read(tx), await briefRoles(tx), briefs),
      };
    },
  };
}

/**
 * The lines of a brief that wait for the person: what the operator left out is not among them, nor what is granted no longer.
 * @param now ms since 1970
 */
export function linesToApprove({ brief, lines }: OwnBrief, operators: readonly CircleEntry[], now: number): LineRow[] {
  const entry = operators.find(({ relationship }) => relationship.id === brief.relationship_id);
  const open = new Set(entry?.grants.filter(each => isOpen(each, entry.relationship, now)).map(({ id }) => id));
  return lines.filter(line => !line.is_left_out && open.has(line.grant_id));
}

const COUNTED = { goals: 'goals', habits: 'habits', tasks: 'action_items' } as const;

export type CountedItem = { id: string; title: string };

/** The person's own goals, habits or tasks that a line counted, by name; what is gone from this device is left out. */
export function countedItems(kind: LineKind, ids: unknown): Query<CountedItem[]> {
  const wanted = Array.isArray(ids) ? ids.filter(id => typeof id === 'string') : [];
  const table = kind === 'wellness' || kind === 'week' ? null : COUNTED[kind];
  return {
    key: `triad-intelligence/countedItems/${kind}/${wanted.join()}`,
    tables: table ? [table] : [],
    async read(tx) {
      const found: CountedItem[] = [];
      for (const id of wanted) {
        const row = table && (await tx.get(table, id));
        if (row && row.deleted_at === null) found.push({ id, title: 'name' in row ? row.name : row.title });
      }
      return found.toSorted((a, b) => a.title.localeCompare(b.title));
    },
  };
}
