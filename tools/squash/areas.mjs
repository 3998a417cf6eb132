// Which area an object belongs to: by its name where that is said here, else by the migration that first made it.

/** Small areas share the files of another. */
const TOGETHER = { preference: 'account', analytics: 'account', request: 'identity', rates: 'kiosk' };

/** In the order in which tables are made; the schema of an area's rules; what its files say they hold. */
export const AREAS = [
  ['sync', 'sync', 'The sync engine'],
  ['access', 'access', 'Who may do what: permissions, roles and what follows from them'],
  ['space', 'space', 'Spaces: organisations, their people, sites, teams and playbooks'],
  ['account', 'account', 'An account: preferences, usage analytics, export and end'],
  ['preference', 'preference', 'Preferences of a person'],
  ['analytics', 'analytics', 'Usage analytics'],
  [
    'identity',
    'identity',
    'Identity: invitations, partner links, tiers, support, sessions, what is looked at before every request',
  ],
  ['request', 'request', 'What is looked at before every request'],
  ['content', 'content', 'Bounds of what others wrote'],
  ['asset', 'asset', 'Assets and site maps'],
  ['form', 'form', 'Forms, their versions, drafts and pictures'],
  ['schedule', 'schedule', 'Schedules of inspections'],
  ['inspection', 'inspection', 'Inspections, their answers, review and log'],
  ['issue', 'issue', 'Issue reports'],
  ['action', 'action', 'Action items and decisions on what recurs'],
  ['file', 'file', 'Files'],
  ['intake', 'intake', 'What comes from outside: public report codes and guests'],
  ['approval', 'approval', 'Approvals'],
  ['policy', 'policy', 'Policies, their versions and acknowledgements'],
  ['kiosk', 'kiosk', 'The kiosk, and acknowledgement rates over time'],
  ['rates', 'rates', 'Acknowledgement rates over time'],
  ['compliance', 'compliance', 'Evidence, controls, findings and plans of action'],
  ['task', 'task', 'Tasks and their series'],
  ['growth', 'growth', 'Wellness, habits and goals'],
  ['circle', 'circle', 'The support circle'],
  ['brief', 'brief', 'Weekly briefs of Triad Intelligence'],
  ['cohort', 'cohort', 'Group figures with noise'],
  ['notification', 'inbox', 'Notifications'],
  ['comment', 'comment', 'Comments, follows and the activity of a record'],
  ['review_queue', 'review_queue', 'The review queue of orphaned edits'],
  ['audit', 'audit', 'The audit log'],
  ['marketplace', 'marketplace', 'The policy marketplace'],
  ['workflow', 'workflow', 'Workflow rules and their runs'],
  ['calendar', 'calendar', 'Calendar feeds'],
  ['presence', 'presence', 'What others see of a person'],
].map(([name, schema, title], order) => ({ name, schema, title, order, file: TOGETHER[name] ?? name }));

export const AREA = new Map(AREAS.map(a => [a.name, a]));

/** Schemas that are an area's already. */
const BY_SCHEMA = {
  inbox: 'notification',
  identity: 'identity',
  intake: 'intake',
  audit: 'audit',
  marketplace: 'marketplace',
  workflow: 'workflow',
  calendar: 'calendar',
  presence: 'presence',
  content: 'content',
  kiosk: 'kiosk',
  rates: 'rates',
  cohort: 'cohort',
  request: 'request',
};

/** The name of a migration, after its time. First match wins. */
const BY_FILE = [
  [/^permissions/, 'access'],
  [/^(spaces|contexts|founding|members)/, 'space'],
  [/^account/, 'account'],
  [/^preferences/, 'preference'],
  [/^usage_analytics/, 'analytics'],
  [/^request/, 'request'],
  [/^content/, 'content'],
  [/^assets|^field_site_maps|^site_maps/, 'asset'],
  [/^field_form|^field_archived|^forms/, 'form'],
  [/^field_schedules|^schedules|^planning_turns/, 'schedule'],
  [/^(field|capture|inspections)/, 'inspection'],
  [/^(media|stored_files|receipts_media|receipts_removal|files)/, 'file'],
  [/^receipts/, 'sync'],
  [/^issue_public|^guest|^intake/, 'intake'],
  [/^(issue|reports)/, 'issue'],
  [/^action|^recurrence/, 'action'],
  [/^approvals/, 'approval'],
  [/^policies_kiosk/, 'kiosk'],
  [/^policies_rates/, 'rates'],
  [/^(policies|acknowledgements|certificates)/, 'policy'],
  [/^(evidence|controls|findings|poams|compliance)/, 'compliance'],
  [/^(tasks|task_)/, 'task'],
  [/^triad/, 'brief'],
  [/^(wellness|habits|goals|growth|weeks)/, 'growth'],
  [/^circle/, 'circle'],
  [/^cohort/, 'cohort'],
  [/^notifications|^inbox/, 'notification'],
  [/^(comments|activity)/, 'comment'],
  [/^(identity_tray|identity_rescue|identity_unsent|identity_brought)/, 'review_queue'],
  [/^audit|^logged_reads/, 'audit'],
  [/^pack|^marketplace/, 'marketplace'],
  [/^workflow/, 'workflow'],
  [/^calendar/, 'calendar'],
  [/^person_profiles|^presence/, 'presence'],
  [/^(identity|security)/, 'identity'],
  [/^sync|^ready_pages/, 'sync'],
];

