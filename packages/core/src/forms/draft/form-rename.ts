import type { Json } from '@cairn/schema';

/** Fields that are expressions, or texts that may mention answers as `${name}`. */
const SPEAKING = new Set([
  'label',
  'hint',
  'required',
  'required_message',
  'relevant',
  'constraint',
  'constraint_message',
  'calculation',
  'trigger',
  'default_expression',
  'choice_filter',
  'count',
  'fail_when',
  'when',
  'title',
]);

/** Fields whose fields speak in turn. */
const AROUND = new Set(['scoring', 'on_fail', 'rules']);

/** `${name}` and `${last-saved#name}`. */
const mention = (name: string): RegExp =>
  new RegExp(String.raw`\$\{(\s*(?:last-saved\s*#\s*)?)${escaped(name)}(\s*)\}`, 'g');

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|-]/g, String.raw`\$&`);

/** The fields of a question or section with every `${before}` in them as `${name}`. */
export function renamedIn<Fields extends object>(fields: Fields, before: string, name: string): Fields {
  const pattern = mention(before);
  const spoken = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value.replaceAll(pattern, (_, lead: string, end: string) => `\${${lead}${name}${end}}`);
    if (Array.isArray(value)) return value.map(each => renamedIn(each as object, before, name));
    return value;
  };
  const entries = Object.entries(fields as Record<string, Json>).map(([field, value]) => {
    if (SPEAKING.has(field)) {
      return [field, typeof value === 'object' && value !== null ? mapped(value, spoken) : spoken(value)];
    }
    if (!AROUND.has(field) || value === null || typeof value !== 'object') return [field, value];
    return [field, Array.isArray(value) ? spoken(value) : renamedIn(value, before, name)];
  });
  return Object.fromEntries(entries) as Fields;
}

/** A text per language. */
const mapped = (words: object, spoken: (value: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(words).map(([language, text]) => [language, spoken(text)]));
