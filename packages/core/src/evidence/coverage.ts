import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';
import { counts, type Evidence } from './evidence-states.ts';

export type Framework = Row<'frameworks'>;
export type Control = Row<'controls'>;

/**
 * How a control stands on a day: `proven` by accepted evidence that holds, `addressed` by a policy in force or a published form
 * without such evidence, else a `gap`.
 */
export type Coverage = 'proven' | 'addressed' | 'gap';

export type CoveredControl = { control: Control; coverage: Coverage };

export type Family = { name: string; controls: CoveredControl[]; figures: Record<Coverage, number> };

export type OpenedFramework = { framework: Framework; families: Family[]; figures: Record<Coverage, number> };

const isPresent = <R extends { deleted_at: string | null }>(row: R): boolean => row.deleted_at === null;

const figuresOf = (controls: readonly CoveredControl[]): Record<Coverage, number> => {
  const count = (wanted: Coverage) => controls.filter(({ coverage }) => coverage === wanted).length;
  return { proven: count('proven'), addressed: count('addressed'), gap: count('gap') };
};

/** Ids of controls that evidence proves on a day, and of those a policy or form answers to. */
async function covered(tx: Tx, today: string): Promise<{ proven: Set<string>; addressed: Set<string> }> {
  const evidence = new Map((await tx.all('evidence')).filter(isPresent).map(row => [row.id, row]));
  const links = (await tx.all('evidence_links')).filter(isPresent);
  const holds = (row: Evidence | undefined) => row !== undefined && counts(row, today);
  const proven = links.filter(link => link.target_table === 'controls' && holds(evidence.get(link.evidence_id)));
  const [policies, forms] = [await tx.all('policies'), await tx.all('forms')];
  const answering = new Set(
    [...policies, ...forms].filter(row => isPresent(row) && row.state === 'published').map(row => row.id),
  );
  const addressed = (await tx.all('control_links')).filter(link => isPresent(link) && answering.has(link.target_id));
  return {
    proven: new Set(proven.map(link => link.target_id)),
    addressed: new Set(addressed.map(link => link.control_id)),
  };
}

const TABLES = ['frameworks', 'controls', 'control_links', 'evidence', 'evidence_links', 'policies', 'forms'] as const;

async function coverageOf(tx: Tx, framework: Framework, today: string): Promise<OpenedFramework> {
  const { proven, addressed } = await covered(tx, today);
  const rows = await tx.range('controls', 'framework', framework.id, framework.id);
  const controls = rows
    .filter(isPresent)
    .toSorted((a, b) => a.position - b.position)
    .map((control): CoveredControl => {
      if (proven.has(control.id)) return { control, coverage: 'proven' };
      return { control, coverage: addressed.has(control.id) ? 'addressed' : 'gap' };
    });
  const families = [...Map.groupBy(controls, ({ control }) => control.family)].map(([name, held]) => ({
    name,
    controls: held,
    figures: figuresOf(held),
  }));
  return { framework, families, figures: figuresOf(controls) };
}

/**
 * The frameworks of an organisation with how they stand on a day.
 *
 * @param today YYYY-MM-DD, a local day
 */
export function frameworkList(organizationId: string, today: string): Query<OpenedFramework[]> {
  return {
    key: `controls/frameworks/${organizationId}/${today}`,
    tables: TABLES,
    async read(tx) {
      const rows = (await tx.all('frameworks')).filter(row => isPresent(row) && row.organization_id === organizationId);
      const opened = await Promise.all(rows.map(row => coverageOf(tx, row, today)));
      return opened.toSorted((a, b) => a.framework.title.localeCompare(b.framework.title));
    },
  };
}

/** One framework, family by family; null when it is not on this device. */
export function openedFramework(id: string, today: string): Query<OpenedFramework | null> {
  return {
    key: `controls/framework/${id}/${today}`,
    tables: TABLES,
    async read(tx) {
      const found = await tx.get('frameworks', id);
      return found && isPresent(found) ? coverageOf(tx, found, today) : null;
    },
  };
}

export type CoveringDocument = { table: 'policies' | 'forms'; id: string; title: string | null };

export type OpenedControl = CoveredControl & {
  framework: Framework | null;
  answering: CoveringDocument[];
  /** What is to be mended about it. */
  actions: Row<'action_items'>[];
};

type Links = readonly Row<'control_links'>[];

/** The policies and forms of these links, each once. */
async function answeringOf(tx: Tx, links: Links): Promise<CoveringDocument[]> {
  const unique = new Map(links.map(link => [link.target_id, link.target_table]));
  const found = [...unique].map(async ([target, table]): Promise<CoveringDocument[]> => {
    if (table === 'policies') return [{ table, id: target, title: (await tx.get(table, target))?.title ?? null }];
    if (table === 'forms') return [{ table, id: target, title: (await tx.get(table, target))?.name ?? null }];
    return [];
  });
  return (await Promise.all(found)).flat();
}

async function actionsOf(tx: Tx, links: Links): Promise<Row<'action_items'>[]> {
  const ids = [...new Set(links.filter(link => link.target_table === 'action_items').map(link => link.target_id))];
  const found = await Promise.all(ids.map(id => tx.get('action_items', id)));
  return found.filter(row => row !== undefined).filter(isPresent);
}

/** One control with the policies and forms that answer to it; null when it is not on this device. */
export function openedControl(id: string, today: string): Query<OpenedControl | null> {
  return {
    key: `controls/control/${id}/${today}`,
    tables: [...TABLES, 'action_items'],
    async read(tx) {
      const control = await tx.get('controls', id);
      if (!control || !isPresent(control)) return null;
      const { proven, addressed } = await covered(tx, today);
      const links = (await tx.range('control_links', 'control', id, id)).filter(isPresent);
      const coverage = proven.has(id) ? 'proven' : addressed.has(id) ? 'addressed' : 'gap';
      const framework = (await tx.get('frameworks', control.framework_id)) ?? null;
      const answering = await answeringOf(tx, links);
      return { control, coverage, framework, answering, actions: await actionsOf(tx, links) };
    },
  };
}

/** What may answer to a control: policies and forms of the organisation, by title. */
export function answerableRecords(organizationId: string): Query<(CoveringDocument & { title: string })[]> {
  return {
    key: `controls/answerable/${organizationId}`,
    tables: ['policies', 'forms'],
    async read(tx) {
      const here = (row: { organization_id: string; deleted_at: string | null }) =>
        isPresent(row) && row.organization_id === organizationId;
      const policies = (await tx.all('policies')).filter(here);
      const forms = (await tx.all('forms')).filter(here);
      return [
        ...policies.map(({ id, title }) => ({ table: 'policies' as const, id, title })),
        ...forms.map(({ id, name }) => ({ table: 'forms' as const, id, title: name })),
      ].toSorted((a, b) => a.title.localeCompare(b.title));
    },
  };
}