const names = (area, list) =>
  list
    .trim()
    .split(/\s+/)
    .map(name => [name, area]);

/** Functions and tables by name, where the migration that made them says another area. */
const BY_NAME = new Map([
  ...names(
    'sync',
    `sync.holder_scope sync.member_scopes sync.is_derived sync.guard_derived_id sync.is_id_taken sync.refuse_taken_id sync.is_uuid sync.need_push
    sync.is_device_edit sync.device sync.clamped sync.believable sync.clock_allowance my_unsent_rows sync.zones sync.is_plain_id sync.follows_from_itself
    sync.give_up_foreign_id sync.guard_foreign_ids sync.written_when sync.sending_device sync.handed_device sync_receipt sync.receipt_number sync.receipt`,
  ),
  ...names(
    'access',
    `sync.my_memberships sync.my_system_permissions my_platform_permission role_display_name sync.limit_membership sync.tell_ended_rights sync.only_home sync.forget_kept_rights
    sync.is_member sync.is_outsider sync.is_of_mine sync.is_in_sight sync.nobodys sync.guard_outsider sync.give_ticket sync.use_ticket sync.member_or_nobody
    sync.has_enterprise_plan sync.note_held sync.has_held sync.held sync.read_tickets`,
  ),
  ...names(
    'space',
    `sync.set_creator sync.keep_organization sync.guard_named sync.guard_place leave_organization get_user_organization_contexts remove_sample_data
    sync.account_name organization_members organizations`,
  ),
  ...names('account', 'sync.taken_row sync.export_own'),
  ...names('identity', 'sync.need_whole_session'),
  ...names('preference', 'sync.tell_language user_preferences'),
  ...names('content', 'sync.one_line'),
  ...names('asset', 'assets sync.service_status'),
  ...names('form', 'forms form_versions sync.copy_form_organization'),
  ...names(
    'action',
    `action_items sync.guard_action_item sync.guard_source sync.answers_for sync.guard_action_over sync.holds_asset sync.may_release sync.guard_release
    sync.rule_assignee sync.assign_by_rule sync.ends_own_action sync.action_has_evidence`,
  ),
  ...names(
    'file',
    `media sync.guard_media media_complete sync.guard_audience sync.is_file_bound sync.is_file_bound_by_word sync.is_file_awaited sync.guard_decided_file
    sync.named_files`,
  ),
  ...names(
    'inspection',
    `sync.is_decided sync.is_inspection_decided sync.guard_decided_inspection sync.pin_inspection_signer inspections inspection_answers sync.ended_when`,
  ),
  ...names('approval', 'sync.somebody_else_decides sync.guard_own_text'),
  ...names('policy', 'sync.note_policy_author sync.authors_of sync.policy_author'),
  ...names(
    'task',
    `sync.has_evidence sync.ended_when sync.guard_task_end sync.guard_task_over sync.guard_ended_step sync.keeps_steps sync.longest_gap sync.may_follow
    sync.plan_occurrence sync.guard_new_occurrence`,
  ),
  ...names(
    'circle',
    `circle_relationships sync.circle sync.guard_relationship my_circle_with sync.shared_goals sync.goal_titles sync.goal_figures sync.forget_week sync.wellness_week
    sync.pin_countersigner`,
  ),
  ...names(
    'comment',
    'sync.guard_comment sync.clean_outside_name sync.guard_outside_name sync.activity record_activity',
  ),
  ...names(
    'review_queue',
    `sync.is_former_member sync.is_work sync.organization_of sync.refuse_former_member sync.refuse_former_work submit_unsent_work my_unsent_work
    unsent_work sync.take_unsent sync.act_as_former sync.settle_unsent sync.decline_unsent decide_unsent_work my_unsent_files sync.take_into_tray
    bring_unsent_work my_brought_files sync.unsent sync.brought`,
  ),
]);

const areaWord = file => file.replace(/^\d+_/, '').replace(/\.sql$/, '');

const told = new Set();

/** @param name qualified; of what stands in schema public without it */
export function areaOf(name, file) {
  const short = name.replace(/^public\./, '');
  const named = BY_NAME.get(short);
  if (named) return AREA.get(named);
  const schema = BY_SCHEMA[short.includes('.') ? short.split('.')[0] : ''];
  if (schema) return AREA.get(schema);
  const found = BY_FILE.find(([pattern]) => pattern.test(areaWord(file)));
  if (!found) {
    if (!told.has(name))
      console.log(`no area for ${name}, made by ${file}: it stays with sync (tools/squash/areas.mjs)`);
    told.add(name);
    return AREA.get('sync');
  }
  return AREA.get(found[1]);
}
