import type { QueuedEntry } from '../store/stored.ts';

type Work = Pick<QueuedEntry, 'dataType' | 'dataId' | 'data' | 'group'>;

const isNameless = ({ dataType, data }: Work): boolean =>
  dataType === 'issue_reports' && (data['is_anonymous'] ?? false) !== false;

/**
 * What belongs to reports without a name: the reports, what was saved together with them, and the files they name. A review queue
 * says whose work it holds, for good: a photo in it would name the author of a report that is sent later.
 */
export function namelessWork<Entry extends Work>(entries: readonly Entry[]): Entry[] {
  const reports = entries.filter(isNameless);
  const groups = new Set(reports.map(({ group }) => group));
  const files = new Set(
    reports.flatMap(({ data: { media_ids: ids } }) => (Array.isArray(ids) ? (ids as unknown[]) : [])),
  );
  return entries.filter(
    entry =>
      isNameless(entry) ||
      (entry.group !== undefined && groups.has(entry.group)) ||
      (entry.dataType === 'media' && files.has(entry.dataId)),
  );
}
