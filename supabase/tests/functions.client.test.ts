import { randomUUID } from 'node:crypto';
import { codeOfApp } from '@cairn/local-server/authenticator-for-tests.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PushAnswer, ReceiptAnswer } from '@cairn/sync/transport/backend.ts';
import { mutation, type Edit } from './device.ts';
import { forgeries } from './forgeries.ts';
import { namedIn, serveWorld, type Client, type ServedWorld } from './people-by-client.ts';
import { servedTables } from './sample-row.ts';
import { aGuest, aGuestReply, aReport, guessed, keptPhoto } from './visitor-inputs.ts';
import { expectRowsUnchanged } from './unchanged-rows.ts';
import type { World } from './world.ts';

/** Every function of the API, called by who must not get anything out of it with ids that are not theirs. */
let served: ServedWorld;
/** A receipt of the worker's, and the mutation it stands for. */
const workersReceipt = randomUUID();
let workersEdit: string;
/** What of the world is known by its table only. */
const ids = { invitation: '', link: '', purchase: '', relationship: '', brief: '', copy: '', packVersion: '' };
const packOf = (world: World) => ({ p_organization: world.organization, p_version: ids.packVersion });
/** A policy of the worker's private space, its draft, and a request for approval. */
const own = { policy: randomUUID(), version: randomUUID(), request: randomUUID(), place: '' };
const sha256 = 'a'.repeat(64);
const receiptOf = (id: string, mids: string[]) => ({ p_id: id, p_device: null, p_mids: mids, p_device_at: null });
const push = (edits: Edit[]) => ({ p_device: randomUUID(), p_mutations: edits.map(mutation) });

type Call = {
  args(world: World): Record<string, unknown>;
  /**
   * For a signed-in person of another organisation: turned away, or answered with nothing that is not theirs. For somebody
   * of this one (a colleague, a manager) the same as for another, where it says refused.
   */
  other: 'refused' | 'own';
  /** Anybody may ask without signing in; without the secret it answers nothing. */
  isPublic?: true;
};

