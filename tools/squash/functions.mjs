// The final text of each function: its last source, with the body the database has.
import { mergeLeads } from './comments.mjs';

/** Written by sync.refresh_table and sync.write_choice. */
export function isWritten(name, synced) {
  const m = /^sync\.(insert_all|lock_all|update_all|typed|see|lock|insert|update|delete)_(\w+)$/.exec(name);
  return Boolean(m) && (synced.has(m[2]) || ['row', 'all'].includes(m[2]));
}

const lowerKeywords = text =>
  text
    .replace(/\b(WHEN|THEN|SELECT|FROM|WHERE|ELSE|END|AND|OR|NOT|IN|CASE)\b/g, word => word.toLowerCase())
    .replaceAll('::text', '')
    .replace(/\(\s+/g, '(');

/** A patch of what PostgreSQL prints, made on the source instead. */
function patchStandard(text, patches) {
  let out = text;
  for (const { before, added } of patches) {
    const find = lowerKeywords(before);
    if (!out.includes(find)) throw new Error(`no ${find} in ${out.slice(0, 80)}`);
    const indent = /\n([ \t]*)[^\n]*$/.exec(out.slice(0, out.indexOf(find)))?.[1] ?? '';
    out = out.replace(find, () => lowerKeywords(added).replace(/\n\s*/g, `\n${indent}`));
  }
  return out;
}

const BODY = /\bas\s+(\$\w*\$)([\s\S]*)\1/i;
const VOLATILITY = { i: 'immutable', s: 'stable', v: 'volatile' };

/** Attributes that were altered after the last definition. */
function mended(header, cat) {
  let out = header;
  if (cat.definer && !/security definer/i.test(out))
    out = out.replace(/\blanguage \w+( stable| immutable| volatile)?/i, x => `${x} security definer`);
  const said =
    /\b(stable|immutable|volatile)\b/i.exec(out.slice(out.search(/\blanguage\b/i)))?.[1]?.toLowerCase() ?? 'volatile';
  const is = VOLATILITY[cat.volatility];
  if (said !== is && cat.kind !== 'p') out = out.replace(/\b(stable|immutable|volatile)\b/i, is);
  return out;
}

export function finalFunction(f, cat, patches) {
  const last = f.defs.at(-1);
  let text = last.text.replace(/^create (or replace )?/i, 'create ');
  if (f.renamedFrom) text = text.replace(f.renamedFrom, f.name.replace(/^public\./, ''));
  if (cat.standard) {
    if (patches.length > 0) text = patchStandard(text, patches);
    text = mended(text, cat);
  } else {
    const m = BODY.exec(text);
    if (!m) throw new Error(`no body: ${f.name}`);
    const header = mended(text.slice(0, m.index), cat);
    // A comment or option may follow the body.
    text = `${header}as ${m[1]}${cat.body}${m[1]}${text.slice(m.index + m[0].length)}`;
  }
  return {
    lead: mergeLeads(
      f.defs.map(d => d.lead),
      f.name,
    ),
    text,
    trail: last.trail,
  };
}

/** The calls of pg_temp.extend, by the function they patch. */
export function patchesOf(statements) {
  const found = new Map();
  for (const s of statements) {
    // What was patched before it was written anew is in no text any more.
    const anew = /^create (?:or replace )?function ([\w.]+)/i.exec(s.text);
    if (anew) found.delete(anew[1].includes('.') ? anew[1] : `public.${anew[1]}`);
    const m = /^select pg_temp\.extend\('([\w.]+)\(/i.exec(s.text);
    if (!m) continue;
    const strings = [...s.text.matchAll(/\$x\$([\s\S]*?)\$x\$|'((?:[^']|'')*)'/g)].map(
      x => x[1] ?? x[2].replaceAll("''", "'"),
    );
    const name = m[1].includes('.') ? m[1] : `public.${m[1]}`;
    if (!found.has(name)) found.set(name, []);
    found.get(name).push({ before: strings[1], added: strings[2] });
  }
  return found;
}
