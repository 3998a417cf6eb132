// node tools/squash/squash.mjs <folder of old migrations> <folder to write> [<renames.tsv to write>]
// Writes the same schema anew, cut by area, with every object once; with a third argument area rules leave schema `sync`.
// Compare with tools/compare-schemas.ts <old> <new> [<renames.tsv>].
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFreshDatabase } from '../fresh-database.ts';
import { AREA, AREAS, areaOf } from './areas.mjs';
import { readCatalogue } from './catalogue.mjs';
import { finalFunction, isWritten, patchesOf } from './functions.mjs';
import { replay } from './model.mjs';
import { readStatements } from './parse.mjs';
import { tableText } from './tables.mjs';

const [oldFolder, newFolder, renamesFile] = process.argv.slice(2);
if (!oldFolder || !newFolder) throw new Error('node tools/squash/squash.mjs <old> <new>');

const statements = readStatements(oldFolder);
const model = replay(statements);
if (model.unhandled.some(x => !x.includes('alter parts set storage')))
  throw new Error(`not handled: ${model.unhandled.join('\n')}`);
const cat = await withFreshDatabase(readCatalogue, oldFolder);

const bare = name => name.replace(/^public\./, '');
const by = (list, key) => new Map(list.map(x => [key(x), x]));
const group = (list, key) => {
  const out = new Map();
  for (const x of list) {
    const k = key(x);
    if (!out.has(k)) out.set(k, []);
    out.get(k).push(x);
  }
  return out;
};
const withLead = (lead, text, trail = '') => `${lead ? `${lead}\n` : ''}${text}${trail ? `   ${trail}` : ''}`;

// ---- files ------------------------------------------------------------------------------------------------------------
const files = [];
function file(area, part, about) {
  const name = `${area.file}_${part}`;
  const { title } = AREA.get(area.file);
  let f = files.find(x => x.name === name);
  if (!f) {
    f = { name, about: `${title}: ${about}.`, chunks: [], settings: '' };
    files.push(f);
  }
  return f;
}

// ---- where things stand --------------------------------------------------------------------------------------------------
const synced = new Set(model.synced.keys());
const tableArea = name => areaOf(name, model.tables.get(name)?.file ?? '');
const functionArea = name => areaOf(name, model.first.get(name) ?? '');
const catFunctions = by(cat.functions, f => f.name);
const catColumns = group(cat.columns, c => c.table);
const catConstraints = group(cat.constraints, c => c.table);
const ours = cat.functions.filter(f => !isWritten(f.name, synced));
for (const f of ours) if (!model.functions.has(f.name)) throw new Error(`no source of ${f.name}`);

const tableOrder = cat.tables
  .filter(t => model.tables.has(t.name))
  .map((t, n) => ({ ...t, area: tableArea(t.name), n }))
  .toSorted((a, b) => a.area.order - b.area.order || a.n - b.n);
const place = new Map(tableOrder.map((t, n) => [t.name, n]));
const missing = cat.tables.filter(t => !model.tables.has(t.name));
if (missing.length > 0) throw new Error(`no source of table ${missing.map(t => t.name)}`);

// ---- functions that tables need before they are there ---------------------------------------------------------------------
const ENGINE = [
  'sync.pushing',
  'sync.stamp_row',
  'sync.note_touched',
  'sync.refresh_table',
  'sync.write_choice',
  'sync.add_bounds',
  'sync.add_table',
];
const calls = group(cat.calls, c => c.caller);
const early = new Set();
const need = name => {
  if (early.has(name) || !catFunctions.has(name)) return;
  early.add(name);
  for (const c of calls.get(name) ?? []) need(c.callee);
};
for (const { name } of cat.needed) need(name);

// ---- grants --------------------------------------------------------------------------------------------------------------
const PEOPLE = ['public', 'anon', 'authenticated', 'service_role'];

function wrapped(head, list, tail) {
  const lines = [];
  let line = head;
  list.forEach((item, n) => {
    const next = `${n === 0 ? ' ' : ', '}${item}`;
    if (line.length + next.length > 150) {
      lines.push(`${line},`);
      line = `  ${item}`;
    } else line += next;
  });
  return [...lines, `${line} ${tail};`].join('\n');
}