const mediaOf = ({ media }: World) => ({ p_id: media, p_sha256: sha256 });
const calls: Record<string, Call> = {
  hold_policy_edit_lock: { args: () => ({ p_version: own.version, p_take_over: true }), other: 'refused' },
  release_policy_edit_lock: { args: () => ({ p_version: own.version }), other: 'refused' },
  submit_policy_version: {
    args: world => ({ p_version: own.version, p_stages: [{ name: '', rule: 'any', people: [world.worker] }] }),
    other: 'refused',
  },
  reopen_policy_version: { args: () => ({ p_version: own.version }), other: 'refused' },
  install_pack: { args: world => ({ ...packOf(world), p_playbook: null, p_variables: {} }), other: 'refused' },
  take_pack_item: {
    args: world => ({ ...packOf(world), p_kind: 'task', p_key: 'list', p_how: 'keep' }),
    other: 'refused',
  },
  rate_pack: {
    args: world => ({ p_organization: world.organization, p_pack: world.pack, p_stars: 1 }),
    other: 'refused',
  },
  save_pack: {
    args: world => ({ p_id: randomUUID(), p_organization: world.organization, p_facts: { name: 'x', licence: 'MIT' } }),
    other: 'refused',
  },
  save_pack_version: {
    args: world => ({ p_id: randomUUID(), p_pack: world.pack, p_number: '9.0.0', p_changelog: '', p_contents: {} }),
    other: 'refused',
  },
  drop_pack_draft: { args: () => ({ p_version: ids.packVersion }), other: 'refused' },
  move_pack_version: { args: () => ({ p_version: ids.packVersion, p_to: 'withdrawn', p_note: 'x' }), other: 'refused' },
  fork_pack: { args: world => ({ ...packOf(world), p_id: randomUUID() }), other: 'refused' },
  pack_contents_of: {
    args: world => ({
      p_organization: world.organization,
      p_policies: [world.policy],
      p_forms: [world.form],
      p_tasks: [world.task],
    }),
    other: 'refused',
  },
  my_marketplace_companies: { args: () => ({ p_permission: 'marketplace.access' }), other: 'own' },
  my_packs_to_review: { args: () => ({}), other: 'own' },
  my_marketplace_is_open: { args: () => ({}), other: 'own' },
  publish_policy_version: { args: () => ({ p_version: own.version }), other: 'refused' },
  archive_policy: { args: () => ({ p_policy: own.policy }), other: 'refused' },
  exempt_from_policy: {
    args: world => ({ p_policy: own.policy, p_user: world.worker, p_reason: 'Because' }),
    other: 'refused',
  },
  kiosk_state: { args: () => ({ p_policy: own.policy }), other: 'refused' },
  set_kiosk_pin: {
    args: world => ({ p_organization: own.place, p_user: world.worker, p_pin: '1234', p_replace: true }),
    other: 'refused',
  },
  check_kiosk_pin: {
    args: world => ({ p_policy: own.policy, p_user: world.worker, p_pin: '1234' }),
    other: 'refused',
  },
  acknowledgement_rates: { args: () => ({ p_organization: own.place }), other: 'refused' },
  policy_acknowledgement_report: { args: () => ({ p_policy: own.policy }), other: 'refused' },
  acknowledgement_certificate: {
    args: world => ({ p_policy: own.policy, p_user: world.worker }),
    other: 'refused',
  },
  account_has_ended: { args: () => ({ p_token: '0'.repeat(32) }), other: 'own', isPublic: true },
  verify_certificate: { args: () => ({ p_code: '0'.repeat(28) }), other: 'own', isPublic: true },
  // Only what somebody sees is asked about: action-life.test.ts. Nobody sees the one that is named here.
  ask_to_accept_risk: {
    args: () => ({ p_action: own.version, p_until: '2027-06-01', p_reason: 'Because' }),
    other: 'refused',
  },
  set_cohort_settings: {
    args: world => ({ p_organization: world.organization, p_on: true, p_minimum: 60 }),
    other: 'refused',
  },
  act_for: {
    args: () => ({
      p_relationship: ids.relationship,
      p_act: 'task_added',
      p_item: own.request,
      p_title: 'In your name',
    }),
    other: 'refused',
  },
  record_activity: { args: world => ({ p_table: 'tasks', p_id: world.task }), other: 'own' },
  simulate_workflow: {
    args: () => ({ p_organization: own.place, p_rule: {} }),
    other: 'refused',
  },
  // A rule nobody has is one that was not sent yet; of one there is, only its company hears: workflows.test.ts.
  read_workflow_runs: { args: () => ({ p_rule: own.request }), other: 'own' },
  read_workflow_run: { args: () => ({ p_run: own.request }), other: 'refused' },
  withdraw_approval: { args: () => ({ p_request: own.request }), other: 'refused' },
  my_scopes: { args: () => ({}), other: 'own' },
  my_sites: { args: () => ({}), other: 'own' },
  my_organizations_with: { args: () => ({ p_permission: 'place.all' }), other: 'own' },
  my_administered_playbooks: { args: () => ({}), other: 'own' },
  get_user_organization_contexts: { args: world => ({ user_id_param: world.worker }), other: 'own' },
  person_profile: { args: world => ({ p_person: world.worker }), other: 'own' },
  my_sessions: { args: () => ({}), other: 'own' },
  end_my_session: { args: world => ({ p_id: world.worker }), other: 'own' },
  sync_pull: {
    args: world => ({
      p_cursors: { [`org:${world.organization}`]: ['x.0', 0, '', randomUUID()], [`user:${world.worker}`]: null },
      p_device: randomUUID(),
      p_limit: 5000,
    }),
    other: 'own',
  },
  sync_push: { args: world => push(forgeries(world)), other: 'own' },
  sync_receipt: { args: () => receiptOf(workersReceipt, [workersEdit]), other: 'refused' },
  sync_digest: { args: () => ({ p_tables: ['action_items', 'inspections'] }), other: 'own' },
  sync_repair: {
    args: world => ({ p_scope: `site:${world.north}`, p_table: 'action_items', p_sums: {}, p_device: randomUUID() }),
    other: 'own',
  },
  sync_missing: { args: () => ({ p_mids: [workersEdit] }), other: 'own' },
  read_audit_log: { args: world => ({ p_organization: world.organization }), other: 'refused' },
  export_audit_log: { args: world => ({ p_organization: world.organization }), other: 'refused' },
  note_evidence_pack: {
    args: () => ({ p_organization: own.place, p_sha256: 'a'.repeat(64), p_files: 0 }),
    other: 'refused',
  },
  verify_audit_log: { args: world => ({ p_organization: world.organization }), other: 'refused' },
  export_person: { args: () => ({}), other: 'own' },
  delete_account: { args: world => ({ p_user: world.worker }), other: 'refused' },
  remove_sample_data: { args: world => ({ organization_id: world.organization }), other: 'refused' },
  my_platform_permission: { args: () => ({ p_permission: 'platform.support' }), other: 'own' },
  my_circle_with: { args: () => ({ p_permission: 'circle.view' }), other: 'own' },
  invite_to_circle: { args: () => ({ p_role: 'mentor_coach', p_purpose: null, p_wanted: [] }), other: 'own' },
  circle_invitation: { args: () => ({ p_token: guessed }), other: 'refused' },
  answer_circle_invitation: { args: () => ({ p_token: guessed, p_accept: true }), other: 'refused' },
  revoke_circle_invitation: { args: () => ({ p_id: ids.relationship }), other: 'refused' },
  read_circle: { args: () => ({ p_relationship: ids.relationship }), other: 'refused' },
  brief_for_review: { args: () => ({ p_relationship: ids.relationship }), other: 'refused' },
  review_brief: { args: () => ({ p_brief: ids.brief, p_lines: [] }), other: 'refused' },
  decide_brief: { args: () => ({ p_brief: ids.brief, p_lines: [], p_to: [] }), other: 'refused' },
  take_back_brief: { args: () => ({ p_copy: ids.copy }), other: 'refused' },
  invite_to_organization: {
    args: world => ({ p_organization: world.organization, p_role: 'admin' }),
    other: 'refused',
  },
  renew_invitation: { args: () => ({ p_id: ids.invitation }), other: 'refused' },
  revoke_invitation: { args: () => ({ p_id: ids.invitation }), other: 'refused' },
  preview_organization_invitation: { args: () => ({ invitation_token: guessed }), other: 'refused' },
  accept_organization_invitation: { args: () => ({ invitation_token: guessed }), other: 'refused' },
  create_partner_link: { args: world => ({ p_organization: world.organization, p_name: 'Mine' }), other: 'refused' },
  revoke_partner_link: { args: () => ({ p_id: ids.link }), other: 'refused' },
  preview_partner_link: { args: () => ({ partner_link_token: guessed }), other: 'refused' },
  activate_partner_link: { args: () => ({ partner_link_token: guessed }), other: 'refused' },
  set_organization_program: {
    args: world => ({ p_organization: world.organization, p_name: 'Mine', p_description: null }),
    other: 'refused',
  },
  // Leaving is everybody's right in their own organisation: leaving.test.ts. Nobody has the one that is named here.
  leave_organization: { args: () => ({ p_organization: ids.purchase }), other: 'refused' },
  consume_quota: { args: () => ({ p_quota: 'media_search', p_request: randomUUID() }), other: 'own' },
  refund_quota: { args: world => ({ p_user: world.worker, p_request: ids.purchase }), other: 'refused' },
  get_subscription_info: { args: () => ({}), other: 'own' },
  request_purchase: { args: () => ({ p_id: ids.purchase, p_amount: 5 }), other: 'refused' },
  cancel_purchase: { args: () => ({ p_id: ids.purchase }), other: 'refused' },
  decide_purchase: { args: () => ({ p_id: ids.purchase, p_fulfil: true }), other: 'refused' },
  support_find_organizations: { args: () => ({ p_search: 'acme', p_reason: 'curious' }), other: 'refused' },
  support_read: {
    args: world => ({ p_organization: world.organization, p_table: 'sites', p_reason: 'curious' }),
    other: 'refused',
  },
  submit_orphaned_edits: {
    args: world => ({
      p_organization: world.organization,
      p_device: null,
      p_mutations: forgeries(world).map(mutation),
    }),
    other: 'refused',
  },
  my_submitted_edits: { args: () => ({}), other: 'own' },
  my_submitted_files: { args: () => ({}), other: 'own' },
  submit_edits_on_behalf: {
    args: world => ({
      p_organization: world.organization,
      p_author: world.worker,
      p_device: null,
      p_mutations: forgeries(world).map(mutation),
    }),
    other: 'refused',
  },
  my_files_on_behalf: { args: () => ({}), other: 'own' },
  my_sent_file: { args: world => ({ p_id: world.media }), other: 'own' },
  orphaned_edits: { args: world => ({ p_organization: world.organization }), other: 'refused' },
  decide_orphaned_edits: {
    args: world => ({
      p_organization: world.organization,
      p_user: world.worker,
      p_mids: [workersEdit],
      p_accept: true,
    }),
    other: 'refused',
  },
  save_push_subscription: {
    args: () => ({ p_endpoint: 'https://push.test/s', p_p256dh: 'B'.repeat(87), p_auth: 'a'.repeat(22) }),
    other: 'own',
  },
  report_progress: { args: () => ({ p_code: 'ABCD-EFGH-JKMN' }), other: 'own', isPublic: true },
  public_report_place: { args: () => ({ p_token: guessed }), other: 'own', isPublic: true },
  submit_public_report: {
    args: () => ({ p_token: guessed, p_key: guessed, p_report: aReport }),
    other: 'own',
    isPublic: true,
  },
  create_report_code: { args: world => ({ p_organization: world.organization }), other: 'refused' },
  rotate_report_code: { args: world => ({ p_id: world.code }), other: 'refused' },
  pause_report_code: { args: world => ({ p_id: world.code, p_paused: true }), other: 'refused' },
  revoke_report_code: { args: world => ({ p_id: world.code }), other: 'refused' },
  public_report_photo: { args: () => ({ p_key: guessed, p_n: 1 }), other: 'refused' },
  save_public_photo: { args: keptPhoto, other: 'refused' },
  orphaned_public_photos: { args: () => ({}), other: 'refused' },
  my_calendar_feeds: { args: () => ({}), other: 'own' },
  make_calendar_feed: { args: () => ({ p_kind: 'tasks', p_zone: 'UTC' }), other: 'own' },
  revoke_calendar_feed: { args: world => ({ p_id: world.task }), other: 'own' },
  calendar_feed: { args: () => ({ p_token: guessed }), other: 'refused' },
  // Only what somebody sees is given away (guest-links.test.ts), and nobody sees this; links are for nobody who is signed in.
  give_guest_link: { args: () => ({ p_action: own.version, ...aGuest }), other: 'refused' },
  send_guest_link_again: { args: () => ({ p_id: own.version }), other: 'refused' },
  change_guest_link: { args: () => ({ p_id: own.version, p_until: '2026-12-24' }), other: 'refused' },
  revoke_guest_link: { args: () => ({ p_id: own.version }), other: 'refused' },
  action_guest_links: { args: () => ({ p_action: own.version }), other: 'refused' },
  open_guest_link: { args: () => ({ p_token: guessed }), other: 'refused', isPublic: true },
  submit_guest_reply: { args: () => aGuestReply, other: 'refused', isPublic: true },
  guest_reply_photo: { args: () => ({ p_key: guessed, p_n: 1 }), other: 'refused' },
  save_guest_photo: { args: keptPhoto, other: 'refused' },
  guest_picture: { args: world => ({ p_token: guessed, p_media: world.media }), other: 'refused' },
  schedules_to_plan: { args: () => ({}), other: 'refused' },
  plan_schedule: {
    args: world => ({ p_schedule: world.form, p_version: 1, p_occurrences: [{ key: 'x', due_at: '2027-01-01' }] }),
    other: 'refused',
  },
  task_series_to_plan: { args: () => ({}), other: 'refused' },
  plan_task_series: {
    args: world => ({ p_series: world.form, p_version: 1, p_occurrences: [{ id: world.task, day: '2027-01-01' }] }),
    other: 'refused',
  },
  plan_failed: { args: world => ({ p_kind: 'series', p_id: world.form, p_version: 1 }), other: 'refused' },
  remove_push_subscription: { args: () => ({ p_endpoint: 'https://push.test/workers' }), other: 'own' },
  media_object: { args: world => ({ p_id: world.media }), other: 'refused' },
  media_may_remove: { args: world => ({ p_id: world.media, p_object: world.media }), other: 'refused' },
  media_checked: { args: world => ({ ...mediaOf(world), p_object: world.media, p_bytes: 3 }), other: 'refused' },
  media_complete: { args: world => ({ ...mediaOf(world), p_bytes: 3 }), other: 'refused' },
};

