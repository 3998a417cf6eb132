import { Failure } from '@cairn/base/failure.ts';
import { derivedId, newId } from '@cairn/base/id.ts';
import type { Row } from '@cairn/schema';
import type { WriteTx } from '@cairn/sync/store.ts';
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

/**
 * Takes a catalogue over as a framework of the organisation, with all its controls. Write it with `together`.
 *
 * @throws {Failure} `invalid` for a catalogue without controls
 */
export async function takeFramework(tx: WriteTx, { id, organizationId, catalogue }: TakeFramework): Promise<void> {
  if (catalogue.controls.length === 0) throw new Failure('invalid', `takeFramework: ${id} has no controls`);
  const here = { organization_id: organizationId };
  await tx.put('frameworks', {
    id,
    ...here,
    title: catalogue.title,
    edition: catalogue.edition,
    source_id: catalogue.sourceId,
  });
  for (const [position, control] of catalogue.controls.entries())
    await tx.put('controls', {
      id: controlId(id, control.code),
      ...here,
      framework_id: id,
      code: control.code,
      label: control.label,
      title: control.title,
      family: control.family,
      statement: control.statement,
      position,
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

type LinkNamed = { organizationId: string; names: readonly string[]; target: ControlTarget };

/**
 * Says that a policy or form answers to the controls it names, in whichever frameworks of the organisation have them.
 *
 * @param names codes or labels, in any letter case: "ac-1", "CC6.1"
 * @returns the names no framework here has
 */
export async function linkNamedControls(tx: WriteTx, { organizationId, names, target }: LinkNamed): Promise<string[]> {
  const here = (await tx.all('controls')).filter(
    row => row.deleted_at === null && row.organization_id === organizationId,
  );
  const unknown: string[] = [];
  for (const name of names) {
    const wanted = name.toLowerCase();
    const found = here.filter(({ code, label }) => code === wanted || label.toLowerCase() === wanted);
    for (const { id } of found) await linkControl(tx, { controlId: id, organizationId, target });
    if (found.length === 0) unknown.push(name);
  }
  return unknown;
}

/** Takes every link between a control and a policy or form away. */
export async function unlinkControl(tx: WriteTx, control: string, targetId: string): Promise<void> {
  for (const link of await tx.range('control_links', 'control', control, control))
    if (link.target_id === targetId && link.deleted_at === null) await tx.remove('control_links', link.id);
}
