/** Which sheet of a workbook this is: each has its own columns, and in `choices` any further one is an author's own. */
export type SheetKind = 'survey' | 'choices' | 'settings' | 'follow_ups';

export type Column = { name: string; language: string };

const words = (text: string): string[] => text.trim().split(/\s+/);

const MEDIA = { image: 'media::image', audio: 'media::audio', video: 'media::video', 'big-image': 'media::big-image' };
const MESSAGES = {
  constraint_msg: 'constraint_message',
  constraintmsg: 'constraint_message',
  constraining_message: 'constraint_message',
  constrainingmessage: 'constraint_message',
  'jr:constraintmsg': 'constraint_message',
  required_msg: 'required_message',
  requiredmsg: 'required_message',
  'jr:requiredmsg': 'required_message',
};

/** Other spellings that XLSForm has or had, by the sheet they stand in. Source: pyxform, aliases.py. */
const ALIASES: Record<SheetKind, Readonly<Record<string, string>>> = {
  survey: {
    command: 'type',
    caption: 'label',
    relevance: 'relevant',
    calculate: 'calculation',
    value: 'name',
    tag: 'name',
    readonly: 'read_only',
    count: 'repeat_count',
    'jr:count': 'repeat_count',
    ...MEDIA,
    ...MESSAGES,
  },
  choices: { caption: 'label', value: 'name', list: 'list_name', ...MEDIA },
  settings: { title: 'form_title', set_form_title: 'form_title', set_form_id: 'form_id', id_string: 'form_id' },
  follow_ups: {},
};

export const FOLLOW_UP_COLUMNS: ReadonlySet<string> = new Set(
  words('question when action action_title photo note priority due_in_days due_in_hours assignee'),
);

/** Columns that are written in any letter case. */
const KNOWN: Record<SheetKind, ReadonlySet<string>> = {
  survey: new Set(
    words(`type name label hint required required_message relevant constraint constraint_message calculation default
    appearance choice_filter read_only parameters repeat_count weight fails fail_when critical allow_na or_other trigger
    guidance_hint media::image media::audio media::video media::big-image media bind instance body control`),
  ),
  choices: new Set(words('list_name name label score media::image media::audio media::video media::big-image media')),
  settings: new Set(
    words('form_title form_id version default_language allow_choice_duplicates pass_percent sign presence'),
  ),
  follow_ups: FOLLOW_UP_COLUMNS,
};

export const TRANSLATED: ReadonlySet<string> = new Set([
  'form_title',
  'action_title',
  'label',
  'hint',
  'constraint_message',
  'required_message',
  'guidance_hint',
]);

/** What a heading stands before: `bind::relevant` is `relevant`. */
const PARENTS = new Set(['bind', 'body', 'control']);

/** What column a heading names, and the language of its texts: `label::Deutsch (de)`, `media::image::English`. */
export function readColumn(header: string, kind: SheetKind): Column {
  const [first = '', second = '', ...rest] = partsOf(header);
  const name = canonical(first, kind);
  if (second === '') return { name, language: '' };
  if (PARENTS.has(name)) return { name: canonical(second, kind), language: rest.join('::') };
  if (name === 'media') return { name: `media::${second.toLowerCase()}`, language: rest.join('::') };
  const after = [second, ...rest].join('::');
  if (TRANSLATED.has(name) || name.startsWith('media::')) return { name, language: after };
  return { name: `${name}::${after}`, language: '' };
}

/** The colon of a prefix, as in `jr:count`, parts nothing. */
const PREFIXED = /^(jr|odk|orx|entities):(?!:)/i;

function partsOf(header: string): string[] {
  const text = header.trim();
  if (text.includes('::')) return text.split('::').map(part => part.trim());
  const [prefix = ''] = PREFIXED.exec(text) ?? [];
  const [first = '', ...rest] = text.slice(prefix.length).split(':');
  const parts = [`${prefix}${first}`, ...rest].map(part => part.trim());
  // `bind:jr:constraintMsg`
  return parts[1] === 'jr' && parts.length > 2 ? [parts[0] ?? '', `jr:${parts[2]}`, ...parts.slice(3)] : parts;
}

function canonical(text: string, kind: SheetKind): string {
  const name = text.trim().toLowerCase().replaceAll(/\s+/g, '_');
  const aliases = ALIASES[kind];
  const known = Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
  return KNOWN[kind].has(known) ? known : text.trim();
}
