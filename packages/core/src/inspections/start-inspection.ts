import { Failure } from '@cairn/base/failure.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { asksPresence } from '../on-site/presence.ts';
import { witness } from '../on-site/witness.ts';

export type StartInspection = {
  /** A fresh id. */
  id: string;
  formId: string;
  playbookId: string | null;
  /** What is inspected; its site becomes the inspection's. */
  assetId?: string;
  siteId?: string;
  /** The person who inspects. */
  by: string;
  /** Device time, ISO 8601. */
  at: string;
};

/**
 * Starts an inspection on the published version of a form.
 *
 * @throws {Failure} `not_found` for the form or asset; `invalid` when the form is not published
 */
export async function startInspection(tx: WriteTx, start: StartInspection): Promise<void> {
  const form = await tx.get('forms', start.formId);
  if (!form || form.deleted_at !== null) throw new Failure('not_found', `startInspection: no form ${start.formId}`);
  if (form.state !== 'published' || form.current_version_id === null) {
    throw new Failure('invalid', `startInspection: form ${form.id} is ${form.state}`);
  }
  const asset = start.assetId === undefined ? null : await tx.get('assets', start.assetId);
  if (asset === undefined || asset?.deleted_at) {
    throw new Failure('not_found', `startInspection: no asset ${start.assetId}`);
  }
  await tx.put('inspections', {
    id: start.id,
    organization_id: form.organization_id,
    site_id: asset?.site_id ?? start.siteId ?? null,
    playbook_id: start.playbookId,
    form_id: form.id,
    form_version_id: form.current_version_id,
    asset_id: asset?.id ?? null,
    title: asset ? `${form.name} – ${asset.name}` : form.name,
    status: 'in_progress',
    assigned_to: start.by,
    conducted_by: start.by,
    started_at: start.at,
  });
  const version = await tx.get('form_versions', form.current_version_id);
  if (asksPresence(version)) {
    await witness(tx, { id: start.id, organization_id: form.organization_id }, start, [{ kind: 'started', facts: {} }]);
  }
}