const call = (client: Client, name: string) => client.rpc(name, calls[name]?.args(served.world));
const refusal = async (attempt: PromiseLike<{ error: { code: string } | null; status: number }>) => {
  const { error, status } = await attempt;
  return [status, error?.code];
};

beforeAll(async () => {
  served = await serveWorld();
  const { world, clients, db } = served;
  // Removable by whoever has the right: only the right stands between the others and the sample data.
  await db.asAdmin('update organizations set sample = true where id = $1', [world.organization]);
  const idOf = async (table: string) => String((await db.asAdmin(`select id from ${table}`))[0]?.['id']);
  ids.packVersion = await idOf('pack_versions');
  ids.invitation = await idOf('organization_invitations');
  ids.link = await idOf('partner_links');
  ids.purchase = await idOf('purchase_requests');
  ids.relationship = await idOf('circle_relationships');
  ids.brief = await idOf('triad_briefs');
  ids.copy = await idOf('triad_brief_copies');
  const [space] = await served.db.asAdmin(`select id from organizations where kind = 'private' and created_by = $1`, [
    world.worker,
  ]);
  own.place = String(space?.['id']);
  await served.db.asAdmin(`insert into policies (id, organization_id, title) values ($1, $2, 'Mine')`, [
    own.policy,
    space?.['id'],
  ]);
  await served.db.asAdmin(
    `insert into policy_versions (id, organization_id, policy_id, title, body) values ($1, $2, $3, 'Mine', 'Words')`,
    [own.version, space?.['id'], own.policy],
  );
  await served.db.asAdmin(
    `insert into approval_requests (id, organization_id, permission, subject_table, subject_id, path, title, stages)
      values ($1, $2, 'policy.approve', 'policy_versions', $3, '/policies', 'Mine', $4)`,
    [own.request, space?.['id'], own.version, JSON.stringify([{ name: '', rule: 'any', people: [world.worker] }])],
  );
  const args = push([
    {
      t: 'action_items',
      op: 'insert',
      patch: { organization_id: world.organization, site_id: world.north, title: 'A' },
    },
  ]);
  workersEdit = args.p_mutations[0]?.mid ?? '';
  const pushed = await clients.owner.rpc('sync_push', args);
  if (pushed.error) throw pushed.error;
  const given = await clients.owner.rpc('sync_receipt', receiptOf(workersReceipt, [workersEdit]));
  if (given.data?.complete !== true) throw new Error('the worker got no receipt to try the others on');
});
afterAll(() => served.stop());

