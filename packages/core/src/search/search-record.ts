/** The kinds of record that can be found, each with a screen of its own. */
export type SearchKind =
  | 'inspection'
  | 'action'
  | 'task'
  | 'form'
  | 'asset'
  | 'report'
  | 'policy'
  | 'evidence'
  | 'finding'
  | 'framework'
  | 'control'
  | 'rule'
  | 'member'
  | 'goal'
  | 'habit'
  | 'helper';

/** One record as search knows it. */
export type SearchRecord = {
  /** `<kind>/<record id>`. */
  id: string;
  kind: SearchKind;
  recordId: string;
  /** Null for what is a person's own and opens wherever they are. */
  organizationId: string | null;
  /** Null where it belongs to every playbook of its organisation. */
  playbookId: string | null;
  title: string;
  /** Where it is and what it is about, for people: "Forklift 3 · Site North". */
  detail: string;
  /** Everything else it can be found by: descriptions, notes. */
  body: string;
};
