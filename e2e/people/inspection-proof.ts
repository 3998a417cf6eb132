import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import type { ServerFacts } from '../rig/server-facts.ts';
import { PHOTO } from './field-worker.ts';

const PHOTO_HASH = createHash('sha256').update(readFileSync(PHOTO)).digest('hex');

/** How many of the things that had to arrive are not there, and how many are there more than once. */
export async function tally(facts: ServerFacts, inspectionId: string, answersSaved: number) {
  const answers = await facts.rows('inspection_answers', `inspection_id=eq.${inspectionId}`);
  const asked = new Set(answers.map(answer => answer['question'])).size;
  const single = [
    await facts.rows('inspections', `id=eq.${inspectionId}&status=eq.finalised`),
    await facts.rows('action_items', `source_id=eq.${inspectionId}`),
    await facts.rows('media', `inspection_id=eq.${inspectionId}&state=eq.complete`),
  ];
  const missing = single.filter(rows => rows.length === 0).length;
  const extra = single.reduce((total, rows) => total + Math.max(0, rows.length - 1), 0);
  return { lost: missing + Math.max(0, answersSaved - asked), doubled: extra + answers.length - asked };
}

/** The server holds exactly one inspection, one action and one photo of it, whole, with the photo's bytes as taken. */
export async function expectArrivedOnce(facts: ServerFacts, inspectionId: string, answersSaved: number): Promise<void> {
  const inspections = await facts.rows('inspections', `id=eq.${inspectionId}`);
  expect(inspections).toHaveLength(1);
  expect(inspections[0]).toMatchObject({ status: 'finalised', signed_by: 'Sam Worker' });
  expect(inspections[0]?.['received_at']).not.toBeNull();
  const actions = await facts.rows('action_items', `source_id=eq.${inspectionId}`);
  expect(actions).toHaveLength(1);
  const media = await facts.rows('media', `inspection_id=eq.${inspectionId}`);
  expect(media).toHaveLength(1);
  expect(media[0]).toMatchObject({ state: 'complete', sha256: PHOTO_HASH });
  expect(actions[0]?.['media_ids']).toEqual([media[0]?.id]);
  expect(await facts.storedHash(String(media[0]?.['organization_id']), String(media[0]?.id))).toBe(PHOTO_HASH);
  const answers = await facts.rows('inspection_answers', `inspection_id=eq.${inspectionId}`);
  expect(new Set(answers.map(answer => answer['question'])).size).toBe(answers.length);
  expect(answers.length).toBeGreaterThanOrEqual(answersSaved);
}