describe('functions', () => {
  const still = expectRowsUnchanged(() => served);

  test('every function of the API is tried here; a new one without its row is named', async () => {
    const rows = await served.db.asAdmin(
      `select distinct proname from pg_proc where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype`,
    );
    expect(rows.map(row => String(row['proname'])).toSorted()).toEqual(Object.keys(calls).toSorted());
  });

  const [open, closed] = [true, false].map(isPublic =>
    Object.keys(calls).filter(name => (calls[name]?.isPublic ?? false) === isPublic),
  );

  test.each(closed ?? [])('%s turns a signed-out visitor away', async name => {
    await still(async () => {
      expect(await refusal(call(served.clients.visitor, name))).toEqual([401, '42501']);
    });
  });

  test.each(open ?? [])('%s tells a signed-out visitor nothing for a guess', async name => {
    await still(async () => {
      const { data, error } = await call(served.clients.visitor, name);
      expect([data, error]).toEqual([null, null]);
    });
  });

  test.each(Object.entries(calls))('%s gives another organisation nothing for foreign ids', async (name, { other }) => {
    await still(async () => {
      const { data, error, status } = await call(served.clients.other, name);
      expect([status, error?.code]).toEqual(other === 'refused' ? [403, '42501'] : [200, undefined]);
      expect(namedIn(data, served.world)).toEqual([]);
    });
  });

  test.each(Object.entries(calls).filter(([, { other }]) => other === 'refused'))(
    '%s turns a colleague and a manager away too',
    async name => {
      await still(async () => {
        for (const person of ['colleague', 'manager'] as const) {
          expect([person, ...(await refusal(call(served.clients[person], name)))]).toEqual([person, 403, '42501']);
        }
      });
    },
  );
});