function functionGrants(list) {
  const revoke = new Map();
  const grant = new Map();
  const add = (map, key, item) => map.set(key, [...(map.get(key) ?? []), item]);
  for (const f of list) {
    const base = f.name.startsWith('public.') ? PEOPLE : ['public'];
    const has = Object.keys(f.acl).filter(who => PEOPLE.includes(who));
    const gone = base.filter(who => !has.includes(who));
    const more = has.filter(who => !base.includes(who));
    const shown = `${bare(f.name)}(${f.types ?? ''})`;
    const word = f.kind === 'p' ? 'procedure' : 'function';
    if (gone.length > 0) add(revoke, `${word} ${gone.join(', ')}`, shown);
    if (more.length > 0) add(grant, `${word} ${more.join(', ')}`, shown);
  }
  const say = (map, verb, to) =>
    [...map].map(([key, list]) =>
      wrapped(`${verb} execute on ${key.split(' ')[0]}`, list, `${to} ${key.slice(key.indexOf(' ') + 1)}`),
    );
  const lines = [...say(revoke, 'revoke', 'from'), ...say(grant, 'grant', 'to')];
  return lines.length === 0 ? null : `-- Who may call what.\n${lines.join('\n')}`;
}

const ALL = 'DELETE INSERT MAINTAIN REFERENCES SELECT TRIGGER TRUNCATE UPDATE'.split(' ');

function tableGrants(t) {
  const lines = [];
  const revoked = [];
  const granted = new Map();
  const owner = Object.values(t.acl).find(list => list.includes('TRUNCATE'))?.length ?? ALL.length;
  for (const who of ['anon', 'authenticated', 'service_role', 'public']) {
    const full = ALL.filter(p => p !== 'MAINTAIN' || owner === ALL.length);
    const base =
      who === 'public' || !t.name.startsWith('public.')
        ? []
        : synced.has(bare(t.name))
          ? who === 'service_role'
            ? full
            : who === 'authenticated'
              ? ['SELECT']
              : []
          : full;
    const want = t.acl[who] ?? [];
    const keeps = base.every(p => want.includes(p));
    if (!keeps) revoked.push(who);
    const more = want.filter(p => !keeps || !base.includes(p));
    if (more.length > 0)
      granted.set(more.join(', ').toLowerCase(), [...(granted.get(more.join(', ').toLowerCase()) ?? []), who]);
  }
  if (revoked.length > 0) lines.push(`revoke all on ${bare(t.name)} from ${revoked.join(', ')};`);
  for (const [what, who] of granted) {
    const lead = model.grantLeads.get(t.name);
    lines.push(
      withLead(
        lead && /insert|update/.test(what) ? lead : '',
        `grant ${what} on ${bare(t.name)} to ${who.join(', ')};`,
      ),
    );
  }
  return lines;
}

const SCHEMA_SAYS = new Map([
  [
    'intake',
    '-- What comes from outside, without an account: reports by a code on the spot, and guests with a link to one action item.',
  ],
  [
    'cohort',
    '-- Group figures with noise (docs/decisions/44-differential-privacy-of-group-figures.md): what they are reckoned from, which nobody reads.',
  ],
]);

// ---- schemas ---------------------------------------------------------------------------------------------------------------
{
  const f = {
    name: 'schemas',
    about: 'The schemas beside `public`. The API serves none of them.',
    chunks: [],
    settings: '',
  };
  files.push(f);
  for (const s of cat.schemas) {
    const from = model.schemas.get(s.name);
    const may = Object.entries(s.acl)
      .filter(([who, what]) => PEOPLE.includes(who) && what.includes('USAGE'))
      .map(([who]) => who);
    f.chunks.push(
      withLead(
        SCHEMA_SAYS.get(s.name) ?? from.lead,
        [
          `create schema ${s.name};`,
          ...(may.length > 0 ? [`grant usage on schema ${s.name} to ${may.join(', ')};`] : []),
        ].join('\n'),
      ),
    );
  }
}

// ---- functions ---------------------------------------------------------------------------------------------------------------
const patches = patchesOf(statements);
function functionChunk(name) {
  const final = finalFunction(model.functions.get(name), catFunctions.get(name), patches.get(name) ?? []);
  const comment = model.comments.get(`function ${name}`);
  return withLead(final.lead, [withLead('', final.text, final.trail), ...(comment ? [comment.text] : [])].join('\n'));
}
const done = new Set();
const inOrder = [...model.functions.keys()].filter(name => catFunctions.has(name) && !isWritten(name, synced));
const laterCalls = [];

