import { Failure } from '@cairn/base/failure.ts';
import { derivedId, newId } from '@cairn/base/id.ts';
import type { Row } from '@cairn/schema';
import type { Query, WriteTx } from '@cairn/sync/store.ts';
import type { Catalogue } from './oscal-catalogue.ts';

export type ControlTarget = { table: Row<'control_links'>['target_table']; id: string };

export type TakeFramework = {
  /** A fresh id. */
  id: string;
  organizationId: string;
  catalogue: Catalogue;
};

/** The id of a control: the same on every device that takes the same framework. */
export const controlId = (frameworkId: string, code: string): string => derivedId(frameworkId, `control/${code}`);

/** Controls of one part: a push takes at most 1000 changes that belong together. */
export const CONTROLS_AT_ONCE = 500;

/** In how many parts a catalogue is taken over. */
export const partsOf = ({ controls }: Pick<Catalogue, 'controls'>): number =>
  Math.max(1, Math.ceil(controls.length / CONTROLS_AT_ONCE));

/**
 * Takes a catalogue over as a framework of the organisation, with its controls: part 0 the framework and its first controls,
 * each further part the next. Write each with `together`; written again, a part changes nothing.
 *
 * @throws {Failure} `invalid` for a catalogue without controls
 */
export async function takeFramework(
  tx: WriteTx,
  { id, organizationId, catalogue }: TakeFramework,
  part = 0,
): Promise<void> {
  if (catalogue.controls.length === 0) throw new Failure('invalid', `takeFramework: ${id} has no controls`);
  const here = { organization_id: organizationId };
  const { title, edition, sourceId } = catalogue;
  if (part === 0) await tx.put('frameworks', { id, ...here, title, edition, source_id: sourceId });
  const from = part * CONTROLS_AT_ONCE;
  for (const [index, control] of catalogue.controls.slice(from, from + CONTROLS_AT_ONCE).entries())
    await tx.put('controls', {
      id: controlId(id, control.code),
      ...here,
      framework_id: id,
      code: control.code,
      label: control.label,
      title: control.title,
      family: control.family,
      statement: control.statement,
      position: from + index,
    });
}

/**
 * Takes a framework away, with its controls; what was linked to them stays where it is.
 *
 * @throws {Failure} `not_found`
 */
export async function removeFramework(tx: WriteTx, id: string): Promise<void> {
  const found = await tx.get('frameworks', id);
  if (!found || found.deleted_at !== null) throw new Failure('not_found', `removeFramework: no framework ${id}`);
  await tx.remove('frameworks', id);
}

type LinkControl = { controlId: string; organizationId: string; target: ControlTarget };

/** Says that a policy or form answers to a control; said already, it stays so. */
export async function linkControl(
  tx: WriteTx,
  { controlId: control, organizationId, target }: LinkControl,
): Promise<void> {
  const links = await tx.range('control_links', 'control', control, control);
  if (links.some(link => link.deleted_at === null && link.target_id === target.id)) return;
  await tx.put('control_links', {
    id: newId(),
    organization_id: organizationId,
    control_id: control,
    target_table: target.table,
    target_id: target.id,
  });
}

/** A control as a policy names it; `framework` as its front matter calls it, null where it says none. */
export type NamedControl = { framework: string | null; name: string };

type ControlLinksInput = {
  organizationId: string;
  names: readonly NamedControl[];
  target: ControlTarget;
  /** Which framework a person said is meant, by what the policy calls it ('' for none); null: none here. */
  chosen?: ReadonlyMap<string, string | null>;
};

/**
 * Says that a policy or form answers to the controls it names, in the framework it means. Where several could be meant and
 * nobody said which, nothing is linked.
 *
 * @returns the names that were linked to nothing
 */
export async function linkNamedControls(
  tx: WriteTx,
  { organizationId, names, target, chosen = new Map() }: ControlLinksInput,
): Promise<string[]> {
  const isHere = (row: { deleted_at: string | null; organization_id: string }) =>
    row.deleted_at === null && row.organization_id === organizationId;
  const frameworks = (await tx.all('frameworks')).filter(isHere);
  const controls = (await tx.all('controls')).filter(isHere);
  const unlinked: string[] = [];
  for (const { framework, name } of names) {
    const wanted = name.toLowerCase();
    const found = controls.filter(({ code, label }) => code === wanted || label.toLowerCase() === wanted);
    const chosenId = chosen.get(framework ?? '');
    const fitting = chosenId === undefined ? fittingFrameworks(framework, frameworks).map(({ id }) => id) : [chosenId];
    const meant = found.filter(({ framework_id: id }) => fitting.includes(id));
    const [only] = new Set(meant.map(({ framework_id: id }) => id)).size === 1 ? meant : [];
    if (only) await linkControl(tx, { controlId: only.id, organizationId, target });
    else unlinked.push(name);
  }
  return unlinked;
}

/** The frameworks of an organisation. */
export const frameworksOf = (organizationId: string): Query<Row<'frameworks'>[]> => ({
  key: `controls/frameworks-of/${organizationId}`,
  tables: ['frameworks'],
  read: async tx =>
    (await tx.all('frameworks')).filter(row => row.deleted_at === null && row.organization_id === organizationId),
});

type FrameworkTitle = Pick<Row<'frameworks'>, 'id' | 'title' | 'edition'>;

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? [];
const initialsOf = (text: string): string => (text.match(/\b\p{Lu}/gu) ?? []).join('').toLowerCase();

/**
 * The frameworks a name can mean: "ISO27001" is "ISO/IEC 27001:2022", "TSC" is "Trust Services Criteria". All of them where
 * the policy names none.
 */
export function fittingFrameworks<Framework extends FrameworkTitle>(
  name: string | null,
  frameworks: readonly Framework[],
): Framework[] {
  if (name === null) return [...frameworks];
  const wanted = wordsOf(name);
  return frameworks.filter(({ title, edition }) => {
    const words = new Set(wordsOf(`${title} ${edition ?? ''}`));
    return wanted.every(word => words.has(word)) || initialsOf(title) === name.toLowerCase();
  });
}

/** Takes every link between a control and a policy or form away. */
export async function unlinkControl(tx: WriteTx, control: string, targetId: string): Promise<void> {
  for (const link of await tx.range('control_links', 'control', control, control))
    if (link.target_id === targetId && link.deleted_at === null) await tx.remove('control_links', link.id);
}
