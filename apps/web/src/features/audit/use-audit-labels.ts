import { useTranslation } from 'react-i18next';
import type { AuditEntry } from '@cairn/core/audit/audit-log.ts';
import { useFormat } from '../../shared/format/format.ts';

/** What an entry says in words: what was done, and the facts that go with it. A word nobody translated stands as it is. */
export function useAuditLabels() {
  const { t, i18n } = useTranslation('audit');
  const { formatDay } = useFormat();
  const label = (key: string, otherwise: string): string =>
    i18n.t(key, { ns: 'audit' as const, defaultValue: otherwise });
  const value = (raw: unknown): string => {
    if (raw === null || raw === undefined) return '–';
    const text = typeof raw === 'string' ? raw : JSON.stringify(raw);
    if (/^\d{4}-\d\d-\d\dT/.test(text)) return formatDay(new Date(text));
    return label(`word.${text}`, text);
  };
  const details = ({ detail, actor_id: actor }: AuditEntry, names: Record<string, string>): string[] => {
    const count = (key: 'entries' | 'rows' | 'faults') =>
      typeof detail[key] === 'number' ? t(`detail.${key}`, { count: detail[key] }) : null;
    const named = (raw: unknown): string => names[String(raw)] ?? value(raw);
    const change = 'to' in detail ? `${named(detail['from'])} → ${named(detail['to'])}` : null;
    const isDeputy = typeof detail['approver_id'] === 'string' && detail['approver_id'] !== actor;
    const one = (key: 'version' | 'number' | 'round') =>
      key in detail ? t(`detail.${key}`, { value: detail[key] }) : null;
    const states = ['role', 'decision', 'state'].map(key => (key in detail ? value(detail[key]) : null));
    const fields = Array.isArray(detail['fields']) ? detail['fields'].join(', ') : null;
    const parts = [
      change,
      ...states,
      one('version'),
      one('number'),
      one('round'),
      fields,
      count('entries'),
      count('rows'),
    ];
    return [...parts, count('faults'), isDeputy ? t('detail.deputy') : null].filter(part => part !== null);
  };
  return { act: ({ act }: AuditEntry) => label(`act.${act.replace('.', '-')}`, act), details };
}
