// Replays the statements of all migrations as text: what each object's last definition is, and the comments above it.
import { closing, elementsOf } from './elements.mjs';

const qualify = name => (name.includes('.') ? name : `public.${name}`).replaceAll('"', '');
const bare = name => name.replace(/^public\./, '');

export function replay(statements) {
  const m = {
    tables: new Map(),
    indexes: new Map(),
    functions: new Map(),
    triggers: new Map(),
    policies: new Map(),
    comments: new Map(),
    schemas: new Map(),
    types: new Map(),
    synced: new Map(),
    registry: [],
    kept: [],
    grantLeads: new Map(),
    unhandled: [],
    first: new Map(),
  };
  for (const s of statements) if (s.text) one(m, s);
  return m;
}

function table(m, name) {
  const t = m.tables.get(qualify(name));
  if (!t) throw new Error(`no table ${name}`);
  return t;
}

/** The block right above a statement, without paragraphs that stand apart from it when it opens its file. */
function ownLead(s) {
  const paragraphs = s.lead.split(/\n\s*\n/);
  if (s.at > 0) return s.lead;
  return s.gap ? '' : paragraphs.at(-1);
}

function one(m, s) {
  const t = s.text;
  const low = t.toLowerCase();
  let x;
  if ((x = /^create schema (\w+)/i.exec(t))) {
    m.schemas.set(x[1], { name: x[1], lead: s.lead, file: s.file });
    return;
  }
  if ((x = /^create (unlogged )?table ([\w.]+)\s*\(/i.exec(t))) return createTable(m, s, x);
  if ((x = /^create type ([\w.]+)/i.exec(t))) {
    m.types.set(x[1], { ...s, lead: ownLead(s) });
    return;
  }
  if ((x = /^create (?:or replace )?(?:function|procedure) ([\w.]+)/i.exec(t))) return addFunction(m, s, x[1]);
  if ((x = /^create (?:unique )?index (\w+)\s+on ([\w.]+)/i.exec(t))) {
    const schema = qualify(x[2]).split('.')[0];
    m.indexes.set(`${schema}.${x[1]}`, { ...s, table: qualify(x[2]), name: x[1] });
    return;
  }
  if ((x = /^create (?:constraint )?trigger (\S+)\s[\s\S]*?\son ([\w.]+)/i.exec(t))) {
    m.triggers.set(`${x[1]} on ${qualify(x[2])}`, { ...s, table: qualify(x[2]), name: x[1], lead: ownLead(s) });
    return;
  }
  if ((x = /^create policy ("[^"]+"|\w+)\s+on ([\w.]+)/i.exec(t))) {
    m.policies.set(`${x[1].replaceAll('"', '')} on ${qualify(x[2])}`, {
      ...s,
      table: qualify(x[2]),
      name: x[1].replaceAll('"', ''),
      lead: ownLead(s),
    });
    return;
  }
  if (/^alter table/i.test(t)) return alterTable(m, s);
  if ((x = /^alter function ([\w.]+)\([^)]*\) rename to (\w+)/i.exec(t))) {
    const f = m.functions.get(qualify(x[1]));
    const to = `${qualify(x[1]).split('.')[0]}.${x[2]}`;
    f.renamedFrom = x[1];
    m.functions.set(to, { ...f, name: to });
    m.first.set(to, s.file);
    m.functions.delete(qualify(x[1]));
    return;
  }
  if (/^alter function/i.test(t)) return; // attributes: told by the catalogue
  if ((x = /^drop function (?:if exists )?([\w.]+)/i.exec(t))) {
    const f = m.functions.get(qualify(x[1]));
    if (f) {
      f.dropped = true;
      f.dropLead = s.lead;
    }
    return;
  }
  if ((x = /^drop trigger (\S+) on ([\w.]+)/i.exec(t))) {
    m.triggers.delete(`${x[1]} on ${qualify(x[2])}`);
    return;
  }
  if ((x = /^drop policy ("[^"]+"|\w+) on ([\w.]+)/i.exec(t))) {
    m.policies.delete(`${x[1].replaceAll('"', '')} on ${qualify(x[2])}`);
    return;
  }
  if ((x = /^drop index ([\w.]+)/i.exec(t))) {
    m.indexes.delete(qualify(x[1]));
    return;
  }
  if ((x = /^drop table ([\w., ]+)/i.exec(t))) {
    for (const name of x[1].split(',').map(n => qualify(n.trim()))) {
      m.tables.delete(name);
      m.synced.delete(bare(name));
      for (const map of [m.policies, m.triggers, m.indexes])
        for (const [key, o] of map) if (o.table === name) map.delete(key);
    }
    return;
  }
  if ((x = /^comment on (\w+) ([\w.]+)/i.exec(t))) {
    m.comments.set(`${x[1].toLowerCase()} ${qualify(x[2])}`, s);
    return;
  }
  if ((x = /^select sync\.add_table\('(\w+)',\s*(\d+),\s*/i.exec(t))) return addSynced(m, s, x);
  if (/^select sync\.(refresh_table|learn_past)/.test(low)) return;
  if (/^update sync\.tables set/i.test(t)) {
    m.registry.push(s);
    return;
  }
  if ((x = /^grant [\w, ]+ on ([\w., ]+) to /i.exec(t)) && !/ on (function|schema|all|procedure|table)/i.test(t)) {
    for (const name of x[1].split(',')) if (s.lead && s.at > 0) m.grantLeads.set(qualify(name.trim()), s.lead);
    return;
  }
  if (/^(grant|revoke) /.test(low)) return;
  if (/^select pg_temp\.|^analyze |^delete from |^update (?!storage)/.test(low)) return;
  m.kept.push({ ...s, lead: ownLead(s) });
}

function createTable(m, s, x) {
  const open = s.text.indexOf('(', x[0].length - 1);
  const end = closing(s.text, open);
  const tail = s.text.slice(end).replace(/;\s*$/, '').trim();
  const name = qualify(x[2]);
  const t = {
    name,
    shown: x[2],
    unlogged: Boolean(x[1]),
    lead: s.lead,
    file: s.file,
    columns: new Map(),
    constraints: [],
    tail,
  };
  for (const e of elementsOf(s.text.slice(open + 1, end - 1))) addElement(t, e);
  m.tables.set(name, t);
}

const IS_CONSTRAINT = /^(constraint|unique|foreign key|primary key|check|exclude)\b/i;

function addElement(t, e) {
  if (IS_CONSTRAINT.test(e.text)) t.constraints.push(e);
  else {
    const name = /^"?(\w+)"?/.exec(e.text)[1];
    t.columns.set(name, e);
  }
}

/** Taken out of a column's text: the check that PostgreSQL names by itself. */
function dropInlineCheck(t, column) {
  const c = t.columns.get(column);
  const at = c ? c.text.search(/(?<!constraint \w+\s+)\bcheck\s*\(/i) : -1;
  if (at < 0) return false;
  const end = closing(c.text, c.text.indexOf('(', at));
  c.text = `${c.text.slice(0, at).trimEnd()}\u0000${c.text.slice(end)}`;
  return true;
}

function dropConstraint(t, name) {
  const named = t.constraints.findIndex(c => new RegExp(`^constraint ${name}\\b`, 'i').test(c.text));
  if (named >= 0) {
    t.constraints.splice(named, 1);
    return;
  }
  const short = t.name.split('.')[1];
  for (const [column, c] of t.columns) {
    const at = c.text.search(new RegExp(`\\bconstraint ${name}\\b`, 'i'));
    if (at >= 0) {
      const end = closing(c.text, c.text.indexOf('(', at));
      c.text = (c.text.slice(0, at).trimEnd() + c.text.slice(end)).trim();
      return;
    }
    if (name === `${short}_${column}_check` && dropInlineCheck(t, column)) return;
    if (name === `${short}_${column}_key` && /\bunique\b/i.test(c.text)) {
      c.text = c.text.replace(/\s*\bunique\b/i, '');
      return;
    }
  }
  const unique = t.constraints.findIndex(c => {
    const k = /^unique\s*\(([^)]*)\)/i.exec(c.text);
    return (
      k &&
      name ===
        `${short}_${k[1]
          .split(',')
          .map(x => x.trim())
          .join('_')}_key`
    );
  });
  if (unique >= 0) {
    t.constraints.splice(unique, 1);
    return;
  }
  throw new Error(`no constraint ${name} on ${t.name}`);
}

function addConstraint(t, e) {
  const named = /^constraint (\w+)\s+(check\s*\([\s\S]*)$/i.exec(e.text);
  const short = t.name.split('.')[1];
  if (named) {
    for (const [column, c] of t.columns) {
      if (named[1] === `${short}_${column}_check` && c.text.includes('\u0000')) {
        c.text = c.text.replace('\u0000', ` ${named[2].replace(/\s*\n\s*/g, '\n    ')}`);
        return;
      }
    }
  }
  t.constraints.push(e);
}

function alterTable(m, s) {
  const x = /^alter table (?:only )?([\w.]+)\s+/i.exec(s.text);
  const t = m.tables.get(qualify(x[1]));
  if (!t) {
    m.kept.push(s);
    return;
  }
  const actions = elementsOf(s.text.slice(x[0].length).replace(/;\s*$/, ''));
  if (s.trail) actions.at(-1).trail = s.trail;
  // The comment above a statement that adds something tells about what it adds.
  const lead = ownLead(s)
    .split(/\n\s*\n/)
    .at(-1);
  let first = true;
  for (const a of actions) {
    let y;
    if ((y = /^add (?:column )(?:if not exists )?([\s\S]+)$/i.exec(a.text))) {
      const e = { ...a, text: y[1] };
      if (first && lead && s.at > 0) e.before = [...lead.split('\n'), ...e.before];
      addElement(t, e);
      first = false;
    } else if ((y = /^add ([\s\S]+)$/i.exec(a.text))) {
      const e = { ...a, text: y[1] };
      if (first && lead && s.at > 0 && !/^-- (As before|The same|Where a version)/.test(lead))
        e.before = [...lead.split('\n'), ...e.before];
      addConstraint(t, e);
      first = false;
    } else if ((y = /^drop constraint (?:if exists )?(\w+)/i.exec(a.text))) dropConstraint(t, y[1]);
    else if ((y = /^drop column (\w+)/i.exec(a.text))) t.columns.delete(y[1]);
    else if ((y = /^alter column (\w+) set default ([\s\S]+)$/i.exec(a.text))) {
      const c = t.columns.get(y[1]);
      if (!c) continue;
      c.text = /\bdefault\b/i.test(c.text)
        ? c.text.replace(/\bdefault ('(?:[^']|'')*'|[\w.]+(\([^)]*\))?)/i, () => `default ${y[2]}`)
        : `${c.text} default ${y[2]}`;
    } else if ((y = /^alter column (\w+) drop not null/i.exec(a.text))) {
      const c = t.columns.get(y[1]);
      c.text = c.text.replace(/\s*not null/i, '');
    } else if ((y = /^alter column (\w+) set not null/i.exec(a.text))) {
      const c = t.columns.get(y[1]);
      c.text = `${c.text} not null`;
    } else if ((y = /^alter column scopes set expression as \(([\s\S]+)\)$/i.exec(a.text)))
      m.synced.get(bare(t.name)).scopes = y[1].trim();
    else if (/^alter column \w+ set (statistics|storage)|^(enable|force) /i.test(a.text)) {
      /* told by the catalogue */
    } else m.unhandled.push(`${s.file}: ${a.text.slice(0, 100)}`);
  }
}

function addSynced(m, s, x) {
  const args = elementsOf(s.text.slice(s.text.indexOf('(') + 1, closing(s.text, s.text.indexOf('(')) - 1));
  const scopes = args[2].text === 'null' ? null : args[2].text.replace(/^\$\$\s*|\s*\$\$$/g, '');
  m.synced.set(x[1], { name: x[1], priority: Number(x[2]), scopes, lead: ownLead(s), file: s.file });
}

function addFunction(m, s, name) {
  const key = qualify(name);
  let f = m.functions.get(key);
  if (!f) {
    f = { name: key, defs: [], file: s.file };
    m.functions.set(key, f);
    if (!m.first.has(key)) m.first.set(key, s.file);
  }
  const lead = ownLead(s);
  f.defs.push({ ...s, lead: f.dropped && !lead && f.dropLead ? f.dropLead : lead });
  f.dropped = false;
}
