import { type ActionStatus, isActionStatus } from '../action-items/action-status.ts';
import type { Row } from '@cairn/schema';
import { instead } from './poam-instead.ts';

/** A part of a JSON file whose shape nobody has checked. */
export type Data = Record<string, unknown>;

type Priority = Row<'action_items'>['priority'];

/** One item of a plan as an action item can hold it. */
export type PoamEntry = {
  uuid: string;
  title: string;
  description: string | null;
  /** ISO 8601 in UTC. */
  dueAt: string | null;
  /** What the plan says; an action item that comes from it begins as `startOf` says. */
  status: ActionStatus;
  priority: Priority;
  /** Codes of controls, in lower case: "ac-6". */
  controls: string[];
};

export type Poam = {
  title: string;
  edition: string | null;
  sourceId: string;
  entries: PoamEntry[];
};

type NoPlan = 'too_large' | 'not_json' | 'too_deep' | 'not_oscal' | 'is_catalogue' | 'is_form';
export type PoamProblem = NoPlan | 'missing' | 'not_text' | 'not_uuid' | 'twice' | 'not_a_time' | 'too_many' | 'empty';
export type PoamNote = 'no_such_risk' | 'no_such_observation' | 'ended' | 'accepted_risk';

/** `at`: where in the file, as `poam-items[2].title`; empty for the whole of it. */
export type FileFinding<Code> = { at: string; code: Code };

export type PoamResult =
  | { ok: true; plan: Poam; document: Data; notes: FileFinding<PoamNote>[] }
  | { ok: false; problems: FileFinding<PoamProblem>[] };

/** Letters of the file (the table says the same). */
export const MAX_POAM_CHARS = 2_000_000;
/** So that a push takes all of it whole. */
export const MAX_POAM_ITEMS = 400;
/** What we write into a plan for what OSCAL has no place for. */
export const CAIRN_NAMESPACE = 'urn:cairn:oscal';