function emitFunction(where, name, allowed) {
  if (done.has(name)) return;
  done.add(name);
  for (const c of calls.get(name) ?? []) {
    if (done.has(c.callee) || !model.functions.has(c.callee) || c.callee.startsWith('auth.')) continue;
    if (allowed(c.callee)) emitFunction(where, c.callee, allowed);
    else laterCalls.push(`${name} (${functionArea(name).name}) calls ${c.callee} (${functionArea(c.callee).name})`);
  }
  const f = typeof where === 'function' ? where(name) : where;
  f.chunks.push(functionChunk(name));
  (f.functions ??= []).push(catFunctions.get(name));
}
const endWithGrants = f => {
  const grants = functionGrants(f.functions ?? []);
  if (grants) f.chunks.push(grants);
};

const SETTING = 'set local check_function_bodies = off;   -- what they call may be made later';

for (const area of AREAS) {
  const list = inOrder.filter(name => early.has(name) && !ENGINE.includes(name) && functionArea(name) === area);
  if (list.length === 0) continue;
  const f = file(area, 'values', 'what its tables themselves call');
  f.settings = SETTING;
  for (const name of list) emitFunction(f, name, callee => early.has(callee));
  endWithGrants(f);
}

// ---- tables ---------------------------------------------------------------------------------------------------------------------
const HINTS = new Map([
  [
    'brought_at',
    {
      text: 'brought_at timestamptz',
      before: [],
      trail: "-- server time; null: its author's own device sent all of it",
    },
  ],
  [
    'brought_by',
    {
      text: 'brought_by uuid references auth.users (id) on delete set null',
      before: [],
      trail: '-- null beside a time: their account is gone',
    },
  ],
]);
const waiting = new Map();
const catIndexes = group(cat.indexes, i => i.table);
const registry = by(cat.registry, r => r.name);
const AUTOMATIC = ['version', 'created_at', 'updated_at', 'deleted_at', 'created_by'];

const prettyIndex = def =>
  def
    .replace(/^CREATE (UNIQUE )?INDEX/, (x, u) => `create ${u ? 'unique ' : ''}index`)
    .replace(' ON public.', ' on ')
    .replace(' ON ', ' on ')
    .replace(' USING btree', '')
    .replace(
      / WHERE \((.*)\)$/,
      (x, cond) => ` where ${cond.replaceAll(/\b(IS|NOT|NULL|AND|OR)\b/g, w => w.toLowerCase())}`,
    );

function addTableCall(name) {
  const s = model.synced.get(name);
  const r = registry.get(name);
  const server = r.serverColumns.filter(c => !AUTOMATIC.includes(c));
  const more = [];
  if (r.groups.length > 0) more.push(`p_groups => '${JSON.stringify(r.groups)}'`);
  if (server.length > 0)
    more.push(
      wrapArray(
        'p_server_columns => array[',
        server.map(c => `'${c}'`),
        ']',
      ),
    );
  const scopes = s.scopes === null ? 'null' : `$$ ${s.scopes.trim()} $$`;
  const first = `select sync.add_table('${name}', ${r.priority}, ${scopes}`;
  return withLead(s.lead, more.length === 0 ? `${first});` : `${first},\n  ${more.join(',\n  ')});`);
}

function wrapArray(head, items, tail) {
  const lines = [];
  let line = head;
  items.forEach((item, n) => {
    const next = `${n === 0 ? '' : ', '}${item}`;
    if (line.length + next.length > 140) {
      lines.push(`${line},`);
      line = `    ${item}`;
    } else line += next;
  });
  return [...lines, line + tail].join('\n');
}

