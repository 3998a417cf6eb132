import { randomUUID } from 'node:crypto';
import { testDevice } from './device.ts';
import { db, world } from './set-up-world.ts';
import { PolicyFixture } from './policy-fixture.ts';

const desk = () => new PolicyFixture(db, world);

export type Data = Record<string, unknown>;
/** Without a right, or without an account. */
export const denied = { code: '42501' };
export const refused = { st: 'rejected', code: '42501' };
export const invalid = { st: 'rejected', code: '23514' };
export const strokes = {
  width: 10,
  height: 10,
  strokes: [
    [
      [1, 1],
      [2, 2],
    ],
  ],
};
const drawn = { method: 'drawn', signature: strokes };
export const wordOf = async (version: string, person: string): Promise<Data | undefined> =>
  (
    await db.asAdmin('select * from policy_acknowledgements where version_id = $1 and user_id = $2', [version, person])
  )[0];
export const kioskWord = async (id: string): Promise<Data> =>
  (await db.asAdmin('select * from kiosk_acknowledgements where id = $1', [id]))[0] ?? {};

/** A word of the worker, as the device of a witness sends it. */
export async function say(version: string, more: Data = {}, witness = world.manager) {
  const [row] = await db.asAdmin('select policy_id, content_hash from policy_versions where id = $1', [version]);
  const id = randomUUID();
  const now = new Date().toISOString();
  const of = { organization_id: world.organization, policy_id: row?.['policy_id'], version_id: version };
  const who = { user_id: world.worker, witness_id: witness, device: 'Chrome, Android' };
  const said = { decision: 'acknowledged', signed_name: 'Sam Worker', content_hash: row?.['content_hash'], ...drawn };
  const patch = { ...of, ...who, ...said, opened_at: now, decided_at: now, sections_read: 2, sections: 2, ...more };
  const [result] = await testDevice(db, witness).push({ t: 'kiosk_acknowledgements', op: 'insert', id, patch });
  return { id, result };
}
export const asked = async (title: string, more: Data = {}, campaign: Data = {}) => {
  const made = await desk().inForce(title, more);
  await desk().ask(made.policy, { kind: 'all' }, 14, campaign);
  return made;
};
export const setPin = (by: string | null, person: string, pin: string, replace = false) =>
  db.rpc(by, 'set_kiosk_pin', { p_organization: world.organization, p_user: person, p_pin: pin, p_replace: replace });
export const checkPin = (policy: string, person: string, pin: string, by: string | null = world.manager) =>
  db.rpc<{ pass?: string; left?: number; locked_until?: string }>(by, 'check_kiosk_pin', {
    p_policy: policy,
    p_user: person,
    p_pin: pin,
  });
export const forgetPins = () => db.asAdmin('delete from kiosk.pin');
export const openAgain = () => db.asAdmin(`update kiosk.pin set locked_until = now() - interval '1 second'`);
