import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { FieldWorker, PHOTO, signIn } from './people/field-worker.ts';
import { DESK, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

const PHOTO_HASH = createHash('sha256').update(readFileSync(PHOTO)).digest('hex');

let server: ServerProcess;
let facts: ServerFacts;

test.beforeEach(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
});

test.afterEach(async () => {
  await server.stop();
});

/** Exactly one of each, whole, and the photo's bytes as they were taken. */
async function expectArrivedOnce(inspectionId: string): Promise<void> {
  const [inspection, ...others] = await facts.rows('inspections', `id=eq.${inspectionId}`);
  expect(others).toEqual([]);
  expect(inspection).toMatchObject({ status: 'finalised', signed_by: 'Sam Worker' });
  expect(inspection?.['received_at']).not.toBeNull();
  const actions = await facts.rows('action_items', `source_id=eq.${inspectionId}`);
  expect(actions).toHaveLength(1);
  const media = await facts.rows('media', `inspection_id=eq.${inspectionId}`);
  expect(media).toHaveLength(1);
  expect(media[0]).toMatchObject({ state: 'complete', sha256: PHOTO_HASH });
  expect(actions[0]?.['media_ids']).toEqual([media[0]?.id]);
  expect(await facts.storedHash(String(media[0]?.['organization_id']), String(media[0]?.id))).toBe(PHOTO_HASH);
  const answers = await facts.rows('inspection_answers', `inspection_id=eq.${inspectionId}`);
  expect(new Set(answers.map(answer => answer['question'])).size).toBe(answers.length);
}

test('R4.30 an inspection done with no signal survives a dead phone and arrives exactly once', async () => {
  const worker = new FieldWorker(await Phone.open(), server.url);
  const desk = await Phone.open(DESK);
  try {
    await signIn(desk.page, server.url, 'manager');
    await expect(desk.page.getByRole('link', { name: /Up to date/ }).first()).toBeVisible();
    await signIn(worker.page, server.url, 'worker');
    await worker.prepareForNoSignal();
    await worker.phone.goOffline();

    const id = await worker.openTodaysCheck();
    await worker.answerAll();
    await worker.signAndFinish();
    await worker.phone.die();

    await worker.phone.start();
    await worker.open('/dashboard');
    await expect(worker.syncBadge).toContainText('Offline');
    await expect(worker.page.getByText('Offline: 2 items and 1 photo wait on this phone')).toBeVisible();
    await worker.open('/sync');

    const online = Date.now();
    await worker.phone.goOnline();
    await expect(worker.page.getByText('1 inspection, 1 action, 1 photo')).toBeVisible({ timeout: 5_000 });
    test.info().annotations.push({ type: 'receipt after', description: `${Date.now() - online} ms` });

    await expect(desk.page.getByText('Forklift 3 pre-use check').first()).toBeVisible({ timeout: 2_000 });
    await expectArrivedOnce(id);
    expect([...worker.phone.console, ...desk.console]).toEqual([]);
  } finally {
    await worker.phone.screenshot('worker');
    await desk.screenshot('desk');
    await worker.phone.close();
    await desk.close();
  }
});