function emitTable(t) {
  const f = file(t.area, 'tables', 'tables');
  const source = model.tables.get(t.name);
  const isSynced = synced.has(bare(t.name)) && t.name.startsWith('public.');
  const { text, later } = tableText(
    source,
    { columns: catColumns.get(t.name), constraints: catConstraints.get(t.name) ?? [] },
    { synced: isSynced, isLater: target => (place.get(target) ?? -1) > place.get(t.name), hints: HINTS },
  );
  for (const l of later) waiting.set(l.target, [...(waiting.get(l.target) ?? []), l]);
  const parts = [withLead(source.lead, text)];
  for (const i of catIndexes.get(t.name) ?? []) {
    const s = model.indexes.get(i.name);
    parts.push(s ? withLead(s.lead, s.text, s.trail) : `${prettyIndex(i.def)};`);
  }
  const storage = catColumns.get(t.name).filter(c => c.storage !== c.type_storage);
  for (const c of storage)
    parts.push(
      `-- Read far more often than written, and sent compressed anyway.\nalter table ${bare(t.name)} alter ${c.name} set storage ${c.storage === 'e' ? 'external' : 'plain'};`,
    );
  for (const [key, s] of model.comments)
    if (key === `table ${t.name}` || key.startsWith(`column ${t.name}.`) || key === `column ${t.name}`)
      parts.push(s.text);
  for (const [key, s] of model.comments)
    if (
      !parts.includes(s.text) &&
      /^column/.test(key) &&
      new RegExp(`on column (public\\.)?${bare(t.name).replace('.', '\\.')}\\.`, 'i').test(s.text)
    )
      parts.push(s.text);
  if (isSynced) parts.push(addTableCall(bare(t.name)));
  for (const l of waiting.get(t.name) ?? []) parts.push(withLead(l.before.join('\n'), l.text, l.trail));
  f.chunks.push(parts.join('\n'));
}

let engineDone = false;
for (const t of tableOrder) {
  if (t.area.name !== 'sync' && !engineDone) {
    engineDone = true;
    const f = file(AREAS[0], 'registry', 'what makes a table a synced one');
    f.settings = SETTING;
    for (const name of ENGINE) emitFunction(f, name, () => true);
    endWithGrants(f);
  }
  emitTable(t);
}
for (const [name, s] of model.types)
  file(functionAreaOfType(name), 'tables', 'tables').chunks.push(withLead(s.lead, s.text));
function functionAreaOfType(name) {
  return areaOf(name, model.types.get(name).file);
}

// ---- functions and guards -----------------------------------------------------------------------------------------------------------
const rest = inOrder.filter(name => !done.has(name));
const isGuard = name => catFunctions.get(name).is_trigger;
// Functions whose bodies are parsed when they are made come after those they call, whatever their area.
const areaCalls = new Map(AREAS.map(a => [a.name, new Set()]));
for (const c of cat.calls) {
  if (!model.functions.has(c.caller) || !model.functions.has(c.callee) || done.has(c.callee) || done.has(c.caller))
    continue;
  const [a, b] = [functionArea(c.caller).name, functionArea(c.callee).name];
  if (a !== b) areaCalls.get(a).add(b);
}
const functionOrder = [];
const visiting = new Set();
function visit(name) {
  if (functionOrder.includes(name) || visiting.has(name)) return;
  visiting.add(name);
  for (const b of areaCalls.get(name)) visit(b);
  functionOrder.push(name);
}
for (const a of AREAS) visit(a.name);

/** The engine's functions are many: by what they are about. */
const ENGINE_PARTS = [
  [/ready_pages/, 'ready_pages', 'precomputed pages of a pull'],
  [/digest/, 'digest', 'does a device hold what its scopes hold'],
  [/restore|replays/, 'restore', 'after a restored backup'],
  [/receipts/, 'receipts', 'receipts'],
  [/pull/, 'pull', 'what a device reads'],
  [
    /sync_feed|spaces|identity|field|tasks|approvals|policies|capture/,
    'records',
    'what a record, its id and its audiences are',
  ],
  [/./, 'push', 'what a device sends'],
];
function enginePart(area, name) {
  if (area.name !== 'sync') return ['functions', 'functions'];
  const [, part, about] = ENGINE_PARTS.find(([pattern]) => pattern.test(model.first.get(name)));
  return [part, about];
}

// What is called by an area that comes before it, with what it calls itself, comes before all of them.
const turn = name => functionOrder.indexOf(functionArea(name).name);
const shared = new Set();
const share = name => {
  if (shared.has(name) || done.has(name) || !model.functions.has(name)) return;
  shared.add(name);
  for (const c of calls.get(name) ?? []) share(c.callee);
};
for (const c of cat.calls) {
  if (!model.functions.has(c.caller) || !model.functions.has(c.callee) || done.has(c.callee)) continue;
  if (turn(c.callee) > turn(c.caller)) share(c.callee);
}
if (shared.size > 0) {
  const f = {
    name: 'shared_functions',
    about: 'Rules of one area that are part of the rules of others.',
    chunks: [],
    settings: SETTING,
  };
  files.push(f);
  for (const name of rest) if (shared.has(name)) emitFunction(f, name, callee => shared.has(callee));
  endWithGrants(f);
}