test('each forged edit is refused for itself, and a hidden row looks like one that never was', async () => {
  const edits = forgeries(served.world);
  const unknown = edits.map(edit => ({ ...edit, id: randomUUID() }));
  const outcomes = async (sent: Edit[]) => {
    const { data } = await served.clients.other.rpc('sync_push', push(sent));
    const { results }: PushAnswer = data;
    return results.map(result => ({ ...result, mid: 'any', ...('cid' in result && { cid: 'any' }) }));
  };
  const hidden = { mid: 'any', st: 'conflict', v: 0, row: null, cid: 'any', kind: 'missing_or_hidden', fields: [] };
  const refused = { mid: 'any', st: 'rejected', code: '42501', msg: expect.any(String) };
  const given = await outcomes(edits);
  expect(given).toEqual(edits.map(({ op }) => (op === 'insert' ? refused : hidden)));
  expect(given).toEqual(await outcomes(unknown));
});

test("a receipt of one's own does not vouch for somebody else's edits", async () => {
  for (const person of ['other', 'colleague'] as const) {
    const { data } = await served.clients[person].rpc('sync_receipt', receiptOf(randomUUID(), [workersEdit]));
    const answer: ReceiptAnswer = data;
    expect(answer).toEqual({ complete: false, missing_mids: [workersEdit], missing_media: [] });
  }
});

