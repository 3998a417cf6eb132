// A table as one statement: its columns as they are now, each with its comment.
import { closing } from './elements.mjs';

const COMMENT_COLUMN = 66;
const bare = name => name.replace(/^public\./, '');
const REFERENCES =
  /\s*\breferences ([\w.]+)(?:\s*\([^)]*\))?(?:\s+on (?:delete|update) (?:cascade|restrict|no action|set default|set null(?:\s*\([^)]*\))?))*(?:\s+deferrable(?: initially \w+)?)?/i;
const IN_TIME =
  /\s*(?:constraint \w+_in_time\s+)check \(\w+ >= timestamptz '1970-01-01T00:00:00Z' and \w+ < timestamptz '2200-01-01T00:00:00Z'\)/i;

const qualify = name => (name.includes('.') ? name : `public.${name}`);

const pretty = def =>
  def
    .replace(/^CHECK \(\((.*)\)\)( NOT VALID)?$/s, 'check ($1)')
    .replace(/^CHECK /, 'check ')
    .replace(/ NOT VALID$/, '')
    .replaceAll(/\((\w+)\)::text/g, '$1::text')
    .replaceAll(/'::text/g, "'")
    .replaceAll(/'([^']+)'::timestamp with time zone/g, "timestamptz '$1'")
    .replaceAll(/\b(AND|OR|NOT|IS|NULL|ANY|ARRAY)\b/g, word => word.toLowerCase());

/** Elements the catalogue has and no statement says in plain text: they were made by a loop. */
function fromCatalogue(t, cat, hints) {
  for (const c of cat.columns) {
    if (t.columns.has(c.name) || c.name === 'scopes') continue;
    const said = hints.get(c.name);
    t.columns.set(
      c.name,
      said ?? {
        text: `${c.name} ${c.type}${c.required ? ' not null' : ''}${c.expression ? ` default ${c.expression}` : ''}`,
        before: [],
        trail: '',
      },
    );
  }
  for (const k of cat.constraints) {
    if (!/_bounded$/.test(k.name)) continue;
    const text = `constraint ${k.name} ${pretty(k.def)}`;
    if (![...t.columns.values(), ...t.constraints].some(e => e.text.includes(k.name)))
      t.constraints.push({ text, before: [], trail: '' });
  }
}

const withoutBounds = (e, synced) => (synced ? { ...e, text: e.text.replace(IN_TIME, '') } : e);

/** Splits off the references to tables that are made later. */
function later(t, e, isLater) {
  const m = REFERENCES.exec(e.text);
  if (!m || !isLater(qualify(m[1]))) return { now: e, then: null };
  if (/^(constraint \w+ )?foreign key/i.test(e.text))
    return {
      now: null,
      then: {
        target: qualify(m[1]),
        text: `alter table ${bare(t.name)} add ${e.text};`,
        before: e.before,
        trail: e.trail,
      },
    };
  const column = /^\w+/.exec(e.text)[0];
  return {
    now: { ...e, text: e.text.replace(REFERENCES, '') },
    then: {
      target: qualify(m[1]),
      text: `alter table ${bare(t.name)} add foreign key (${column})${m[0].replace(/^\s*/, ' ')};`,
      before: [],
      trail: '',
    },
  };
}

function line(text, trail, last) {
  const code = `  ${text}${last ? '' : ','}`;
  if (!trail) return code;
  const width = code.split('\n').at(-1).length;
  return `${code}${' '.repeat(Math.max(3, COMMENT_COLUMN - width))}${trail}`;
}

/** @returns {{text: string, later: {target: string, text: string}[]}} */
export function tableText(t, cat, { synced, isLater, hints }) {
  fromCatalogue(t, cat, hints);
  const wanted = cat.columns.map(c => c.name).filter(name => name !== 'scopes' || !synced);
  const gone = [...t.columns.keys()].filter(name => !wanted.includes(name));
  if (gone.length > 0) throw new Error(`${t.name}: columns ${gone} are said and not there`);
  const width = Math.max(...wanted.map(name => name.length));
  const thens = [];
  const elements = [];
  const put = e => {
    const { now, then } = later(t, withoutBounds(e, synced), isLater);
    if (then) thens.push(then);
    if (now) elements.push(now);
  };
  for (const name of wanted) {
    const e = t.columns.get(name);
    const rest = e.text
      .replaceAll('\u0000', '')
      .replace(/^"?\w+"?\s+/, '')
      .replaceAll(/\n\s*/g, '\n    ');
    put({ ...e, text: `${name.padEnd(width)} ${rest}` });
  }
  for (const k of t.constraints) {
    if (synced && /^constraint \w+_in_time check \(\w+ >= timestamptz/i.test(k.text)) continue;
    put({ ...k, text: k.text.replaceAll(/\n\s*/g, '\n    ') });
  }
  const body = elements
    .map((e, n) => [...e.before.map(b => `  ${b}`), line(e.text, e.trail, n === elements.length - 1)].join('\n'))
    .join('\n');
  return {
    text: `create ${t.unlogged ? 'unlogged ' : ''}table ${t.shown} (\n${body}\n)${t.tail ? ` ${t.tail}` : ''};`,
    later: thens,
  };
}

export { closing };