for (const areaName of functionOrder) {
  const area = AREAS.find(a => a.name === areaName);
  const list = rest.filter(name => !isGuard(name) && !done.has(name) && functionArea(name) === area);
  if (list.length === 0) continue;
  const used = new Set();
  const fileOf = name => {
    const [part, about] = enginePart(area, name);
    const f = file(area, part, about);
    f.settings = SETTING;
    used.add(f);
    return f;
  };
  for (const name of list) emitFunction(fileOf, name, callee => functionArea(callee) === area && !isGuard(callee));
  for (const f of used) endWithGrants(f);
}

const GENERATED_TRIGGERS = new Set([
  'a_stamp',
  'z_touched_insert',
  'z_touched_update',
  'z_touched_delete',
  'a1_foreign_id',
]);
const prettyTrigger = def =>
  `${def
    .split(/('(?:[^']|'')*')/)
    .map((part, n) => (n % 2 ? part : part.toLowerCase()))
    .join('')
    .replaceAll('public.', '')
    .replaceAll(/'::text/g, "'")
    .replace(' for each row', '\n  for each row')};`;
const triggerText = t => {
  const s = model.triggers.get(`${t.name} on ${t.table}`);
  const text = s ? withLead(s.lead, s.text, s.trail) : prettyTrigger(t.def);
  return t.enabled === 'A' ? `${text}\nalter table ${bare(t.table)} enable always trigger ${t.name};` : text;
};
const triggers = cat.triggers.filter(
  t =>
    !GENERATED_TRIGGERS.has(t.name) &&
    (model.triggers.has(`${t.name} on ${t.table}`) || !/^(auth|storage|realtime)\./.test(t.table)),
);
const triggersOf = group(triggers, t => t.function);
const put = new Set();
for (const area of AREAS) {
  const list = rest.filter(name => isGuard(name) && functionArea(name) === area);
  const f = list.length > 0 ? file(area, 'guards', 'guards and what else triggers do') : null;
  for (const name of list) {
    const parts = [];
    done.add(name);
    f.functions = [...(f.functions ?? []), catFunctions.get(name)];
    for (const t of triggersOf.get(name) ?? []) {
      const there = model.tables.has(t.table) ? tableArea(t.table) : area;
      if (there.order > area.order) continue;
      put.add(t);
      parts.push(triggerText(t));
    }
    f.chunks.push([functionChunk(name), ...parts].join('\n'));
  }
  const others = triggers.filter(
    t =>
      !put.has(t) &&
      model.tables.has(t.table) &&
      tableArea(t.table) === area &&
      (done.has(t.function) || !catFunctions.has(t.function)),
  );
  if (others.length > 0) {
    const g = file(area, 'guards', 'guards and what else triggers do');
    const leads = group(others, t => t.table);
    g.chunks.push('-- Triggers whose functions stand with another area.');
    for (const list of leads.values())
      g.chunks.push(
        list
          .map(t => {
            put.add(t);
            return triggerText(t);
          })
          .join('\n'),
      );
  }
  for (const k of model.kept) {
    if (k.used || !/exception when/i.test(k.text)) continue;
    const called = /execute function ([\w.]+)/i.exec(k.text)?.[1];
    const of = called ? functionArea(called.includes('.') ? called : `public.${called}`) : areaOf('request.x', '');
    if (of !== area) continue;
    k.used = true;
    file(area, 'guards', 'guards and what else triggers do').chunks.push(withLead(k.lead, k.text));
  }
  if (f) endWithGrants(f);
}
const lost = triggers.filter(t => !put.has(t));
if (lost.length > 0) throw new Error(`triggers nowhere: ${lost.map(t => `${t.name} on ${t.table}`)}`);