test('R3.02 contexts are given for oneself, and to nobody else', async () => {
  const { clients, world } = served;
  for (const person of ['colleague', 'manager', 'other'] as const) {
    expect((await call(clients[person], 'get_user_organization_contexts')).data).toEqual([]);
  }
  const own = await call(clients.owner, 'get_user_organization_contexts');
  expect(own.data).toContainEqual(
    expect.objectContaining({ organization_id: world.organization, user_role: 'member', support_role: null }),
  );
});

test('whoever took a photo cannot say that it has arrived', async () => {
  const { clients, world, db } = served;
  expect(await refusal(call(clients.owner, 'media_complete'))).toEqual([403, '42501']);
  expect(await db.asAdmin('select state from media where id = $1', [world.media])).toEqual([{ state: 'pending' }]);
});

describe('somebody who knows a password, and not the second step', () => {
  const still = expectRowsUnchanged(() => served);
  let thief: Client;
  beforeAll(async () => {
    const { owner } = served.clients;
    const { data, error } = await owner.auth.mfa.enroll({ factorType: 'totp' });
    if (error) throw error;
    const lifted = await owner.auth.mfa.challengeAndVerify({ factorId: data.id, code: codeOfApp(data.totp.secret) });
    if (lifted.error) throw lifted.error;
    thief = await served.signIn('worker');
  });

  test.each(Object.keys(calls))('is refused %s', async name => {
    await still(async () => {
      const { data, error, status } = await call(thief, name);
      expect([status, error?.code, data]).toEqual([401, 'PT401', null]);
    });
  });
});

describe('somebody who managed the company until a moment ago, on the session they had', () => {
  const still = expectRowsUnchanged(() => served);
  /** Theirs to call as a former member; what they send is judged piece by piece. */
  const HANDS_OVER = 'submit_orphaned_edits';
  let link = '';
  beforeAll(async () => {
    const { clients, world, db } = served;
    const name = `${world.organization}/${world.media}`;
    const bytes = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);
    const uploaded = await clients.owner.storage.from('media').upload(name, bytes, { contentType: 'image/jpeg' });
    if (uploaded.error) throw uploaded.error;
    const signed = await clients.manager.storage.from('media').createSignedUrl(name, 3600);
    link = signed.data?.signedUrl ?? '';
    if ((await fetch(link)).status !== 200) throw new Error('the link of a manager does not open');
    await db.asAdmin('update organization_members set deleted_at = now() where user_id = $1 and organization_id = $2', [
      world.manager,
      world.organization,
    ]);
  });

  test('a link to a photo that they made before opens no more', async () => {
    expect((await fetch(link)).status).toBe(400);
  });

  // The ids of what they sent themselves, and was refused, are known to them.
  beforeEach(() => served.db.asAdmin('delete from notifications where user_id = $1', [served.world.manager]));

  test.each(Object.entries(calls).filter(([name]) => name !== HANDS_OVER))(
    '%s gives them no more than a stranger',
    async (name, { other }) => {
      await still(async () => {
        const { data, error, status } = await call(served.clients.manager, name);
        expect([status, error?.code]).toEqual(other === 'refused' ? [403, '42501'] : [200, undefined]);
        expect(namedIn(data, served.world).filter(named => named !== 'manager')).toEqual([]);
      });
    },
  );

  test('no table shows them a row of it, and no file', async () => {
    const { clients, world, db } = served;
    for (const table of await servedTables(db)) {
      const { data } = await clients.manager.from(table).select('*');
      expect([table, namedIn(data ?? [], world).filter(named => named !== 'manager')]).toEqual([table, []]);
    }
    expect((await clients.manager.storage.from('media').list(world.organization)).data).toEqual([]);
  });
});

test('sample data is removed by an administrator, not by a member', async () => {
  const { clients, world, db } = served;
  const there = () => db.asAdmin('select 1 from organizations where id = $1', [world.organization]);
  expect(await refusal(call(clients.owner, 'remove_sample_data'))).toEqual([403, '42501']);
  expect(await there()).toHaveLength(1);
  const removed = await call(await served.signIn('admin'), 'remove_sample_data');
  expect([removed.error, removed.data > 15]).toEqual([null, true]);
  expect(await there()).toEqual([]);
});
