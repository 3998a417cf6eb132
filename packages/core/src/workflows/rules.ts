import { Failure } from '@cairn/base/failure.ts';
import type { Row } from '@cairn/schema';
import type { Query, WriteTx } from '@cairn/sync/store.ts';
import { faultOf, MAX_RULES, wordsOf, type RuleFields, type WorkflowRule } from './rule.ts';

export type ListedRule = {
  rule: WorkflowRule;
  /** Null where a later version of the app wrote it. */
  words: RuleFields | null;
  /** In whose rights it acts. */
  actsForName: string | null;
};

/** The rules of an organisation: those that are on, then the rest, each by title. */
export function workflowRules(organizationId: string): Query<ListedRule[]> {
  return {
    key: `workflows/rules/${organizationId}`,
    tables: ['workflow_rules', 'people'],
    async read(tx) {
      const rows = (await tx.all('workflow_rules')).filter(
        row => row.organization_id === organizationId && row.deleted_at === null,
      );
      const listed = await Promise.all(
        rows.map(async rule => ({
          rule,
          words: wordsOf(rule),
          actsForName: rule.acts_for && ((await tx.get('people', rule.acts_for))?.display_name ?? null),
        })),
      );
      return listed.toSorted(
        (a, b) => Number(b.rule.is_on) - Number(a.rule.is_on) || a.rule.title.localeCompare(b.rule.title),
      );
    },
  };
}

export type NamedRow = { id: string; name: string };
/** What a rule can name, each by its name. */
export type RuleChoices = { sites: NamedRow[]; assets: NamedRow[]; forms: NamedRow[]; people: NamedRow[] };

/** Places, assets, published forms and members of an organisation. */
export function ruleChoices(organizationId: string): Query<RuleChoices> {
  return {
    key: `workflows/choices/${organizationId}`,
    tables: ['sites', 'assets', 'forms', 'people', 'organization_members'],
    async read(tx) {
      const named = (rows: readonly (Row<'sites'> | Row<'assets'> | Row<'forms'>)[]): NamedRow[] =>
        rows
          .filter(row => row.organization_id === organizationId && row.deleted_at === null)
          .map(({ id, name }) => ({ id, name }))
          .toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
      const members = await tx.range('organization_members', 'organization', organizationId, organizationId);
      const people = await Promise.all(
        members
          .filter(row => row.deleted_at === null)
          .map(async row => ({ id: row.user_id, name: (await tx.get('people', row.user_id))?.display_name ?? '' })),
      );
      return {
        sites: named(await tx.all('sites')),
        assets: named(await tx.all('assets')),
        forms: named((await tx.all('forms')).filter(row => row.current_version_id !== null)),
        people: people.filter(({ name }) => name !== '').toSorted((a, b) => a.name.localeCompare(b.name)),
      };
    },
  };
}

export type SaveRule = { id: string; organizationId: string; words: RuleFields; isOn: boolean };

/**
 * Makes a rule or changes it. The server says from when it holds, and in whose rights: of whoever changed it last.
 *
 * @throws {Failure} `invalid` for what is no rule, or the 51st
 */
export async function saveRule(tx: WriteTx, { id, organizationId, words, isOn }: SaveRule): Promise<void> {
  const wrong = faultOf(words);
  if (wrong) throw new Failure('invalid', `saveRule: ${wrong.fault} ${wrong.index}`);
  const fields = { ...words, title: words.title.trim(), is_on: isOn };
  const before = await tx.get('workflow_rules', id);
  if (before) {
    await tx.change('workflow_rules', id, fields);
    return;
  }
  const rules = (await tx.all('workflow_rules')).filter(
    row => row.organization_id === organizationId && row.deleted_at === null,
  );
  if (rules.length >= MAX_RULES) throw new Failure('invalid', `saveRule: ${rules.length} rules`);
  await tx.put('workflow_rules', { id, organization_id: organizationId, ...fields });
}

/**
 * Switches a rule on or off.
 *
 * @throws {Failure} `not_found`
 */
export async function switchRule(tx: WriteTx, id: string, isOn: boolean): Promise<void> {
  const rule = await tx.get('workflow_rules', id);
  if (!rule || rule.deleted_at !== null) throw new Failure('not_found', `switchRule: no ${id}`);
  if (rule.is_on !== isOn) await tx.change('workflow_rules', id, { is_on: isOn });
}

/**
 * Takes a rule away; what it made stays.
 *
 * @throws {Failure} `not_found`
 */
export async function removeRule(tx: WriteTx, id: string): Promise<void> {
  const rule = await tx.get('workflow_rules', id);
  if (!rule || rule.deleted_at !== null) throw new Failure('not_found', `removeRule: no ${id}`);
  await tx.remove('workflow_rules', id);
}
