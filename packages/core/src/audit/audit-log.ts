/** One entry as `read_audit_log` answers it. Instants in ISO 8601; `detail` holds states, roles, numbers, hashes and days. */
export type AuditEntry = {
  seq: number;
  at: string;
  /** Null for what the system did by itself. */
  actor_id: string | null;
  act: string;
  subject_table: string;
  subject_id: string;
  detail: Record<string, unknown>;
  hash: string;
};

/** `people`: names by id. `next`: what to ask for the page after, null at the end. */
export type AuditPage = { entries: AuditEntry[]; next: number | null; people: Record<string, string> };

/** The end of a log: the number and the hash of its last entry. */
export type AuditHead = { seq: number; hash: string };

export type AuditFault = { seq: number; kind: 'altered' | 'missing' | 'torn' | 'cut' | 'head' | 'known' };

export type AuditVerdict = { at: string; entries: number; head: AuditHead; faults: AuditFault[] };

/** One entry as it is hashed: `at` to the microsecond, `detail` as the text PostgreSQL writes. */
export type ExportedEntry = Omit<AuditEntry, 'detail'> & { detail: string };

export type AuditPortion = {
  organization_id: string;
  entries: ExportedEntry[];
  next: number | null;
  head: AuditHead;
  heads: { day: string; seq: number; hash: string }[];
};

/** What a log may be narrowed to: the first word of the acts. */
export const AUDIT_AREAS = [
  'member',
  'invitation',
  'site',
  'organization',
  'policy',
  'approval',
  'delegation',
  'workflow',
  'campaign',
  'acknowledgement',
  'evidence',
  'framework',
  'control',
  'poam',
  'finding',
  'pack',
  'inspection',
  'report',
  'action',
  'playbook',
  'report_code',
  'guest_link',
  'form',
  'orphaned_edits',
  'support',
  'audit',
] as const;
export type AuditArea = (typeof AUDIT_AREAS)[number];
