import { expect, test } from 'vitest';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { acknowledgementId } from '../policies/acknowledge.ts';
import { policyHash } from '../policies/policy-hash.ts';
import {
  answerPrinciple,
  askToCountersign,
  countersigners,
  countersigning,
  countersignatureId,
  ownAnswer,
  type AnswerPrinciple,
} from './countersign.ts';
import { moveRelationship, revokeGrant } from './grants.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [PIA, SAM, PAIR, SPACE, POLICY, VERSION, ASK] = [1, 2, 3, 4, 5, 6, 7].map(uuid) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
const AT = '2026-11-21T08:00:00.000Z';

const words = { title: 'I rest on Sundays', body: 'No work on **Sundays**.' };
const hash = policyHash(words);
const pair = { id: PAIR, subject_id: PIA, helper_id: SAM, role: 'accountability_partner' as const };
const relationship = { ...pair, state: 'active' as const, helper_name: 'Sam', subject_name: 'Pia' };
const of = { organization_id: SPACE, policy_id: POLICY };
const version = { ...of, id: VERSION, ...words, state: 'published' as const, major: 1, minor: 0, content_hash: hash };
const acknowledgement = {
  ...of,
  id: acknowledgementId(VERSION, PIA),
  version_id: VERSION,
  user_id: PIA,
  state: 'acknowledged' as const,
  opened_at: AT,
};
type Rows = Parameters<typeof memoryStore>[0];
const store = (more: Rows = {}) =>
  memoryStore({
    circle_relationships: [relationship],
    policy_versions: [version],
    policy_acknowledgements: [acknowledgement],
    ...more,
  });

const ask = { id: ASK, relationshipId: PAIR, versionId: VERSION, by: PIA, at: AT };
const principle = {
  ...words,
  version_id: VERSION,
  major: 1,
  minor: 0,
  content_hash: hash,
  is_current: true,
  name: 'Pia Person',
  decided_at: AT,
  received_at: AT,
};
const yes: AnswerPrinciple = {
  grantId: ASK,
  helperId: SAM,
  principle,
  at: AT,
  decision: 'signed',
  signedName: ' Sam Worker ',
  signature: null,
};

const SIGNED = {
  id: countersignatureId(ASK),
  grant_id: ASK,
  relationship_id: PAIR,
  subject_id: PIA,
  helper_id: SAM,
  policy_id: POLICY,
  version_id: VERSION,
  decision: 'signed' as const,
  content_hash: hash,
  method: 'typed' as const,
  signed_name: 'Sam Worker',
  decided_at: AT,
  received_at: AT,
};

async function asked(more: Rows = {}) {
  const own = store(more);
  await own.write('ask', tx => askToCountersign(tx, ask));
  return own;
}
/** The partner's device, on which the grant arrived as the server has it. */
const partner = () => {
  const granted = { ...pair, id: ASK, relationship_id: PAIR, scope: 'principles', level: 'countersign' };
  const grant = { ...granted, item_ids: [VERSION], valid_from: AT };
  return memoryStore({ circle_relationships: [relationship], consent_grants: [grant] });
};
const stateOf = async (own: ReturnType<typeof store>) =>
  (await own.read(countersigning(VERSION, PIA))).asked.map(({ state }) => state);

test('one partner is asked for the one version that was committed to, and answers it once', async () => {
  const own = await asked();
  expect(await stateOf(own)).toEqual(['asked']);
  await expect(own.write('ask', tx => askToCountersign(tx, { ...ask, id: uuid(8) }))).rejects.toMatchObject({
    code: 'stale_version',
  });
  const theirs = partner();
  await theirs.write('sign', tx => answerPrinciple(tx, yes));
  const answer = { decision: 'signed', method: 'typed', signed_name: 'Sam Worker' };
  expect(await theirs.read(ownAnswer(ASK))).toMatchObject(answer);
  await expect(theirs.write('sign', tx => answerPrinciple(tx, yes))).rejects.toMatchObject({ code: 'stale_version' });
});

test('nothing is asked for what one did not commit to, is more than words, or of somebody who is no partner', async () => {
  for (const [rows, code] of [
    [{ policy_acknowledgements: [] }, 'invalid'],
    [{ policy_acknowledgements: [{ ...acknowledgement, state: 'void' as const }] }, 'invalid'],
    [{ policy_versions: [{ ...version, state: 'superseded' as const }] }, 'invalid'],
    [{ policy_versions: [{ ...version, quiz: '[]' }] }, 'invalid'],
    [{ policy_versions: [] }, 'not_found'],
    [{ circle_relationships: [{ ...relationship, state: 'paused' as const }] }, 'not_found'],
    [{ circle_relationships: [{ ...relationship, role: 'mentor_coach' as const }] }, 'not_allowed'],
  ] as [Rows, string][])
    await expect(store(rows).write('ask', tx => askToCountersign(tx, ask))).rejects.toMatchObject({ code });
});

test('an answer is pinned to the words on the screen, signed, and given while it is asked for', async () => {
  const own = partner();
  const refused = (part: object) => own.write('sign', tx => answerPrinciple(tx, { ...yes, ...part }));
  await expect(refused({ principle: { ...principle, body: 'Other' } })).rejects.toMatchObject({
    code: 'stale_version',
  });
  await expect(refused({ signedName: ' ' })).rejects.toMatchObject({ code: 'invalid' });
  await expect(refused({ helperId: PIA })).rejects.toMatchObject({ code: 'not_found' });
  await own.write('pause', tx => moveRelationship(tx, { id: PAIR, state: 'paused', by: SAM }));
  await expect(refused({})).rejects.toMatchObject({ code: 'not_found' });
});

test('a no may be without a word, and leaves the way free to ask somebody again', async () => {
  const theirs = partner();
  await theirs.write('no', tx =>
    answerPrinciple(tx, { grantId: ASK, helperId: SAM, principle, at: AT, decision: 'declined', reason: '' }),
  );
  expect(await theirs.read(ownAnswer(ASK))).toMatchObject({ decision: 'declined', reason: '' });
  const no = { ...SIGNED, decision: 'declined' as const, method: null, signed_name: null };
  const own = await asked({ countersignatures: [no] });
  await own.write('ask', tx => askToCountersign(tx, { ...ask, id: uuid(8) }));
  expect(await stateOf(own)).toEqual(['declined', 'asked']);
  expect(await own.read(countersigners(VERSION))).toEqual([]);
});

test('what was signed stays on the page and on the certificate when the grant is over; an ask that came to nothing does not', async () => {
  const own = await asked({ countersignatures: [SIGNED] });
  await own.write('revoke', tx => revokeGrant(tx, ASK, AT));
  expect(await stateOf(own)).toEqual(['signed']);
  expect(await own.read(countersigners(VERSION))).toMatchObject([{ name: 'Sam Worker', received_at: AT }]);
  const idle = await asked();
  await idle.write('revoke', tx => revokeGrant(tx, ASK, AT));
  expect(await stateOf(idle)).toEqual([]);
  expect(await idle.read(countersigners(VERSION))).toEqual([]);
});