// ---- policies and grants ---------------------------------------------------------------------------------------------------------------
const policies = group([...model.policies.values()], p => p.table);
/** Beside the guards, where that makes no long file. */
const MAX_TOGETHER = 20_000;
const guardSizes = new Map(files.filter(f => f.name.endsWith('_guards')).map(f => [f.name, f.chunks.join('').length]));
function policyFile(area) {
  const size = guardSizes.get(`${area.file}_guards`) ?? Infinity;
  if (size > MAX_TOGETHER) return file(area, 'policies', 'who sees and writes which rows');
  const f = file(area, 'guards', '');
  if (!f.hasPolicies) {
    f.hasPolicies = true;
    f.about = f.about.replace(/\.$/, ', and who sees and writes which rows.');
    f.chunks.push('-- Who sees and writes which rows.');
  }
  return f;
}
for (const t of tableOrder) {
  const parts = [];
  const isSynced = synced.has(bare(t.name)) && t.name.startsWith('public.');
  if (t.rls && !isSynced) parts.push(`alter table ${bare(t.name)} enable row level security;`);
  parts.push(...tableGrants(t));
  for (const p of policies.get(t.name) ?? []) parts.push(withLead(p.lead, p.text, p.trail));
  if (parts.length > 0) policyFile(t.area).chunks.push(parts.join('\n'));
}
for (const [table, list] of policies) {
  if (model.tables.has(table)) continue;
  for (const p of list)
    policyFile(areaOf(/objects/.test(table) ? 'media' : 'sync.x', '0_sync')).chunks.push(
      withLead(p.lead, p.text, p.trail),
    );
}

// ---- rows ---------------------------------------------------------------------------------------------------------------------------------
const take = pattern => {
  const list = model.kept.filter(k => !k.used && pattern.test(k.text));
  for (const k of list) k.used = true;
  return list;
};
const rows = (name, about) => {
  const f = { name, about, chunks: [], settings: '' };
  files.push(f);
  return f;
};
{
  const f = rows('access_permissions', 'Permissions, and the roles that bundle them. They change by migration only.');
  for (const k of take(/^insert into permissions/i)) f.chunks.push(withLead(k.lead.split(/\n\s*\n/).at(-1), k.text));
  take(/^insert into role_permissions/i);
  for (const [kind, list] of group(cat.roles, r => r.kind)) {
    if (kind === 'system')
      f.chunks.push(
        '-- A system role widens what one may do in the organisations one belongs to; it opens no other one.',
      );
    for (const [role, held] of group(list, r => r.role)) {
      f.chunks.push(
        `insert into role_permissions (role_kind, role, permission)\n  select '${kind}', '${role}', unnest(${wrapArray(
          'array[\n    ',
          held.map(h => `'${h.permission}'`),
          ']',
        )});`,
      );
    }
  }
}
{
  const f = rows('notification_types', 'Types of notifications: how each is told where a person chose nothing.');
  for (const k of take(/^insert into notification_types/i)) f.chunks.push(k.text);
}
{
  const f = rows('first_rows', 'Other rows that are there from the start.');
  f.chunks.push(
    '-- What each role of a support circle may be granted at most (domain 1.5), read by `read_circle` alone.',
  );
  for (const k of take(/^insert into circle_visibility/i)) f.chunks.push(k.text);
  f.chunks.push('-- Tiers change by migration only.');
  for (const k of take(/^insert into subscription_tiers/i)) f.chunks.push(k.text);
  take(/^update storage\.buckets set file_size_limit/i);
  take(/^insert into storage\.buckets/i);
  f.chunks.push(
    "-- Bytes: as in the table `media`.\ninsert into storage.buckets (id, name, public, file_size_limit) values ('media', 'media', false, 262144000) on conflict (id) do update\n  set file_size_limit = excluded.file_size_limit;",
  );
  for (const k of take(/^insert into (cohort\.salt|sync\.looked)|^select sync\.learn_zones/i))
    f.chunks.push(withLead(k.lead, k.text));
  const alone = cat.registry.filter(r => r.goesAlone).map(r => `'${r.name}'`);
  f.chunks.push(
    `-- Pushed each for itself: their AFTER triggers look at other rows of their own table.\nupdate sync.tables set goes_alone = true\n  where name in (${alone.join(', ')});`,
  );
  take(/^select sync\.guard_foreign_ids/i);
  f.chunks.push(
    '-- After all triggers are there: it looks which tables have one of their own for that.\nselect sync.guard_foreign_ids();',
  );
  for (const k of take(/set statistics 0/)) f.chunks.push(withLead(k.lead, k.text));
}
{
  const f = rows(
    'clock',
    "What the platform's clock calls, where it has one. The server that comes with the app calls the same (apps/local-server).",
  );
  const jobs = take(/pg_cron/).flatMap(k => k.text.split('\n').filter(line => line.includes('cron.schedule')));
  f.chunks.push(
    `do $$\nbegin\n  if not exists (select from pg_extension where extname = 'pg_cron') then return; end if;\n${jobs.map(line => `  ${line.trim()}`).join('\n')}\nend $$;`,
  );
}
// Rows made of rows that were there, and loops whose effect the catalogue tells.
const DROPPED =
  /^insert into [\w.]+ (as \w+ )?\([^)]*\)\s+(with|select)\b|^select rates\.learn_past|^do \$|^create temporary table/i;
