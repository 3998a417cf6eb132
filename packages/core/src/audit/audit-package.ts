import type { NamedFile } from '../files/form-package.ts';
import type { AuditPortion } from './audit-log.ts';
import { textFile } from './sealed-package.ts';

/**
 * The audit log as files of a package: one entry a line as it is hashed, and its heads.
 *
 * @param portions what `export_audit_log` answered, from the first entry on; the first names the head
 */
export function auditFiles(portions: readonly AuditPortion[]): NamedFile[] {
  const [first] = portions;
  if (!first) return [];
  const { head, heads, organization_id: organization } = first;
  // What was added while the portions came belongs to the next export.
  const entries = portions.flatMap(portion => portion.entries).filter(({ seq }) => seq <= head.seq);
  return [
    textFile('audit-log.jsonl', entries.map(entry => `${JSON.stringify(entry)}\n`).join('')),
    textFile('audit-heads.json', `${JSON.stringify({ organization_id: organization, head, heads }, null, 2)}\n`),
  ];
}