const ROOT = 'plan-of-action-and-milestones';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const EARLIEST = Date.parse('1970-01-01T00:00:00Z');
const LATEST = Date.parse('2200-01-01T00:00:00Z');

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value);
/** The objects of a list; of anything else none. */
export const listOf = (value: unknown): Data[] => (Array.isArray(value) ? value.filter(isData) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
const uuidOf = (value: unknown): string => text(value).toLowerCase();

/** The plan inside a document. */
export const planIn = (document: Data): Data => {
  const plan = document[ROOT];
  return isData(plan) ? plan : {};
};

/** What one of our own props says; undefined without one. */
export const ownProp = (of: Data, name: string): string | undefined => {
  const found = listOf(of['props']).find(prop => prop['ns'] === CAIRN_NAMESPACE && prop['name'] === name);
  return typeof found?.['value'] === 'string' ? found['value'] : undefined;
};

const msOf = (value: unknown): number | null => {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return ms >= EARLIEST && ms < LATEST ? ms : null;
};

/** Risks by every uuid that leads to them: files name a risk by one of its mitigating factors or remediations too. */
export function risksByUuid(plan: Data): Map<string, Data> {
  const found = new Map<string, Data>();
  const name = (of: Data, risk: Data) => {
    const uuid = uuidOf(of['uuid']);
    if (uuid !== '' && !found.has(uuid)) found.set(uuid, risk);
  };
  const risks = listOf(plan['risks']);
  for (const risk of risks) name(risk, risk);
  for (const risk of risks)
    for (const part of [...listOf(risk['mitigating-factors']), ...listOf(risk['remediations'])]) name(part, risk);
  return found;
}

/** The risks an item is about, each once. */
export function risksOf(item: Data, risks: ReadonlyMap<string, Data>): Data[] {
  const named = listOf(item['related-risks']).map(related => risks.get(uuidOf(related['risk-uuid'])));
  return [...new Set(named.filter(risk => risk !== undefined))];
}

/** When a risk is to be dealt with, ms: its deadline, else the latest end of its remediations. */
function dueOf(risk: Data): number | null {
  const deadline = msOf(risk['deadline']);
  if (deadline !== null) return deadline;
  const tasks = listOf(risk['remediations']).flatMap(remediation => listOf(remediation['tasks']));
  const ends = tasks.flatMap(task => {
    const timing = isData(task['timing']) ? task['timing'] : {};
    const range = isData(timing['within-date-range']) ? timing['within-date-range'] : {};
    const day = isData(timing['on-date']) ? timing['on-date'] : {};
    return [msOf(range['end']), msOf(day['date'])].filter(ms => ms !== null);
  });
  return ends.length > 0 ? Math.max(...ends) : null;
}

function entryDue(item: Data, risks: readonly Data[]): string | null {
  const own = ownProp(item, 'due');
  if (own === 'none') return null;
  const due = own === undefined ? null : msOf(own);
  const found = due === null ? risks.map(dueOf).filter(ms => ms !== null) : [due];
  return found.length > 0 ? new Date(Math.min(...found)).toISOString() : null;
}

/** From the words of OSCAL's `risk-status` to ours. */
const STATUS_OF_RISK: Record<string, ActionStatus> = {
  open: 'open',
  investigating: 'open',
  remediating: 'in_progress',
  'deviation-requested': 'open',
  'deviation-approved': 'risk_accepted',
  closed: 'closed',
};

function entryStatus(item: Data, risks: readonly Data[]): ActionStatus {
  const own = ownProp(item, 'status');
  if (own !== undefined && isActionStatus(own)) return own;
  const statuses = risks.map(risk => STATUS_OF_RISK[text(risk['status'])] ?? 'open');
  if (statuses.length === 0) return 'open';
  // The one that is furthest behind: an item is done when all of its risks are.
  return (
    (['open', 'in_progress', 'risk_accepted', 'closed'] as const).find(status => statuses.includes(status)) ?? 'open'
  );
}

const PRIORITIES: readonly [Priority, RegExp][] = [
  ['critical', /^(critical|very[ -]?high)$/i],
  ['high', /^high$/i],
  ['medium', /^(moderate|medium)$/i],
  ['low', /^(low|very[ -]?low)$/i],
];
const WEIGHING = /^(impact|severity|risk|priority)$/i;

function entryPriority(item: Data, risks: readonly Data[]): Priority {
  const own = ownProp(item, 'priority');
  const facets = risks
    .flatMap(risk => listOf(risk['characterizations']))
    .flatMap(each => listOf(each['facets']))
    .filter(facet => WEIGHING.test(text(facet['name'])));
  const words = own === undefined ? facets.map(facet => text(facet['value'])) : [own];
  return PRIORITIES.find(([, pattern]) => words.some(word => pattern.test(word)))?.[0] ?? 'medium';
}

const CODE = /^[a-z][a-z0-9]*-[0-9]+(\.[0-9]+)?/;

/** Controls an item names in its props, and those its findings are about: "ac-6.1_obj.a" is about "ac-6.1". */
function entryControls(item: Data, plan: Data): string[] {
  const findings = new Map(listOf(plan['findings']).map(finding => [uuidOf(finding['uuid']), finding]));
  const targets = listOf(item['related-findings']).flatMap(related => {
    const target = findings.get(uuidOf(related['finding-uuid']))?.['target'];
    return isData(target) ? [text(target['target-id'])] : [];
  });
  const props = listOf(item['props']).filter(({ name }) => name === 'control-id' || name === 'impacted-control-id');
  const named = [...props.map(prop => text(prop['value'])), ...targets];
  const codes = named.map(each => CODE.exec(each.toLowerCase())?.[0]).filter(code => code !== undefined);
  return [...new Set(codes)];
}

/** One item as an action item can hold it. `risks`: of its plan, as `risksByUuid` finds them. */
export function entryOf(item: Data, plan: Data, risks: ReadonlyMap<string, Data>): PoamEntry {
  const own = risksOf(item, risks);
  const [title, description] = [text(item['title']), text(item['description'])];
  return {
    uuid: uuidOf(item['uuid']),
    title,
    description: description === '' || description === title ? null : description,
    dueAt: entryDue(item, own),
    status: entryStatus(item, own),
    priority: entryPriority(item, own),
    controls: entryControls(item, plan),
  };
}

/** What an action item begins as: who brings a plan closes nothing and accepts no risk. */
export function startOf(status: ActionStatus): ActionStatus {
  if (status === 'risk_accepted' || status === 'assigned') return 'open';
  if (status === 'needs_revision') return 'in_progress';
  return status === 'closed' || status === 'duplicate' || status === 'not_valid' ? 'ready_for_verification' : status;
}

/** @throws {RangeError} for what is nested so deep that it could not be written again */
function parsed(json: string): { ok: true; value: unknown } | { ok: false; code: PoamProblem } {
  let value: unknown;
  try {
    value = JSON.parse(json.replace(/^\uFEFF/, ''));
  } catch (error) {
    return { ok: false, code: error instanceof RangeError ? 'too_deep' : 'not_json' };
  }
  try {
    JSON.stringify(value);
  } catch {
    // It can be read, and never written again.
    return { ok: false, code: 'too_deep' };
  }
  return { ok: true, value };
}

function problemsOf(plan: Data): FileFinding<PoamProblem>[] {
  const found: FileFinding<PoamProblem>[] = [];
  const say = (at: string, code: PoamProblem) => found.push({ at, code });
  const needText = (of: Data, name: string, at: string) => {
    if (of[name] === undefined) say(`${at}${name}`, 'missing');
    else if (text(of[name]) === '' || text(of[name]).includes('\u0000')) say(`${at}${name}`, 'not_text');
  };
  if (!UUID.test(uuidOf(plan['uuid']))) say('uuid', plan['uuid'] === undefined ? 'missing' : 'not_uuid');
  needText(isData(plan['metadata']) ? plan['metadata'] : {}, 'title', 'metadata.');
  const items = plan['poam-items'];
  if (!Array.isArray(items) || items.length === 0) say('poam-items', 'empty');
  else if (items.length > MAX_POAM_ITEMS) say('poam-items', 'too_many');
  const seen = new Set<string>();
  for (const [index, value] of (Array.isArray(items) ? items.slice(0, MAX_POAM_ITEMS) : []).entries()) {
    const [at, item] = [`poam-items[${index}].`, isData(value) ? value : {}];
    const uuid = uuidOf(item['uuid']);
    if (!UUID.test(uuid)) say(`${at}uuid`, item['uuid'] === undefined ? 'missing' : 'not_uuid');
    else if (seen.has(uuid)) say(`${at}uuid`, 'twice');
    seen.add(uuid);
    needText(item, 'title', at);
    needText(item, 'description', at);
  }
  for (const [index, risk] of listOf(plan['risks']).entries())
    if (risk['deadline'] !== undefined && msOf(risk['deadline']) === null)
      say(`risks[${index}].deadline`, 'not_a_time');
  return found;
}

function notesOf(plan: Data, risks: ReadonlyMap<string, Data>): FileFinding<PoamNote>[] {
  const own = new Set(listOf(plan['risks']).map(risk => uuidOf(risk['uuid'])));
  const seen = new Set(listOf(plan['observations']).map(each => uuidOf(each['uuid'])));
  return listOf(plan['poam-items']).flatMap((item, index): FileFinding<PoamNote>[] => {
    const at = (list: string, nth: number) => `poam-items[${index}].${list}[${nth}]`;
    const { status } = entryOf(item, plan, risks);
    return [
      ...listOf(item['related-risks']).flatMap((each, nth) =>
        own.has(uuidOf(each['risk-uuid'])) ? [] : [{ at: at('related-risks', nth), code: 'no_such_risk' as const }],
      ),
      ...listOf(item['related-observations']).flatMap((each, nth) =>
        seen.has(uuidOf(each['observation-uuid']))
          ? []
          : [{ at: at('related-observations', nth), code: 'no_such_observation' as const }],
      ),
      ...(startOf(status) === 'ready_for_verification' && status !== 'ready_for_verification'
        ? [{ at: `poam-items[${index}]`, code: 'ended' as const }]
        : []),
      ...(status === 'risk_accepted' ? [{ at: `poam-items[${index}]`, code: 'accepted_risk' as const }] : []),
    ];
  });
}

/**
 * Reads an OSCAL plan of action and milestones in JSON: everything that is wrong with it, with its place; else the plan, and what
 * is told of it without stopping it.
 *
 * Source: NIST OSCAL 1.1 plan-of-action-and-milestones model. Due dates are those of the risks an item is about.
 */
export function readPoam(json: string): PoamResult {
  const refused = (code: PoamProblem): PoamResult => ({ ok: false, problems: [{ at: '', code }] });
  if (json.length > MAX_POAM_CHARS) return refused('too_large');
  const read = parsed(json);
  if (!read.ok) return refused(read.code);
  const document = read.value;
  if (!isData(document) || !isData(document[ROOT])) return refused(instead(document));
  const plan = document[ROOT];
  const problems = problemsOf(plan);
  if (problems.length > 0) return { ok: false, problems };
  const risks = risksByUuid(plan);
  const metadata = isData(plan['metadata']) ? plan['metadata'] : {};
  return {
    ok: true,
    document,
    plan: {
      title: text(metadata['title']).slice(0, 300),
      edition: text(metadata['version']).slice(0, 100) || null,
      sourceId: uuidOf(plan['uuid']),
      entries: listOf(plan['poam-items']).map(item => entryOf(item, plan, risks)),
    },
    notes: notesOf(plan, risks),
  };
}
