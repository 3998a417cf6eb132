type Mutation = { mid: string; t: string; id: string; op: string; patch: Record<string, unknown>; group?: string };
/**
 * What the server said to it when it was accepted; `with_group`: another piece saved with it was at fault; `kind`: what
 * a conflict was about.
 */
type Result = { st?: string; code?: string; kind?: string; with_group?: boolean };

/** One piece of the review queue as `orphaned_edits` answers it. */
export type OrphanedEditRow = {
  /** Order of arrival; pages are asked for by it. */
  n: number;
  user_id: string;
  name: string | null;
  submitted_at: string;
  mutation: Mutation;
  state: string;
  result: Result | null;
  /** Who brought it out of a rescue file; null when its author handed it over. */
  submitted_by: string | null;
};

export type OrphanedGroup = {
  key: string;
  kind: 'inspections' | 'action_items' | 'media' | 'other';
  title: string | null;
  /** In the order they were made. */
  mids: string[];
  /** ISO 8601, of the first piece. */
  submittedAt: string;
  /** Who brought it out of a rescue file. */
  submittedBy: string | null;
  /** An administrator accepted it before, and the server refused it: which piece was at fault, and why. */
  refused: { what: string; why: RefusalReason } | null;
};

export type RefusalReason = 'not_allowed' | 'parent_gone' | 'exists' | 'invalid' | 'changed' | 'gone';

function becauseOf({ st, code, kind }: Result): RefusalReason {
  if (st === 'conflict') return kind === 'deleted_remotely' || kind === 'missing_or_hidden' ? 'gone' : 'changed';
  if (code === '42501' || code === 'not_a_member') return 'not_allowed';
  if (code === '23503') return 'parent_gone';
  return code === '23505' || code === 'id_collision' ? 'exists' : 'invalid';
}

const textIn = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** What a piece belongs to: what was saved together to one thing, answers and photos to their inspection. */
function aggregateKeyOf({ t, id, patch, group }: Mutation, keys: ReadonlyMap<string, string>): string {
  const together = group && keys.get(`group/${group}`);
  if (together) return together;
  const inspection = textIn(patch['inspection_id']);
  if (inspection && (t === 'inspection_answers' || t === 'media')) return `inspections/${inspection}`;
  return keys.get(`${t}/${id}`) ?? `${t}/${id}`;
}

function kindOf(key: string): OrphanedGroup['kind'] {
  const table = key.split('/')[0];
  return table === 'inspections' || table === 'action_items' || table === 'media' ? table : 'other';
}

const nameOf = (patch: Mutation['patch']): string | null =>
  textIn(patch['title']) ?? textIn(patch['name']) ?? textIn(patch['question']);

/** The pieces of one author as the things they make up, so that nobody decides over half an inspection. */
export function orphanedGroups(all: readonly OrphanedEditRow[]): OrphanedGroup[] {
  const keys = new Map<string, string>();
  const things = new Map<string, OrphanedGroup>();
  for (const { mutation, submitted_at: submittedAt, state, result, submitted_by: submittedBy } of all) {
    const key = aggregateKeyOf(mutation, keys);
    keys.set(`${mutation.t}/${mutation.id}`, key);
    if (mutation.group) keys.set(`group/${mutation.group}`, key);
    const thing = things.get(key) ?? {
      key,
      kind: kindOf(key),
      title: null,
      mids: [],
      submittedAt,
      submittedBy,
      refused: null,
    };
    thing.mids.push(mutation.mid);
    if (key === `${mutation.t}/${mutation.id}`)
      thing.title = textIn(mutation.patch['title']) ?? textIn(mutation.patch['name']) ?? thing.title;
    if (state === 'refused' && !result?.with_group)
      thing.refused ??= { what: nameOf(mutation.patch) ?? mutation.t, why: becauseOf(result ?? {}) };
    things.set(key, thing);
  }
  return [...things.values()];
}
