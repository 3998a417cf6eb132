import { addDays, localDay, localInstant } from '@cairn/base/local-day.ts';
import { derivedId } from '@cairn/base/id.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { answerQuestion } from '../inspections/answer-question.ts';
import { compileForm, type CompiledForm } from '../forms/definition/compiled-form.ts';
import { finishInspection } from '../inspections/finish-inspection.ts';
import { startInspection } from '../inspections/start-inspection.ts';
import type { Preset } from './presets.ts';
import { presetIds, setUpCompany } from './set-up-company.ts';
import { starterForm } from './starter-form.ts';
import { inTongue, type StarterLanguage, type Text } from './text.ts';

const NAME: Text = ['Northfield Works (sample)', 'Nordfeld-Werke (Beispiel)'];
const PLAYBOOK: Text = ['Daily operations', 'Tagesgeschäft'];
const LOOSE: Text = ['Repaint the walkway lines', 'Gehweglinien neu streichen'];

/** Finished checks: how many days ago, whether late by a day, and the check that failed. */
const PAST: readonly { days: number; late?: true; fails?: string }[] = [
  { days: 80 },
  { days: 72, late: true },
  { days: 65, fails: 'tyres' },
  { days: 58 },
  { days: 51, late: true },
  { days: 44 },
  { days: 37, fails: 'horn_lights' },
  { days: 30 },
  { days: 23 },
  { days: 16 },
  { days: 9, fails: 'seat_belt' },
  { days: 2 },
];
/** Planned checks, in days from today: one was missed. */
const PLANNED = [-1, 0, 0, 1] as const;

/** A signature nobody can take for a real one: a straight line. */
const LINE = { width: 300, height: 120, strokes: [[[30, 60] as const, [270, 60] as const]] };

export type SampleCompany = {
  /** A fresh id; every other id comes from it. */
  organizationId: string;
  /** The preset whose form and things the sample has; its checks are named in `PAST`. */
  preset: Preset;
  language: StarterLanguage;
  by: string;
  byName: string;
  /** The present instant, ISO 8601. */
  now: string;
  /** The instant (ISO 8601) of an hour of a local day. */
  at: (day: string, hour: number) => string;
};

/**
 * Founds a company of sample data: two places, trucks, a form, twelve weeks of checks with what they found, and work for
 * today. The server marks it as sample data, so that `remove_sample_data` takes all of it away at once.
 */
export async function addSampleCompany(tx: WriteTx, sample: SampleCompany): Promise<void> {
  const { organizationId, preset, language, by } = sample;
  await tx.put('organizations', {
    id: organizationId,
    name: inTongue(NAME, language),
    settings: { sample: true },
  });
  const playbookId = derivedId(organizationId, 'playbook');
  await tx.put('playbooks', {
    id: playbookId,
    organization_id: organizationId,
    name: inTongue(PLAYBOOK, language),
    type: 'company',
    owner_id: by,
  });
  await setUpCompany(tx, { organizationId, preset, language, by });
  const compiled = compileForm(starterForm(preset, language));
  if (!compiled.ok) throw new Error('the starter form does not compile');
  for (const index of PAST.keys()) await addPast(tx, { ...sample, playbookId, form: compiled.compiled }, index);
  for (const index of PLANNED.keys()) await addPlanned(tx, { ...sample, playbookId }, index);
  await tx.put('action_items', {
    id: derivedId(organizationId, 'loose'),
    organization_id: organizationId,
    playbook_id: playbookId,
    title: inTongue(LOOSE, language),
    status: 'assigned',
    assignee_id: by,
    source_type: 'manual',
    due_at: sample.at(localDay(new Date(sample.now)), 17),
  });
}

type SampleContext = SampleCompany & { playbookId: string };

async function addPast(tx: WriteTx, sample: SampleContext & { form: CompiledForm }, index: number): Promise<void> {
  const { organizationId, preset, by, form } = sample;
  const past = PAST[index];
  const assetId = presetIds(organizationId, preset).assets[index % 2];
  if (!past || assetId === undefined) return;
  const day = addDays(localDay(new Date(sample.now)), -past.days);
  const at = sample.at(past.late ? addDays(day, 1) : day, 8);
  const id = derivedId(organizationId, `past/${index}`);
  const moment = { today: localDay(new Date(at)), now: localInstant(new Date(at)) };
  await startInspection(tx, {
    id,
    formId: presetIds(organizationId, preset).form,
    playbookId: sample.playbookId,
    assetId,
    by,
    at,
  });
  await tx.change('inspections', id, { due_at: sample.at(day, 9) });
  for (const { name } of preset.form.checks) {
    const question = `checks.${name}`;
    const value = name === past.fails ? 'fail' : 'pass';
    await answerQuestion(tx, { inspectionId: id, form, question, value, by, at, moment });
  }
  const signature = {
    drawing: { ...LINE, strokes: LINE.strokes.map(stroke => stroke.map(point => [...point])) },
    name: sample.byName,
  };
  const { actionIds } = await finishInspection(tx, { id, form, signature, by, byName: sample.byName, at, moment });
  // What was found long ago is mended; the last finding is still to do.
  const mended = past.days > 20 ? ({ status: 'closed', closed_at: at, closed_by: by } as const) : null;
  for (const action of actionIds)
    await tx.change('action_items', action, mended ?? { status: 'assigned', assignee_id: by });
}

async function addPlanned(tx: WriteTx, sample: SampleContext, index: number): Promise<void> {
  const { organizationId, preset, language, by } = sample;
  const ids = presetIds(organizationId, preset);
  const [days, asset] = [PLANNED[index], preset.assets[index % 2]];
  if (days === undefined || !asset) return;
  await tx.put('inspections', {
    id: derivedId(organizationId, `planned/${index}`),
    organization_id: organizationId,
    site_id: ids.sites[asset.site] ?? null,
    playbook_id: sample.playbookId,
    form_id: ids.form,
    form_version_id: ids.formVersion,
    asset_id: ids.assets[index % 2] ?? null,
    title: `${inTongue(preset.form.name, language)} – ${inTongue(asset.name, language)}`,
    status: 'scheduled',
    due_at: sample.at(addDays(localDay(new Date(sample.now)), days), 16),
    assigned_to: by,
  });
}
