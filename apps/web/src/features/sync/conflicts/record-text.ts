import i18n from 'i18next';
import type { TableName } from '@cairn/schema';
import type { Texts } from '../../../shared/i18n/texts.ts';

// These words are many and needed on this page alone: a file of their own, and not of the first screen's.
const ns = 'recordLabels';

const isField = (name: string): name is keyof Texts['recordLabels']['fields'] => i18n.exists(`fields.${name}`, { ns });
const isCode = (name: string): name is keyof Texts['recordLabels']['codes'] => i18n.exists(`codes.${name}`, { ns });

/** What a column is called; null where it has no name for people. */
export const fieldName = (field: string): string | null => (isField(field) ? i18n.t(`fields.${field}`, { ns }) : null);

/** What a value of a column with few values says; null where it is none of those known. */
export function codeText(table: TableName, field: string, value: string): string | null {
  const code = value.replaceAll('.', '-');
  const known = [`${table}-${code}`, `${field}-${code}`, code].find(isCode);
  return known === undefined ? null : i18n.t(`codes.${known}`, { ns });
}
