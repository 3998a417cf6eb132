type Mutation = { mid: string; t: string; id: string; op: string; patch: Record<string, unknown> };

/** One piece of the tray as `unsent_work` answers it. */
export type Unsent = {
  user_id: string;
  name: string | null;
  submitted_at: string;
  mutation: Mutation;
  state: string;
  /** Who brought it out of a rescue file; null when its author handed it over. */
  brought_by: string | null;
};

export type UnsentThing = {
  key: string;
  kind: 'inspections' | 'action_items' | 'media' | 'other';
  title: string | null;
  /** In the order they were made. */
  mids: string[];
  /** ISO 8601, of the first piece. */
  submittedAt: string;
  /** Who brought it out of a rescue file. */
  broughtBy: string | null;
  /** An administrator accepted it before, and the server refused it. */
  wasRefused: boolean;
};

const textIn = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** What a piece belongs to: answers and photos to their inspection, everything else to itself. */
function homeOf({ t, id, patch }: Mutation, homes: ReadonlyMap<string, string>): string {
  const inspection = textIn(patch['inspection_id']);
  if (inspection && (t === 'inspection_answers' || t === 'media')) return `inspections/${inspection}`;
  return homes.get(`${t}/${id}`) ?? `${t}/${id}`;
}

function kindOf(key: string): UnsentThing['kind'] {
  const table = key.split('/')[0];
  return table === 'inspections' || table === 'action_items' || table === 'media' ? table : 'other';
}

/** The pieces of one author as the things they make up, so that nobody decides over half an inspection. */
export function unsentThings(all: readonly Unsent[]): UnsentThing[] {
  const homes = new Map<string, string>();
  const things = new Map<string, UnsentThing>();
  for (const { mutation, submitted_at: submittedAt, state, brought_by: broughtBy } of all) {
    const key = homeOf(mutation, homes);
    homes.set(`${mutation.t}/${mutation.id}`, key);
    const thing = things.get(key) ?? {
      key,
      kind: kindOf(key),
      title: null,
      mids: [],
      submittedAt,
      broughtBy,
      wasRefused: false,
    };
    thing.mids.push(mutation.mid);
    if (key === `${mutation.t}/${mutation.id}`)
      thing.title = textIn(mutation.patch['title']) ?? textIn(mutation.patch['name']) ?? thing.title;
    thing.wasRefused ||= state === 'refused';
    things.set(key, thing);
  }
  return [...things.values()];
}