for (const k of model.kept)
  if (!k.used && DROPPED.test(k.text))
    console.log(`left out: ${k.file}: ${k.text.slice(0, 90).replaceAll(/\s+/g, ' ')}`);
const unknown = model.kept.filter(k => !k.used && !DROPPED.test(k.text));
if (unknown.length > 0)
  throw new Error(`statements nobody takes:\n${unknown.map(k => `${k.file}: ${k.text.slice(0, 120)}`).join('\n')}`);
if (laterCalls.length > 0) console.log(`calls of what is made later:\n${[...new Set(laterCalls)].join('\n')}`);

// ---- moves ---------------------------------------------------------------------------------------------------------------
const moves = new Map();
if (renamesFile) {
  const schemas = by(cat.schemas, x => x.name);
  for (const f of ours) {
    const area = functionArea(f.name);
    if (!f.name.startsWith('sync.') || area.schema === 'sync') continue;
    const may = schemas.has(area.schema) ? schemas.get(area.schema).acl : schemas.get('sync').acl;
    const stuck = Object.keys(f.acl).filter(who => PEOPLE.includes(who) && !may[who] && who !== 'public');
    if (stuck.length > 0) throw new Error(`${f.name} is called by ${stuck}, who may not use schema ${area.schema}`);
    const to = f.name.replace(/^sync/, area.schema);
    if (catFunctions.has(to) || cat.tables.some(t => t.name === to || t.name === f.name))
      throw new Error(`${f.name} cannot become ${to}`);
    moves.set(f.name, to);
  }
  const fresh = [...new Set([...moves.values()].map(x => x.split('.')[0]))].filter(x => !schemas.has(x));
  const usage = Object.entries(schemas.get('sync').acl)
    .filter(([who]) => PEOPLE.includes(who))
    .map(([who]) => who)
    .join(', ');
  const f = files.find(x => x.name === 'schemas');
  for (const a of AREAS)
    if (fresh.includes(a.schema))
      f.chunks.push(
        `-- ${a.title}: rules and guards. The tables stand in \`public\`.\ncreate schema ${a.schema};\ngrant usage on schema ${a.schema} to ${usage};`,
      );
  writeFileSync(
    renamesFile,
    [
      ...fresh.toSorted().map(name => `schema\t${name}\n`),
      ...[...moves].toSorted().map(pair => `${pair.join('\t')}\n`),
    ].join(''),
  );
  console.log(`${moves.size} functions leave schema sync, ${fresh.length} schemas are new`);
}
/** Comments that name a file of before. */
const CITED = [
  ['(20261122400010_pack_installs.sql)', '(marketplace_functions.sql)'],
  ['(20261122350000)', '(sync.keep_stored_file)'],
  ['PostgREST shows one to the function above', 'PostgREST shows one to request.refuse_estimates'],
];
const cited = text => CITED.reduce((out, [was, is]) => out.replaceAll(was, is), text);
const moved = text =>
  cited(text).replaceAll(
    /(?<!(?:set_config|current_setting)\(')\bsync\.[a-z_0-9]+\b/g,
    name => moves.get(name) ?? name,
  );

// ---- write -------------------------------------------------------------------------------------------------------------------------------
const versionOf = n => `20261101${String(Math.floor(n / 60)).padStart(2, '0')}${String(n % 60).padStart(2, '0')}00`;
mkdirSync(newFolder, { recursive: true });
for (const old of readdirSync(newFolder)) if (old.endsWith('.sql')) rmSync(join(newFolder, old));
files.forEach((f, n) => {
  const chunks = f.chunks.filter(Boolean);
  if (chunks.length === 0) return;
  const text = moved([`-- ${f.about}`, ...(f.settings ? [f.settings] : []), ...chunks].join('\n\n'));
  const old = /\b2026\d{10}\b/.exec(text);
  if (old) console.log(`${f.name} names a migration that is gone: ${old[0]}`);
  writeFileSync(join(newFolder, `${versionOf(n + 1)}_${f.name}.sql`), `${text.replaceAll(/\n{3,}/g, '\n\n')}\n`);
});
console.log(`${files.length} files`);
