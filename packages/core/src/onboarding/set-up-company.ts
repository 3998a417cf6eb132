import { Failure } from '@cairn/base/failure.ts';
import { derivedId } from '@cairn/base/id.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { importForm } from '../forms/draft/import-form.ts';
import { publishForm } from '../forms/draft/publish-form.ts';
import { withFields } from './first-run.ts';
import type { Preset } from './presets.ts';
import { starterForm } from './starter-form.ts';
import { inTongue, type StarterLanguage } from './text.ts';

export type SetUpCompany = {
  organizationId: string;
  preset: Preset;
  language: StarterLanguage;
  /** The person who sets it up. */
  by: string;
};

/** Ids of what a preset makes, the same on every device: setting up twice makes nothing twice. */
export const presetIds = (organizationId: string, preset: Preset) => {
  const of = (what: string) => derivedId(organizationId, `preset/${preset.id}/${what}`);
  return {
    sites: preset.sites.map((_, index) => of(`site/${index}`)),
    assets: preset.assets.map((_, index) => of(`asset/${index}`)),
    form: of('form'),
    formVersion: of('form/1'),
  };
};

/**
 * Sets up a company by its industry: sites, assets, and a published form for every playbook. What is there already
 * stays as it is. Run it in a write with `together: true`.
 *
 * @throws {Failure} `not_found` for the company
 */
export async function setUpCompany(tx: WriteTx, { organizationId, preset, language, by }: SetUpCompany): Promise<void> {
  const organization = await tx.get('organizations', organizationId);
  if (!organization) throw new Failure('not_found', `setUpCompany: no organisation ${organizationId}`);
  const ids = presetIds(organizationId, preset);
  await addPlaces(tx, { organizationId, preset, language, by });
  if (!(await tx.get('forms', ids.form))) {
    await importForm(tx, {
      formId: ids.form,
      versionId: ids.formVersion,
      organizationId,
      playbookId: null,
      name: inTongue(preset.form.name, language),
      description: inTongue(preset.form.description, language),
      category: inTongue(preset.form.category, language),
      ...(preset.form.assetCategory !== null && { assetCategory: preset.form.assetCategory }),
      minutes: preset.form.minutes,
      definition: starterForm(preset, language),
      source: 'seed',
      by,
    });
    await publishForm(tx, { formId: ids.form, versionId: ids.formVersion });
  }
  await tx.change('organizations', organizationId, {
    settings: withFields(organization.settings, { preset: preset.id }),
  });
}

async function addPlaces(tx: WriteTx, { organizationId, preset, language }: SetUpCompany): Promise<void> {
  const ids = presetIds(organizationId, preset);
  for (const [index, name] of preset.sites.entries()) {
    const id = ids.sites[index];
    if (id === undefined || (await tx.get('sites', id))) continue;
    await tx.put('sites', { id, organization_id: organizationId, name: inTongue(name, language) });
  }
  for (const [index, asset] of preset.assets.entries()) {
    const id = ids.assets[index];
    if (id === undefined || (await tx.get('assets', id))) continue;
    await tx.put('assets', {
      id,
      organization_id: organizationId,
      site_id: ids.sites[asset.site] ?? null,
      name: inTongue(asset.name, language),
      category: asset.category,
    });
  }
}
