// Made by tools/gen-types.ts from supabase/migrations. Do not edit: npm run gen.

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A row as the database has it; instants as ISO text, days as YYYY-MM-DD. */
export type Tables = {
  acknowledgement_campaigns: {
    id: string;
    organization_id: string;
    policy_id: string;
    audience: Json;
    due_days: number | null;
    state: 'active' | 'ended';
    starts_at: string;
    created_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    quiz_required: boolean;
    quiz_right: number | null;
  };
  action_items: {
    id: string;
    organization_id: string;
    site_id: string | null;
    playbook_id: string | null;
    title: string;
    description: string | null;
    status: 'open' | 'assigned' | 'in_progress' | 'ready_for_verification' | 'needs_revision' | 'closed' | 'risk_accepted' | 'duplicate' | 'not_valid';
    priority: 'low' | 'medium' | 'high' | 'critical';
    due_at: string | null;
    assignee_id: string | null;
    source_type: 'inspection' | 'manual' | 'issue_report' | 'poam' | 'finding' | null;
    source_id: string | null;
    source_question: string | null;
    asset_id: string | null;
    media_ids: Json;
    created_by: string | null;
    closed_at: string | null;
    closed_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    kind: 'corrective' | 'preventive' | null;
    root_cause: string | null;
    done_by: string | null;
    check_on: string | null;
    outcome: 'effective' | 'not_effective' | null;
    outcome_note: string | null;
    outcome_by: string | null;
    outcome_at: string | null;
    risk_until: string | null;
    risk_reason: string | null;
    escalation: number;
    evidence_required: boolean;
    submitted_at: string | null;
    submitted_by: string | null;
    source_fields: Json;
  };
  approval_decisions: {
    id: string;
    organization_id: string;
    permission: string;
    request_id: string;
    stage: number;
    approver_id: string | null;
    decided_by: string | null;
    delegation_id: string | null;
    decision: 'approve' | 'reject' | 'request_change';
    reason: string | null;
    at: string;
    counted_at: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  approval_delegations: {
    id: string;
    organization_id: string;
    from_id: string;
    to_id: string;
    starts_at: string;
    ends_at: string;
    reason: string | null;
    revoked_at: string | null;
    created_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  approval_requests: {
    id: string;
    organization_id: string;
    permission: string;
    subject_table: 'policy_versions' | 'action_items' | 'workflow_runs';
    subject_id: string;
    path: string;
    title: string;
    note: string | null;
    stages: Json;
    stage: number;
    state: 'pending' | 'approved' | 'rejected' | 'change_requested' | 'withdrawn';
    requested_by: string | null;
    requested_at: string;
    decided_at: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  assets: {
    id: string;
    organization_id: string;
    site_id: string | null;
    parent_id: string | null;
    name: string;
    category: string | null;
    code: string | null;
    location: string | null;
    status: 'operational' | 'standby' | 'down' | 'retired';
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    latitude: number | null;
    longitude: number | null;
    barcode: string | null;
    serial_number: string | null;
    manufacturer: string | null;
    model: string | null;
    notes: string | null;
    tags: Json;
    submitted_at: string | null;
    submitted_by: string | null;
  };
  circle_acts: {
    id: string;
    relationship_id: string;
    subject_id: string;
    helper_id: string;
    act: 'task_added' | 'task_done' | 'task_reopened';
    item_id: string;
    title: string;
    at: string;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  circle_messages: {
    id: string;
    relationship_id: string;
    subject_id: string;
    helper_id: string;
    from_id: string;
    body: string;
    written_at: string;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  circle_relationships: {
    id: string;
    subject_id: string;
    helper_id: string;
    role: 'managed_admin' | 'mentor_coach' | 'triad_intelligence_operator' | 'accountability_partner';
    state: 'active' | 'paused' | 'ended';
    started_at: string;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    subject_name: string | null;
    helper_name: string | null;
    purpose: string | null;
    cadence_days: number | null;
  };
  circle_sessions: {
    id: string;
    relationship_id: string;
    subject_id: string;
    helper_id: string;
    author_id: string;
    at: string;
    state: 'planned' | 'held' | 'cancelled' | 'missed';
    minutes: number | null;
    note: string;
    next_steps: Json;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    reason: string;
    concluded_by: string | null;
  };
  cohort_consents: {
    id: string;
    user_id: string;
    employer_id: string;
    revoked_at: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  comments: {
    id: string;
    organization_id: string;
    subject_table: 'inspections' | 'action_items' | 'tasks' | 'issue_reports' | 'policy_versions' | 'findings';
    subject_id: string;
    question: string | null;
    round: number | null;
    body: string;
    mention_ids: Json;
    media_ids: Json;
    author_id: string | null;
    written_at: string;
    resolved_at: string | null;
    resolved_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    outside_name: string | null;
    submitted_at: string | null;
    submitted_by: string | null;
  };
  consent_grants: {
    id: string;
    relationship_id: string;
    subject_id: string;
    helper_id: string;
    role: string;
    scope: string;
    level: string;
    item_ids: Json;
    valid_from: string;
    valid_until: string | null;
    revoked_at: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  control_links: {
    id: string;
    organization_id: string;
    control_id: string;
    target_table: 'policies' | 'forms' | 'action_items';
    target_id: string;
    created_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  controls: {
    id: string;
    organization_id: string;
    framework_id: string;
    code: string;
    label: string;
    title: string;
    family: string;
    statement: string;
    position: number;
    created_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  countersignatures: {
    id: string;
    grant_id: string;
    relationship_id: string;
    subject_id: string;
    helper_id: string;
    policy_id: string;
    version_id: string;
    decision: 'signed' | 'declined';
    content_hash: string;
    method: 'typed' | 'drawn' | null;
    signed_name: string | null;
    signature: Json;
    reason: string;
    decided_at: string;
    received_at: string;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    account_name: string | null;
  };
  evidence: {
    id: string;
    organization_id: string;
    series_id: string;
    revision: number;
    title: string;
    description: string | null;
    owner_id: string | null;
    period_from: string | null;
    period_to: string | null;
    effective_on: string | null;
    expires_on: string | null;
    media_ids: Json;
    state: 'collected' | 'sent_back' | 'accepted' | 'superseded' | 'withdrawn';
    review_note: string | null;
    reviewed_by: string | null;
    reviewed_at: string | null;
    collected_at: string;
    received_at: string;
    created_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    submitted_at: string | null;
    submitted_by: string | null;
  };
  evidence_links: {
    id: string;
    organization_id: string;
    evidence_id: string;
    owner_id: string | null;
    target_table: 'policies' | 'action_items' | 'inspections' | 'controls';
    target_id: string;
    created_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    submitted_at: string | null;
    submitted_by: string | null;
  };
  findings: {
    id: string;
    organization_id: string;
    subject_table: 'controls' | 'policies' | 'evidence' | 'inspections';
    subject_id: string;
    title: string;
    body: string;
    requirement: string | null;
    severity: 'observation' | 'minor' | 'major' | 'critical';
    state: 'open' | 'answered' | 'closed' | 'reopened';
    owner_id: string | null;
    answer: string | null;
    answered_by: string | null;
    answered_at: string | null;
    verdict: string | null;
    decided_by: string | null;
    decided_at: string | null;
    raised_by: string | null;
    raised_at: string;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  form_drafts: {
    id: string;
    organization_id: string;
    form_id: string;
    definition: Json;
    edited_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  form_pictures: {
    id: string;
    organization_id: string;
    name: string;
    width: number;
    height: number;
    data: string;
    created_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  form_versions: {
    id: string;
    organization_id: string;
    form_id: string;
    number: number;
    definition: Json;
    source: 'builder' | 'xlsform' | 'xform' | 'json' | 'seed';
    created_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    changes: string | null;
  };
  forms: {
    id: string;
    organization_id: string;
    playbook_id: string | null;
    name: string;
    description: string | null;
    category: string | null;
    asset_category: string | null;
    minutes: number | null;
    state: 'draft' | 'published' | 'archived';
    current_version_id: string | null;
    created_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  frameworks: {
    id: string;
    organization_id: string;
    title: string;
    edition: string | null;
    source_id: string | null;
    created_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  goal_check_ins: {
    id: string;
    user_id: string;
    goal_id: string;
    day: string;
    at: string;
    value: number | null;
    progress: number | null;
    confidence: number | null;
    obstacle: string | null;
    next_step: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  goal_links: {
    id: string;
    user_id: string;
    goal_id: string;
    kind: 'habit' | 'action';
    item_id: string;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  goal_milestones: {
    id: string;
    user_id: string;
    goal_id: string;
    title: string;
    due_on: string | null;
    done_on: string | null;
    position: number;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  goal_pauses: {
    id: string;
    user_id: string;
    goal_id: string;
    from_day: string;
    until_day: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  goals: {
    id: string;
    user_id: string;
    area: 'health-wellness-foundation' | 'career-growth-essentials' | 'personal-development-basics' | 'financial-literacy' | 'relationship-building' | 'mindfulness-focus';
    title: string;
    why: string | null;
    metric: string | null;
    unit: string | null;
    baseline: number | null;
    target: number | null;
    due_on: string | null;
    difficulty: 'easy' | 'steady' | 'hard' | null;
    state: 'draft' | 'active' | 'paused' | 'achieved' | 'revised' | 'dropped';
    started_on: string | null;
    ended_on: string | null;
    learned: string | null;
    follows_id: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  grant_reads: {
    id: string;
    grant_id: string;
    relationship_id: string;
    subject_id: string;
    helper_id: string;
    scope: string;
    level: string;
    offline: boolean;
    read_at: string;
    received_at: string;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    brief_id: string | null;
    times: number;
  };
  habit_entries: {
    id: string;
    user_id: string;
    habit_id: string;
    day: string;
    value: 'done' | 'no' | 'skip' | 'unknown';
    amount: number | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  habit_pauses: {
    id: string;
    user_id: string;
    habit_id: string | null;
    from_day: string;
    until_day: string | null;
    reason: 'sick' | 'holiday' | 'other';
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  habits: {
    id: string;
    user_id: string;
    name: string;
    question: string | null;
    kind: 'yes_no' | 'number';
    unit: string | null;
    target: number | null;
    target_kind: 'at_least' | 'at_most';
    times: number;
    per_days: number;
    position: number;
    started_on: string;
    archived_at: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    remind_at: string | null;
  };
  inspection_answers: {
    id: string;
    organization_id: string;
    site_id: string | null;
    inspection_id: string;
    question: string;
    value: Json;
    outcome: 'pass' | 'fail' | 'na' | null;
    score: number | null;
    score_max: number | null;
    note: string | null;
    media_ids: Json;
    answered_by: string | null;
    answered_at: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    voice_ids: Json;
    submitted_at: string | null;
    submitted_by: string | null;
  };
  inspection_events: {
    id: string;
    organization_id: string;
    site_id: string | null;
    conductor_id: string | null;
    inspection_id: string;
    kind: 'state' | 'answer' | 'signature';
    question: string | null;
    before: Json;
    after: Json;
    by_id: string | null;
    at: string;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  inspections: {
    id: string;
    organization_id: string;
    site_id: string | null;
    playbook_id: string | null;
    form_id: string;
    form_version_id: string;
    asset_id: string | null;
    title: string;
    status: 'scheduled' | 'in_progress' | 'finalised' | 'has_issues' | 'approved' | 'rejected' | 'closed';
    due_at: string | null;
    assigned_to: string | null;
    conducted_by: string | null;
    started_at: string | null;
    finished_at: string | null;
    received_at: string | null;
    score: number | null;
    score_max: number | null;
    result: 'pass' | 'fail' | null;
    signature: Json;
    signed_by: string | null;
    signed_at: string | null;
    content_hash: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    round: number;
    reviewed_by: string | null;
    reviewed_at: string | null;
    schedule_id: string | null;
    occurs_on: string | null;
    assigned_team: string | null;
    opens_at: string | null;
    closes_at: string | null;
    missed_at: string | null;
    signed_account: string | null;
    submitted_at: string | null;
    submitted_by: string | null;
  };
  issue_reports: {
    id: string;
    organization_id: string;
    site_id: string | null;
    asset_id: string | null;
    title: string;
    description: string | null;
    category: 'hazard' | 'injury' | 'near_miss' | 'damage' | 'environment' | 'security' | 'quality' | 'other';
    severity: 'low' | 'medium' | 'high' | 'critical';
    status: 'reported' | 'triaged' | 'acting' | 'resolved' | 'closed' | 'dismissed';
    location: string | null;
    media_ids: Json;
    is_anonymous: boolean;
    reported_by: string | null;
    reported_at: string;
    look_up_hash: string | null;
    answer: string | null;
    decided_at: string | null;
    decided_by: string | null;
    answered_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    source: 'app' | 'public_code';
    reference: string | null;
    submitted_at: string | null;
    submitted_by: string | null;
  };
  kiosk_acknowledgements: {
    id: string;
    organization_id: string;
    policy_id: string;
    version_id: string;
    user_id: string | null;
    witness_id: string | null;
    device: string;
    pass_id: string | null;
    decision: 'acknowledged' | 'declined';
    content_hash: string;
    opened_at: string;
    decided_at: string;
    sections_read: number;
    sections: number;
    method: 'typed' | 'drawn' | null;
    signed_name: string | null;
    signature: Json;
    reason: string | null;
    quiz_attempts: number;
    quiz_answers: Json;
    quiz_at: string | null;
    proof: 'pin' | 'witness' | null;
    outcome: 'counted' | 'void' | 'already' | 'not_owed' | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  media: {
    id: string;
    organization_id: string;
    site_id: string | null;
    inspection_id: string | null;
    question: string | null;
    kind: 'photo' | 'file';
    mime: string;
    bytes: number;
    sha256: string;
    width: number | null;
    height: number | null;
    state: 'pending' | 'complete';
    captured_at: string;
    captured_by: string | null;
    completed_at: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    drawn_on: string | null;
    duration_ms: number | null;
    audience: 'evidence.read' | 'policy.approve' | null;
    name: string | null;
    submitted_at: string | null;
    submitted_by: string | null;
  };
  note_keys: {
    id: string;
    user_id: string;
    by_password: Json;
    by_recovery: Json;
    made_at: string;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  notification_choices: {
    id: string;
    user_id: string;
    type: string;
    channel: 'app' | 'push' | 'email';
    cadence: 'off' | 'immediate' | 'daily';
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  notification_types: {
    id: string;
    key: string;
    module: string;
    class: 'normal' | 'safety' | 'security';
    private: boolean;
    setting: string | null;
    app: 'off' | 'immediate';
    push: 'off' | 'immediate' | 'daily';
    email: 'off' | 'immediate' | 'daily';
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  notifications: {
    id: string;
    user_id: string;
    organization_id: string | null;
    type: string;
    module: string;
    key: string;
    subject_id: string | null;
    params: Json;
    path: string;
    is_read: boolean;
    read_at: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  organization_activations: {
    id: string;
    organization_id: string;
    user_id: string;
    activation_source: string;
    activated_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  organization_members: {
    id: string;
    organization_id: string;
    user_id: string;
    role: 'admin' | 'manager' | 'member' | 'auditor';
    joined_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    valid_until: string | null;
    site_limited: boolean;
  };
  organizations: {
    id: string;
    name: string;
    slug: string;
    description: string | null;
    kind: 'company' | 'private';
    program_name: string | null;
    program_description: string | null;
    settings: Json;
    sample: boolean;
    created_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    plan: 'standard' | 'enterprise';
    allows_anonymous_reports: boolean;
  };
  pack_items: {
    id: string;
    organization_id: string;
    pack_id: string;
    version_id: string;
    pack_name: string;
    pack_number: string;
    publisher: string;
    licence: string;
    attribution: string | null;
    kind: 'policy' | 'form' | 'task';
    item_key: string;
    target_id: string;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  people: {
    id: string;
    display_name: string | null;
    avatar_url: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  playbook_members: {
    id: string;
    organization_id: string;
    playbook_id: string;
    user_id: string;
    role: 'admin' | 'member';
    joined_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  playbooks: {
    id: string;
    organization_id: string;
    name: string;
    description: string | null;
    type: 'company' | 'personal';
    locations: Json;
    settings: Json;
    owner_id: string;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    archived_at: string | null;
  };
  poams: {
    id: string;
    organization_id: string;
    title: string;
    edition: string | null;
    source_id: string;
    state: 'followed' | 'put_away';
    document: string;
    created_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  policies: {
    id: string;
    organization_id: string;
    title: string;
    code: string | null;
    summary: string | null;
    classification: 'public' | 'internal' | 'confidential';
    owner_id: string | null;
    review_by: string | null;
    review_months: number | null;
    state: 'draft' | 'published' | 'archived';
    current_version_id: string | null;
    current_major: number | null;
    major_since: string | null;
    archived_at: string | null;
    created_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  policy_acknowledgements: {
    id: string;
    organization_id: string;
    policy_id: string;
    version_id: string;
    user_id: string | null;
    state: 'opened' | 'acknowledged' | 'declined' | 'exempt' | 'void';
    content_hash: string | null;
    opened_at: string;
    sections_read: number;
    sections: number;
    method: 'typed' | 'drawn' | null;
    signed_name: string | null;
    signature: Json;
    reason: string | null;
    decided_at: string | null;
    received_at: string | null;
    exempted_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    certificate_code: string | null;
    requested_at: string | null;
    quiz_attempts: number;
    quiz_answers: Json;
    quiz_at: string | null;
    quiz_right: number | null;
    quiz_needed: number | null;
    witness_id: string | null;
    proof: 'pin' | 'witness' | null;
    device: string | null;
    account_name: string | null;
    witness_name: string | null;
    declined_reason: string | null;
    declined_at: string | null;
  };
  policy_variables: {
    id: string;
    organization_id: string;
    key: string;
    value: string;
    created_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  policy_versions: {
    id: string;
    organization_id: string;
    policy_id: string;
    state: 'draft' | 'in_review' | 'change_requested' | 'approved' | 'published' | 'superseded' | 'archived';
    change: 'major' | 'minor';
    major: number | null;
    minor: number | null;
    title: string;
    body: string;
    changelog: string | null;
    content_hash: string;
    based_on_id: string | null;
    source: 'written' | 'markdown' | 'seed' | 'pack' | 'file';
    approval_id: string | null;
    approved_at: string | null;
    published_at: string | null;
    published_by: string | null;
    superseded_at: string | null;
    editing_by: string | null;
    editing_since: string | null;
    created_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    quiz: string | null;
    variables: Json;
    template: Json;
    file: Json;
  };
  presence_entries: {
    id: string;
    organization_id: string;
    site_id: string | null;
    conductor_id: string | null;
    inspection_id: string;
    strand: string;
    position: number;
    body: string;
    hash: string;
    by_id: string | null;
    received_at: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    submitted_at: string | null;
    submitted_by: string | null;
  };
  profiles: {
    id: string;
    email: string | null;
    full_name: string | null;
    display_name: string | null;
    job_title: string | null;
    phone: string | null;
    bio: string | null;
    avatar_url: string | null;
    locale: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    emergency_contact_name: string | null;
    emergency_contact_phone: string | null;
  };
  record_follows: {
    id: string;
    organization_id: string;
    user_id: string;
    subject_table: 'inspections' | 'action_items' | 'tasks' | 'issue_reports' | 'policy_versions' | 'findings';
    subject_id: string;
    is_following: boolean;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  recurrence_decisions: {
    id: string;
    organization_id: string;
    site_id: string | null;
    about: string;
    decision: 'measure' | 'dismissed';
    action_id: string | null;
    changes: 'policy' | 'training' | null;
    reason: string | null;
    source_ids: Json;
    decided_at: string;
    created_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  role_permissions: {
    id: string;
    role_kind: 'system' | 'organization' | 'circle';
    role: string;
    permission: string;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  schedules: {
    id: string;
    organization_id: string;
    site_id: string | null;
    playbook_id: string | null;
    form_id: string;
    asset_id: string | null;
    title: string;
    assigned_to: string | null;
    assigned_team: string | null;
    recurrence: string;
    start_day: string;
    due_time: string;
    zone: string;
    based_on: 'scheduled' | 'completed';
    opens_minutes: number | null;
    closes_minutes: number | null;
    state: 'active' | 'paused' | 'ended';
    active_since: string;
    created_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  site_maps: {
    id: string;
    organization_id: string;
    site_id: string;
    media_id: string;
    name: string;
    bytes: number;
    tiles: 'vector' | 'image';
    west: number;
    south: number;
    east: number;
    north: number;
    min_zoom: number;
    max_zoom: number;
    attribution: string;
    created_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  site_members: {
    id: string;
    organization_id: string;
    site_id: string;
    user_id: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  sites: {
    id: string;
    organization_id: string;
    name: string;
    address: string | null;
    timezone: string;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  subscription_tiers: {
    id: string;
    tier: 'personal_consumer' | 'personal_creator' | 'company_enterprise';
    can_create_content: boolean;
    can_access_marketplace: boolean;
    can_earn_revenue: boolean;
    has_subscription: boolean;
    media_search_quota: number;
    media_sources: Json;
    auto_recommendations: boolean;
    video_generation: boolean;
    monthly_video_credits: number;
    can_buy_credits: boolean;
    can_enhance_videos: boolean;
    auto_transcribe: boolean;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  subscriptions: {
    id: string;
    tier: 'personal_consumer' | 'personal_creator' | 'company_enterprise';
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  task_items: {
    id: string;
    organization_id: string;
    task_id: string;
    title: string;
    required: boolean;
    position: number;
    done_at: string | null;
    done_by: string | null;
    created_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    submitted_at: string | null;
    submitted_by: string | null;
  };
  task_series: {
    id: string;
    organization_id: string;
    site_id: string | null;
    playbook_id: string | null;
    title: string;
    notes: string | null;
    priority: 'none' | 'low' | 'medium' | 'high' | 'urgent';
    assignee_id: string | null;
    reviewer_id: string | null;
    labels: Json;
    estimate_minutes: number | null;
    evidence_required: boolean;
    steps: Json;
    recurrence: string;
    start_day: string;
    due_time: string | null;
    zone: string;
    based_on: 'scheduled' | 'completed';
    state: 'active' | 'ended';
    active_since: string;
    created_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    submitted_at: string | null;
    submitted_by: string | null;
  };
  task_views: {
    id: string;
    user_id: string;
    name: string;
    filter: Json;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  tasks: {
    id: string;
    organization_id: string;
    site_id: string | null;
    playbook_id: string | null;
    parent_id: string | null;
    title: string;
    notes: string | null;
    status: 'todo' | 'in_progress' | 'blocked' | 'in_review' | 'done' | 'reopened' | 'not_applicable' | 'cancelled';
    status_reason: string | null;
    priority: 'none' | 'low' | 'medium' | 'high' | 'urgent';
    due_day: string | null;
    due_time: string | null;
    due_zone: string | null;
    due_at: string | null;
    start_day: string | null;
    assignee_id: string | null;
    reviewer_id: string | null;
    watcher_ids: Json;
    labels: Json;
    needs_ids: Json;
    estimate_minutes: number | null;
    evidence_required: boolean;
    media_ids: Json;
    source_type: 'manual' | 'import' | 'inspection' | 'issue_report' | 'policy' | 'action_item';
    source_id: string | null;
    ended_at: string | null;
    ended_by: string | null;
    created_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    series_id: string | null;
    occurs_on: string | null;
    is_exception: boolean;
    external_id: string | null;
    submitted_at: string | null;
    submitted_by: string | null;
  };
  team_members: {
    id: string;
    organization_id: string;
    team_id: string;
    user_id: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  teams: {
    id: string;
    organization_id: string;
    site_id: string | null;
    name: string;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  triad_brief_copies: {
    id: string;
    brief_id: string;
    relationship_id: string;
    subject_id: string;
    helper_id: string;
    week: string;
    lines: Json;
    sent_at: string;
    taken_back_at: string | null;
    is_open: boolean;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  triad_brief_lines: {
    id: string;
    brief_id: string;
    subject_id: string;
    grant_id: string;
    scope: string;
    level: string;
    kind: 'goals' | 'habits' | 'wellness' | 'week' | 'tasks';
    position: number;
    figures: Json;
    item_ids: Json;
    wording: string | null;
    is_left_out: boolean;
    is_approved: boolean;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  triad_briefs: {
    id: string;
    relationship_id: string;
    subject_id: string;
    operator_id: string;
    week: string;
    state: 'review' | 'approval' | 'sent' | 'kept' | 'withdrawn';
    reviewed_at: string | null;
    decided_at: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  user_preferences: {
    id: string;
    user_id: string;
    theme_mode: 'system' | 'light' | 'dark';
    email_notifications: boolean;
    text_notifications: boolean;
    notification_time: string;
    primary_color: string;
    language: string;
    timezone: string;
    date_format: string;
    time_format: '12h' | '24h';
    font_size: string;
    high_contrast: boolean;
    reduce_motion: boolean;
    sidebar_collapsed: boolean;
    show_activity_status: boolean;
    profile_visibility: 'public' | 'members' | 'private';
    quiet_hours_enabled: boolean;
    quiet_hours_start: string;
    quiet_hours_end: string;
    dashboard_layout: string;
    wellness_coach_avatar: string;
    custom_avatar_url: string | null;
    dashboard_config: Json;
    notification_settings: Json;
    preferred_playbook_type: 'company' | 'personal';
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    files_on_mobile_data: boolean;
    storage_limit_mb: number | null;
    week_start: 'auto' | 'monday' | 'saturday' | 'sunday';
    usage_analytics: boolean;
    strip_photo_location: boolean;
    photo_size: 'original' | 'large' | 'small';
    locale_chosen: boolean;
  };
  user_roles: {
    id: string;
    user_id: string;
    role: 'admin' | 'moderator' | 'partner' | 'manager' | 'user' | 'customer_support';
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  wellness_check_ins: {
    id: string;
    user_id: string;
    day: string;
    at: string;
    mood: number | null;
    energy: number | null;
    stress: number | null;
    sleep_hours: number | null;
    sleep_quality: number | null;
    tags: Json;
    note: string | null;
    skipped: 'no_time' | 'sick' | 'holiday' | 'rather_not' | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  wellness_settings: {
    id: string;
    user_id: string;
    check_in_at: string | null;
    quiet_until: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  workflow_rules: {
    id: string;
    organization_id: string;
    title: string;
    trigger: string;
    matching: 'all' | 'any';
    conditions: Json;
    steps: Json;
    is_on: boolean;
    on_since: string | null;
    acts_for: string | null;
    created_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
};

/** What a client writes: what the database fills or owns may be left out. */
export type Drafts = {
  acknowledgement_campaigns: {
    id: string;
    organization_id: string;
    policy_id: string;
    audience: Json;
    due_days?: number | null;
    state?: 'active' | 'ended';
    starts_at?: string;
    created_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    quiz_required?: boolean;
    quiz_right?: number | null;
  };
  action_items: {
    id: string;
    organization_id: string;
    site_id?: string | null;
    playbook_id?: string | null;
    title: string;
    description?: string | null;
    status?: 'open' | 'assigned' | 'in_progress' | 'ready_for_verification' | 'needs_revision' | 'closed' | 'risk_accepted' | 'duplicate' | 'not_valid';
    priority?: 'low' | 'medium' | 'high' | 'critical';
    due_at?: string | null;
    assignee_id?: string | null;
    source_type?: 'inspection' | 'manual' | 'issue_report' | 'poam' | 'finding' | null;
    source_id?: string | null;
    source_question?: string | null;
    asset_id?: string | null;
    media_ids?: Json;
    created_by?: string | null;
    closed_at?: string | null;
    closed_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    kind?: 'corrective' | 'preventive' | null;
    root_cause?: string | null;
    done_by?: string | null;
    check_on?: string | null;
    outcome?: 'effective' | 'not_effective' | null;
    outcome_note?: string | null;
    outcome_by?: string | null;
    outcome_at?: string | null;
    risk_until?: string | null;
    risk_reason?: string | null;
    escalation?: number;
    evidence_required?: boolean;
    submitted_at?: string | null;
    submitted_by?: string | null;
    source_fields?: Json;
  };
  approval_decisions: {
    id: string;
    organization_id: string;
    permission?: string;
    request_id: string;
    stage: number;
    approver_id?: string | null;
    decided_by?: string | null;
    delegation_id?: string | null;
    decision: 'approve' | 'reject' | 'request_change';
    reason?: string | null;
    at: string;
    counted_at?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  approval_delegations: {
    id: string;
    organization_id: string;
    from_id: string;
    to_id: string;
    starts_at: string;
    ends_at: string;
    reason?: string | null;
    revoked_at?: string | null;
    created_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  approval_requests: {
    id: string;
    organization_id?: string;
    permission?: string;
    subject_table?: 'policy_versions' | 'action_items' | 'workflow_runs';
    subject_id?: string;
    path?: string;
    title?: string;
    note?: string | null;
    stages?: Json;
    stage?: number;
    state?: 'pending' | 'approved' | 'rejected' | 'change_requested' | 'withdrawn';
    requested_by?: string | null;
    requested_at?: string;
    decided_at?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  assets: {
    id: string;
    organization_id: string;
    site_id?: string | null;
    parent_id?: string | null;
    name: string;
    category?: string | null;
    code?: string | null;
    location?: string | null;
    status?: 'operational' | 'standby' | 'down' | 'retired';
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    latitude?: number | null;
    longitude?: number | null;
    barcode?: string | null;
    serial_number?: string | null;
    manufacturer?: string | null;
    model?: string | null;
    notes?: string | null;
    tags?: Json;
    submitted_at?: string | null;
    submitted_by?: string | null;
  };
  circle_acts: {
    id: string;
    relationship_id: string;
    subject_id: string;
    helper_id: string;
    act: 'task_added' | 'task_done' | 'task_reopened';
    item_id: string;
    title: string;
    at?: string;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  circle_messages: {
    id: string;
    relationship_id: string;
    subject_id?: string;
    helper_id?: string;
    from_id: string;
    body: string;
    written_at: string;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  circle_relationships: {
    id: string;
    subject_id: string;
    helper_id: string;
    role: 'managed_admin' | 'mentor_coach' | 'triad_intelligence_operator' | 'accountability_partner';
    state?: 'active' | 'paused' | 'ended';
    started_at?: string;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    subject_name?: string | null;
    helper_name?: string | null;
    purpose?: string | null;
    cadence_days?: number | null;
  };
  circle_sessions: {
    id: string;
    relationship_id: string;
    subject_id?: string;
    helper_id?: string;
    author_id: string;
    at: string;
    state?: 'planned' | 'held' | 'cancelled' | 'missed';
    minutes?: number | null;
    note?: string;
    next_steps?: Json;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    reason?: string;
    concluded_by?: string | null;
  };
  cohort_consents: {
    id: string;
    user_id: string;
    employer_id: string;
    revoked_at?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  comments: {
    id: string;
    organization_id: string;
    subject_table: 'inspections' | 'action_items' | 'tasks' | 'issue_reports' | 'policy_versions' | 'findings';
    subject_id: string;
    question?: string | null;
    round?: number | null;
    body: string;
    mention_ids?: Json;
    media_ids?: Json;
    author_id?: string | null;
    written_at: string;
    resolved_at?: string | null;
    resolved_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    outside_name?: string | null;
    submitted_at?: string | null;
    submitted_by?: string | null;
  };
  consent_grants: {
    id: string;
    relationship_id: string;
    subject_id: string;
    helper_id?: string;
    role?: string;
    scope: string;
    level: string;
    item_ids?: Json;
    valid_from?: string;
    valid_until?: string | null;
    revoked_at?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  control_links: {
    id: string;
    organization_id: string;
    control_id: string;
    target_table: 'policies' | 'forms' | 'action_items';
    target_id: string;
    created_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  controls: {
    id: string;
    organization_id: string;
    framework_id: string;
    code: string;
    label: string;
    title: string;
    family: string;
    statement?: string;
    position: number;
    created_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  countersignatures: {
    id: string;
    grant_id: string;
    relationship_id?: string;
    subject_id?: string;
    helper_id: string;
    policy_id?: string;
    version_id: string;
    decision: 'signed' | 'declined';
    content_hash: string;
    method?: 'typed' | 'drawn' | null;
    signed_name?: string | null;
    signature?: Json;
    reason?: string;
    decided_at: string;
    received_at?: string;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    account_name?: string | null;
  };
  evidence: {
    id: string;
    organization_id: string;
    series_id: string;
    revision?: number;
    title: string;
    description?: string | null;
    owner_id?: string | null;
    period_from?: string | null;
    period_to?: string | null;
    effective_on?: string | null;
    expires_on?: string | null;
    media_ids?: Json;
    state?: 'collected' | 'sent_back' | 'accepted' | 'superseded' | 'withdrawn';
    review_note?: string | null;
    reviewed_by?: string | null;
    reviewed_at?: string | null;
    collected_at: string;
    received_at?: string;
    created_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    submitted_at?: string | null;
    submitted_by?: string | null;
  };
  evidence_links: {
    id: string;
    organization_id: string;
    evidence_id: string;
    owner_id?: string | null;
    target_table: 'policies' | 'action_items' | 'inspections' | 'controls';
    target_id: string;
    created_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    submitted_at?: string | null;
    submitted_by?: string | null;
  };
  findings: {
    id: string;
    organization_id: string;
    subject_table: 'controls' | 'policies' | 'evidence' | 'inspections';
    subject_id: string;
    title: string;
    body?: string;
    requirement?: string | null;
    severity?: 'observation' | 'minor' | 'major' | 'critical';
    state?: 'open' | 'answered' | 'closed' | 'reopened';
    owner_id?: string | null;
    answer?: string | null;
    answered_by?: string | null;
    answered_at?: string | null;
    verdict?: string | null;
    decided_by?: string | null;
    decided_at?: string | null;
    raised_by?: string | null;
    raised_at: string;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  form_drafts: {
    id: string;
    organization_id: string;
    form_id: string;
    definition?: Json;
    edited_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  form_pictures: {
    id: string;
    organization_id: string;
    name: string;
    width: number;
    height: number;
    data: string;
    created_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  form_versions: {
    id: string;
    organization_id: string;
    form_id: string;
    number: number;
    definition: Json;
    source?: 'builder' | 'xlsform' | 'xform' | 'json' | 'seed';
    created_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    changes?: string | null;
  };
  forms: {
    id: string;
    organization_id: string;
    playbook_id?: string | null;
    name: string;
    description?: string | null;
    category?: string | null;
    asset_category?: string | null;
    minutes?: number | null;
    state?: 'draft' | 'published' | 'archived';
    current_version_id?: string | null;
    created_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  frameworks: {
    id: string;
    organization_id: string;
    title: string;
    edition?: string | null;
    source_id?: string | null;
    created_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  goal_check_ins: {
    id: string;
    user_id: string;
    goal_id: string;
    day: string;
    at: string;
    value?: number | null;
    progress?: number | null;
    confidence?: number | null;
    obstacle?: string | null;
    next_step?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  goal_links: {
    id: string;
    user_id: string;
    goal_id: string;
    kind: 'habit' | 'action';
    item_id: string;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  goal_milestones: {
    id: string;
    user_id: string;
    goal_id: string;
    title: string;
    due_on?: string | null;
    done_on?: string | null;
    position?: number;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  goal_pauses: {
    id: string;
    user_id: string;
    goal_id: string;
    from_day: string;
    until_day?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  goals: {
    id: string;
    user_id: string;
    area: 'health-wellness-foundation' | 'career-growth-essentials' | 'personal-development-basics' | 'financial-literacy' | 'relationship-building' | 'mindfulness-focus';
    title: string;
    why?: string | null;
    metric?: string | null;
    unit?: string | null;
    baseline?: number | null;
    target?: number | null;
    due_on?: string | null;
    difficulty?: 'easy' | 'steady' | 'hard' | null;
    state?: 'draft' | 'active' | 'paused' | 'achieved' | 'revised' | 'dropped';
    started_on?: string | null;
    ended_on?: string | null;
    learned?: string | null;
    follows_id?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  grant_reads: {
    id: string;
    grant_id: string;
    relationship_id?: string;
    subject_id?: string;
    helper_id: string;
    scope?: string;
    level?: string;
    offline?: boolean;
    read_at: string;
    received_at?: string;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    brief_id?: string | null;
    times?: number;
  };
  habit_entries: {
    id: string;
    user_id: string;
    habit_id: string;
    day: string;
    value: 'done' | 'no' | 'skip' | 'unknown';
    amount?: number | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  habit_pauses: {
    id: string;
    user_id: string;
    habit_id?: string | null;
    from_day: string;
    until_day?: string | null;
    reason?: 'sick' | 'holiday' | 'other';
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  habits: {
    id: string;
    user_id: string;
    name: string;
    question?: string | null;
    kind?: 'yes_no' | 'number';
    unit?: string | null;
    target?: number | null;
    target_kind?: 'at_least' | 'at_most';
    times?: number;
    per_days?: number;
    position?: number;
    started_on: string;
    archived_at?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    remind_at?: string | null;
  };
  inspection_answers: {
    id: string;
    organization_id: string;
    site_id?: string | null;
    inspection_id: string;
    question: string;
    value?: Json;
    outcome?: 'pass' | 'fail' | 'na' | null;
    score?: number | null;
    score_max?: number | null;
    note?: string | null;
    media_ids?: Json;
    answered_by?: string | null;
    answered_at?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    voice_ids?: Json;
    submitted_at?: string | null;
    submitted_by?: string | null;
  };
  inspection_events: {
    id: string;
    organization_id?: string;
    site_id?: string | null;
    conductor_id?: string | null;
    inspection_id?: string;
    kind?: 'state' | 'answer' | 'signature';
    question?: string | null;
    before?: Json;
    after?: Json;
    by_id?: string | null;
    at?: string;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  inspections: {
    id: string;
    organization_id: string;
    site_id?: string | null;
    playbook_id?: string | null;
    form_id: string;
    form_version_id: string;
    asset_id?: string | null;
    title: string;
    status?: 'scheduled' | 'in_progress' | 'finalised' | 'has_issues' | 'approved' | 'rejected' | 'closed';
    due_at?: string | null;
    assigned_to?: string | null;
    conducted_by?: string | null;
    started_at?: string | null;
    finished_at?: string | null;
    received_at?: string | null;
    score?: number | null;
    score_max?: number | null;
    result?: 'pass' | 'fail' | null;
    signature?: Json;
    signed_by?: string | null;
    signed_at?: string | null;
    content_hash?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    round?: number;
    reviewed_by?: string | null;
    reviewed_at?: string | null;
    schedule_id?: string | null;
    occurs_on?: string | null;
    assigned_team?: string | null;
    opens_at?: string | null;
    closes_at?: string | null;
    missed_at?: string | null;
    signed_account?: string | null;
    submitted_at?: string | null;
    submitted_by?: string | null;
  };
  issue_reports: {
    id: string;
    organization_id: string;
    site_id?: string | null;
    asset_id?: string | null;
    title: string;
    description?: string | null;
    category?: 'hazard' | 'injury' | 'near_miss' | 'damage' | 'environment' | 'security' | 'quality' | 'other';
    severity?: 'low' | 'medium' | 'high' | 'critical';
    status?: 'reported' | 'triaged' | 'acting' | 'resolved' | 'closed' | 'dismissed';
    location?: string | null;
    media_ids?: Json;
    is_anonymous?: boolean;
    reported_by?: string | null;
    reported_at?: string;
    look_up_hash?: string | null;
    answer?: string | null;
    decided_at?: string | null;
    decided_by?: string | null;
    answered_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    source?: 'app' | 'public_code';
    reference?: string | null;
    submitted_at?: string | null;
    submitted_by?: string | null;
  };
  kiosk_acknowledgements: {
    id: string;
    organization_id: string;
    policy_id: string;
    version_id: string;
    user_id?: string | null;
    witness_id?: string | null;
    device?: string;
    pass_id?: string | null;
    decision: 'acknowledged' | 'declined';
    content_hash: string;
    opened_at: string;
    decided_at: string;
    sections_read?: number;
    sections?: number;
    method?: 'typed' | 'drawn' | null;
    signed_name?: string | null;
    signature?: Json;
    reason?: string | null;
    quiz_attempts?: number;
    quiz_answers?: Json;
    quiz_at?: string | null;
    proof?: 'pin' | 'witness' | null;
    outcome?: 'counted' | 'void' | 'already' | 'not_owed' | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  media: {
    id: string;
    organization_id: string;
    site_id?: string | null;
    inspection_id?: string | null;
    question?: string | null;
    kind?: 'photo' | 'file';
    mime: string;
    bytes: number;
    sha256: string;
    width?: number | null;
    height?: number | null;
    state?: 'pending' | 'complete';
    captured_at: string;
    captured_by?: string | null;
    completed_at?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    drawn_on?: string | null;
    duration_ms?: number | null;
    audience?: 'evidence.read' | 'policy.approve' | null;
    name?: string | null;
    submitted_at?: string | null;
    submitted_by?: string | null;
  };
  note_keys: {
    id: string;
    user_id: string;
    by_password?: Json;
    by_recovery: Json;
    made_at: string;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  notification_choices: {
    id: string;
    user_id: string;
    type: string;
    channel: 'app' | 'push' | 'email';
    cadence: 'off' | 'immediate' | 'daily';
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  notification_types: {
    id: string;
    key?: string;
    module?: string;
    class?: 'normal' | 'safety' | 'security';
    private?: boolean;
    setting?: string | null;
    app?: 'off' | 'immediate';
    push?: 'off' | 'immediate' | 'daily';
    email?: 'off' | 'immediate' | 'daily';
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  notifications: {
    id: string;
    user_id?: string;
    organization_id?: string | null;
    type?: string;
    module?: string;
    key?: string;
    subject_id?: string | null;
    params?: Json;
    path?: string;
    is_read?: boolean;
    read_at?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  organization_activations: {
    id: string;
    organization_id: string;
    user_id: string;
    activation_source: string;
    activated_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  organization_members: {
    id: string;
    organization_id: string;
    user_id: string;
    role?: 'admin' | 'manager' | 'member' | 'auditor';
    joined_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    valid_until?: string | null;
    site_limited?: boolean;
  };
  organizations: {
    id: string;
    name: string;
    slug?: string;
    description?: string | null;
    kind?: 'company' | 'private';
    program_name?: string | null;
    program_description?: string | null;
    settings?: Json;
    sample?: boolean;
    created_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    plan?: 'standard' | 'enterprise';
    allows_anonymous_reports?: boolean;
  };
  pack_items: {
    id: string;
    organization_id: string;
    pack_id: string;
    version_id: string;
    pack_name: string;
    pack_number: string;
    publisher: string;
    licence: string;
    attribution?: string | null;
    kind: 'policy' | 'form' | 'task';
    item_key: string;
    target_id: string;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  people: {
    id: string;
    display_name?: string | null;
    avatar_url?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  playbook_members: {
    id: string;
    organization_id: string;
    playbook_id: string;
    user_id: string;
    role?: 'admin' | 'member';
    joined_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  playbooks: {
    id: string;
    organization_id: string;
    name: string;
    description?: string | null;
    type?: 'company' | 'personal';
    locations?: Json;
    settings?: Json;
    owner_id?: string;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    archived_at?: string | null;
  };
  poams: {
    id: string;
    organization_id: string;
    title: string;
    edition?: string | null;
    source_id: string;
    state?: 'followed' | 'put_away';
    document: string;
    created_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  policies: {
    id: string;
    organization_id: string;
    title: string;
    code?: string | null;
    summary?: string | null;
    classification?: 'public' | 'internal' | 'confidential';
    owner_id?: string | null;
    review_by?: string | null;
    review_months?: number | null;
    state?: 'draft' | 'published' | 'archived';
    current_version_id?: string | null;
    current_major?: number | null;
    major_since?: string | null;
    archived_at?: string | null;
    created_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  policy_acknowledgements: {
    id: string;
    organization_id: string;
    policy_id: string;
    version_id: string;
    user_id?: string | null;
    state?: 'opened' | 'acknowledged' | 'declined' | 'exempt' | 'void';
    content_hash?: string | null;
    opened_at: string;
    sections_read?: number;
    sections?: number;
    method?: 'typed' | 'drawn' | null;
    signed_name?: string | null;
    signature?: Json;
    reason?: string | null;
    decided_at?: string | null;
    received_at?: string | null;
    exempted_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    certificate_code?: string | null;
    requested_at?: string | null;
    quiz_attempts?: number;
    quiz_answers?: Json;
    quiz_at?: string | null;
    quiz_right?: number | null;
    quiz_needed?: number | null;
    witness_id?: string | null;
    proof?: 'pin' | 'witness' | null;
    device?: string | null;
    account_name?: string | null;
    witness_name?: string | null;
    declined_reason?: string | null;
    declined_at?: string | null;
  };
  policy_variables: {
    id: string;
    organization_id: string;
    key: string;
    value?: string;
    created_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  policy_versions: {
    id: string;
    organization_id: string;
    policy_id: string;
    state?: 'draft' | 'in_review' | 'change_requested' | 'approved' | 'published' | 'superseded' | 'archived';
    change?: 'major' | 'minor';
    major?: number | null;
    minor?: number | null;
    title: string;
    body?: string;
    changelog?: string | null;
    content_hash?: string;
    based_on_id?: string | null;
    source?: 'written' | 'markdown' | 'seed' | 'pack' | 'file';
    approval_id?: string | null;
    approved_at?: string | null;
    published_at?: string | null;
    published_by?: string | null;
    superseded_at?: string | null;
    editing_by?: string | null;
    editing_since?: string | null;
    created_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    quiz?: string | null;
    variables?: Json;
    template?: Json;
    file?: Json;
  };
  presence_entries: {
    id: string;
    organization_id: string;
    site_id?: string | null;
    conductor_id?: string | null;
    inspection_id: string;
    strand: string;
    position: number;
    body: string;
    hash: string;
    by_id?: string | null;
    received_at?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    submitted_at?: string | null;
    submitted_by?: string | null;
  };
  profiles: {
    id: string;
    email?: string | null;
    full_name?: string | null;
    display_name?: string | null;
    job_title?: string | null;
    phone?: string | null;
    bio?: string | null;
    avatar_url?: string | null;
    locale?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    emergency_contact_name?: string | null;
    emergency_contact_phone?: string | null;
  };
  record_follows: {
    id: string;
    organization_id: string;
    user_id: string;
    subject_table: 'inspections' | 'action_items' | 'tasks' | 'issue_reports' | 'policy_versions' | 'findings';
    subject_id: string;
    is_following?: boolean;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  recurrence_decisions: {
    id: string;
    organization_id: string;
    site_id?: string | null;
    about: string;
    decision: 'measure' | 'dismissed';
    action_id?: string | null;
    changes?: 'policy' | 'training' | null;
    reason?: string | null;
    source_ids: Json;
    decided_at: string;
    created_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  role_permissions: {
    id: string;
    role_kind?: 'system' | 'organization' | 'circle';
    role?: string;
    permission?: string;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  schedules: {
    id: string;
    organization_id: string;
    site_id?: string | null;
    playbook_id?: string | null;
    form_id: string;
    asset_id?: string | null;
    title: string;
    assigned_to?: string | null;
    assigned_team?: string | null;
    recurrence: string;
    start_day: string;
    due_time: string;
    zone: string;
    based_on?: 'scheduled' | 'completed';
    opens_minutes?: number | null;
    closes_minutes?: number | null;
    state?: 'active' | 'paused' | 'ended';
    active_since?: string;
    created_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  site_maps: {
    id: string;
    organization_id: string;
    site_id: string;
    media_id: string;
    name: string;
    bytes: number;
    tiles: 'vector' | 'image';
    west: number;
    south: number;
    east: number;
    north: number;
    min_zoom: number;
    max_zoom: number;
    attribution?: string;
    created_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  site_members: {
    id: string;
    organization_id: string;
    site_id: string;
    user_id: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  sites: {
    id: string;
    organization_id: string;
    name: string;
    address?: string | null;
    timezone?: string;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  subscription_tiers: {
    id: string;
    tier: 'personal_consumer' | 'personal_creator' | 'company_enterprise';
    can_create_content: boolean;
    can_access_marketplace: boolean;
    can_earn_revenue: boolean;
    has_subscription: boolean;
    media_search_quota: number;
    media_sources: Json;
    auto_recommendations: boolean;
    video_generation: boolean;
    monthly_video_credits: number;
    can_buy_credits: boolean;
    can_enhance_videos: boolean;
    auto_transcribe: boolean;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  subscriptions: {
    id: string;
    tier?: 'personal_consumer' | 'personal_creator' | 'company_enterprise';
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  task_items: {
    id: string;
    organization_id: string;
    task_id: string;
    title: string;
    required?: boolean;
    position?: number;
    done_at?: string | null;
    done_by?: string | null;
    created_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    submitted_at?: string | null;
    submitted_by?: string | null;
  };
  task_series: {
    id: string;
    organization_id: string;
    site_id?: string | null;
    playbook_id?: string | null;
    title: string;
    notes?: string | null;
    priority?: 'none' | 'low' | 'medium' | 'high' | 'urgent';
    assignee_id?: string | null;
    reviewer_id?: string | null;
    labels?: Json;
    estimate_minutes?: number | null;
    evidence_required?: boolean;
    steps?: Json;
    recurrence: string;
    start_day: string;
    due_time?: string | null;
    zone: string;
    based_on?: 'scheduled' | 'completed';
    state?: 'active' | 'ended';
    active_since?: string;
    created_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    submitted_at?: string | null;
    submitted_by?: string | null;
  };
  task_views: {
    id: string;
    user_id: string;
    name: string;
    filter?: Json;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  tasks: {
    id: string;
    organization_id: string;
    site_id?: string | null;
    playbook_id?: string | null;
    parent_id?: string | null;
    title: string;
    notes?: string | null;
    status?: 'todo' | 'in_progress' | 'blocked' | 'in_review' | 'done' | 'reopened' | 'not_applicable' | 'cancelled';
    status_reason?: string | null;
    priority?: 'none' | 'low' | 'medium' | 'high' | 'urgent';
    due_day?: string | null;
    due_time?: string | null;
    due_zone?: string | null;
    due_at?: string | null;
    start_day?: string | null;
    assignee_id?: string | null;
    reviewer_id?: string | null;
    watcher_ids?: Json;
    labels?: Json;
    needs_ids?: Json;
    estimate_minutes?: number | null;
    evidence_required?: boolean;
    media_ids?: Json;
    source_type?: 'manual' | 'import' | 'inspection' | 'issue_report' | 'policy' | 'action_item';
    source_id?: string | null;
    ended_at?: string | null;
    ended_by?: string | null;
    created_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    series_id?: string | null;
    occurs_on?: string | null;
    is_exception?: boolean;
    external_id?: string | null;
    submitted_at?: string | null;
    submitted_by?: string | null;
  };
  team_members: {
    id: string;
    organization_id: string;
    team_id: string;
    user_id: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  teams: {
    id: string;
    organization_id: string;
    site_id?: string | null;
    name: string;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  triad_brief_copies: {
    id: string;
    brief_id: string;
    relationship_id: string;
    subject_id: string;
    helper_id: string;
    week: string;
    lines: Json;
    sent_at?: string;
    taken_back_at?: string | null;
    is_open?: boolean;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  triad_brief_lines: {
    id: string;
    brief_id: string;
    subject_id: string;
    grant_id: string;
    scope: string;
    level: string;
    kind: 'goals' | 'habits' | 'wellness' | 'week' | 'tasks';
    position: number;
    figures: Json;
    item_ids?: Json;
    wording?: string | null;
    is_left_out?: boolean;
    is_approved?: boolean;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  triad_briefs: {
    id: string;
    relationship_id: string;
    subject_id: string;
    operator_id: string;
    week: string;
    state?: 'review' | 'approval' | 'sent' | 'kept' | 'withdrawn';
    reviewed_at?: string | null;
    decided_at?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  user_preferences: {
    id: string;
    user_id: string;
    theme_mode?: 'system' | 'light' | 'dark';
    email_notifications?: boolean;
    text_notifications?: boolean;
    notification_time?: string;
    primary_color?: string;
    language?: string;
    timezone?: string;
    date_format?: string;
    time_format?: '12h' | '24h';
    font_size?: string;
    high_contrast?: boolean;
    reduce_motion?: boolean;
    sidebar_collapsed?: boolean;
    show_activity_status?: boolean;
    profile_visibility?: 'public' | 'members' | 'private';
    quiet_hours_enabled?: boolean;
    quiet_hours_start?: string;
    quiet_hours_end?: string;
    dashboard_layout?: string;
    wellness_coach_avatar?: string;
    custom_avatar_url?: string | null;
    dashboard_config?: Json;
    notification_settings?: Json;
    preferred_playbook_type?: 'company' | 'personal';
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    files_on_mobile_data?: boolean;
    storage_limit_mb?: number | null;
    week_start?: 'auto' | 'monday' | 'saturday' | 'sunday';
    usage_analytics?: boolean;
    strip_photo_location?: boolean;
    photo_size?: 'original' | 'large' | 'small';
    locale_chosen?: boolean;
  };
  user_roles: {
    id: string;
    user_id: string;
    role: 'admin' | 'moderator' | 'partner' | 'manager' | 'user' | 'customer_support';
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  wellness_check_ins: {
    id: string;
    user_id: string;
    day: string;
    at: string;
    mood?: number | null;
    energy?: number | null;
    stress?: number | null;
    sleep_hours?: number | null;
    sleep_quality?: number | null;
    tags?: Json;
    note?: string | null;
    skipped?: 'no_time' | 'sick' | 'holiday' | 'rather_not' | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  wellness_settings: {
    id: string;
    user_id: string;
    check_in_at?: string | null;
    quiet_until?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  workflow_rules: {
    id: string;
    organization_id: string;
    title: string;
    trigger: string;
    matching?: 'all' | 'any';
    conditions?: Json;
    steps?: Json;
    is_on?: boolean;
    on_since?: string | null;
    acts_for?: string | null;
    created_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
};

export type TableName = keyof Tables;

/** Every column a device gets. */
export const columns: Record<TableName, readonly string[]> = {
  acknowledgement_campaigns: ["id","organization_id","policy_id","audience","due_days","state","starts_at","created_by","created_at","updated_at","deleted_at","version","quiz_required","quiz_right"],
  action_items: ["id","organization_id","site_id","playbook_id","title","description","status","priority","due_at","assignee_id","source_type","source_id","source_question","asset_id","media_ids","created_by","closed_at","closed_by","created_at","updated_at","deleted_at","version","kind","root_cause","done_by","check_on","outcome","outcome_note","outcome_by","outcome_at","risk_until","risk_reason","escalation","evidence_required","submitted_at","submitted_by","source_fields"],
  approval_decisions: ["id","organization_id","permission","request_id","stage","approver_id","decided_by","delegation_id","decision","reason","at","counted_at","created_at","updated_at","deleted_at","version"],
  approval_delegations: ["id","organization_id","from_id","to_id","starts_at","ends_at","reason","revoked_at","created_by","created_at","updated_at","deleted_at","version"],
  approval_requests: ["id","organization_id","permission","subject_table","subject_id","path","title","note","stages","stage","state","requested_by","requested_at","decided_at","created_at","updated_at","deleted_at","version"],
  assets: ["id","organization_id","site_id","parent_id","name","category","code","location","status","created_at","updated_at","deleted_at","version","latitude","longitude","barcode","serial_number","manufacturer","model","notes","tags","submitted_at","submitted_by"],
  circle_acts: ["id","relationship_id","subject_id","helper_id","act","item_id","title","at","created_at","updated_at","deleted_at","version"],
  circle_messages: ["id","relationship_id","subject_id","helper_id","from_id","body","written_at","created_at","updated_at","deleted_at","version"],
  circle_relationships: ["id","subject_id","helper_id","role","state","started_at","created_at","updated_at","deleted_at","version","subject_name","helper_name","purpose","cadence_days"],
  circle_sessions: ["id","relationship_id","subject_id","helper_id","author_id","at","state","minutes","note","next_steps","created_at","updated_at","deleted_at","version","reason","concluded_by"],
  cohort_consents: ["id","user_id","employer_id","revoked_at","created_at","updated_at","deleted_at","version"],
  comments: ["id","organization_id","subject_table","subject_id","question","round","body","mention_ids","media_ids","author_id","written_at","resolved_at","resolved_by","created_at","updated_at","deleted_at","version","outside_name","submitted_at","submitted_by"],
  consent_grants: ["id","relationship_id","subject_id","helper_id","role","scope","level","item_ids","valid_from","valid_until","revoked_at","created_at","updated_at","deleted_at","version"],
  control_links: ["id","organization_id","control_id","target_table","target_id","created_by","created_at","updated_at","deleted_at","version"],
  controls: ["id","organization_id","framework_id","code","label","title","family","statement","position","created_by","created_at","updated_at","deleted_at","version"],
  countersignatures: ["id","grant_id","relationship_id","subject_id","helper_id","policy_id","version_id","decision","content_hash","method","signed_name","signature","reason","decided_at","received_at","created_at","updated_at","deleted_at","version","account_name"],
  evidence: ["id","organization_id","series_id","revision","title","description","owner_id","period_from","period_to","effective_on","expires_on","media_ids","state","review_note","reviewed_by","reviewed_at","collected_at","received_at","created_by","created_at","updated_at","deleted_at","version","submitted_at","submitted_by"],
  evidence_links: ["id","organization_id","evidence_id","owner_id","target_table","target_id","created_by","created_at","updated_at","deleted_at","version","submitted_at","submitted_by"],
  findings: ["id","organization_id","subject_table","subject_id","title","body","requirement","severity","state","owner_id","answer","answered_by","answered_at","verdict","decided_by","decided_at","raised_by","raised_at","created_at","updated_at","deleted_at","version"],
  form_drafts: ["id","organization_id","form_id","definition","edited_by","created_at","updated_at","deleted_at","version"],
  form_pictures: ["id","organization_id","name","width","height","data","created_by","created_at","updated_at","deleted_at","version"],
  form_versions: ["id","organization_id","form_id","number","definition","source","created_by","created_at","updated_at","deleted_at","version","changes"],
  forms: ["id","organization_id","playbook_id","name","description","category","asset_category","minutes","state","current_version_id","created_by","created_at","updated_at","deleted_at","version"],
  frameworks: ["id","organization_id","title","edition","source_id","created_by","created_at","updated_at","deleted_at","version"],
  goal_check_ins: ["id","user_id","goal_id","day","at","value","progress","confidence","obstacle","next_step","created_at","updated_at","deleted_at","version"],
  goal_links: ["id","user_id","goal_id","kind","item_id","created_at","updated_at","deleted_at","version"],
  goal_milestones: ["id","user_id","goal_id","title","due_on","done_on","position","created_at","updated_at","deleted_at","version"],
  goal_pauses: ["id","user_id","goal_id","from_day","until_day","created_at","updated_at","deleted_at","version"],
  goals: ["id","user_id","area","title","why","metric","unit","baseline","target","due_on","difficulty","state","started_on","ended_on","learned","follows_id","created_at","updated_at","deleted_at","version"],
  grant_reads: ["id","grant_id","relationship_id","subject_id","helper_id","scope","level","offline","read_at","received_at","created_at","updated_at","deleted_at","version","brief_id","times"],
  habit_entries: ["id","user_id","habit_id","day","value","amount","created_at","updated_at","deleted_at","version"],
  habit_pauses: ["id","user_id","habit_id","from_day","until_day","reason","created_at","updated_at","deleted_at","version"],
  habits: ["id","user_id","name","question","kind","unit","target","target_kind","times","per_days","position","started_on","archived_at","created_at","updated_at","deleted_at","version","remind_at"],
  inspection_answers: ["id","organization_id","site_id","inspection_id","question","value","outcome","score","score_max","note","media_ids","answered_by","answered_at","created_at","updated_at","deleted_at","version","voice_ids","submitted_at","submitted_by"],
  inspection_events: ["id","organization_id","site_id","conductor_id","inspection_id","kind","question","before","after","by_id","at","created_at","updated_at","deleted_at","version"],
  inspections: ["id","organization_id","site_id","playbook_id","form_id","form_version_id","asset_id","title","status","due_at","assigned_to","conducted_by","started_at","finished_at","received_at","score","score_max","result","signature","signed_by","signed_at","content_hash","created_at","updated_at","deleted_at","version","round","reviewed_by","reviewed_at","schedule_id","occurs_on","assigned_team","opens_at","closes_at","missed_at","signed_account","submitted_at","submitted_by"],
  issue_reports: ["id","organization_id","site_id","asset_id","title","description","category","severity","status","location","media_ids","is_anonymous","reported_by","reported_at","look_up_hash","answer","decided_at","decided_by","answered_by","created_at","updated_at","deleted_at","version","source","reference","submitted_at","submitted_by"],
  kiosk_acknowledgements: ["id","organization_id","policy_id","version_id","user_id","witness_id","device","pass_id","decision","content_hash","opened_at","decided_at","sections_read","sections","method","signed_name","signature","reason","quiz_attempts","quiz_answers","quiz_at","proof","outcome","created_at","updated_at","deleted_at","version"],
  media: ["id","organization_id","site_id","inspection_id","question","kind","mime","bytes","sha256","width","height","state","captured_at","captured_by","completed_at","created_at","updated_at","deleted_at","version","drawn_on","duration_ms","audience","name","submitted_at","submitted_by"],
  note_keys: ["id","user_id","by_password","by_recovery","made_at","created_at","updated_at","deleted_at","version"],
  notification_choices: ["id","user_id","type","channel","cadence","created_at","updated_at","deleted_at","version"],
  notification_types: ["id","key","module","class","private","setting","app","push","email","created_at","updated_at","deleted_at","version"],
  notifications: ["id","user_id","organization_id","type","module","key","subject_id","params","path","is_read","read_at","created_at","updated_at","deleted_at","version"],
  organization_activations: ["id","organization_id","user_id","activation_source","activated_at","updated_at","deleted_at","version"],
  organization_members: ["id","organization_id","user_id","role","joined_at","updated_at","deleted_at","version","valid_until","site_limited"],
  organizations: ["id","name","slug","description","kind","program_name","program_description","settings","sample","created_by","created_at","updated_at","deleted_at","version","plan","allows_anonymous_reports"],
  pack_items: ["id","organization_id","pack_id","version_id","pack_name","pack_number","publisher","licence","attribution","kind","item_key","target_id","created_at","updated_at","deleted_at","version"],
  people: ["id","display_name","avatar_url","created_at","updated_at","deleted_at","version"],
  playbook_members: ["id","organization_id","playbook_id","user_id","role","joined_at","updated_at","deleted_at","version"],
  playbooks: ["id","organization_id","name","description","type","locations","settings","owner_id","created_at","updated_at","deleted_at","version","archived_at"],
  poams: ["id","organization_id","title","edition","source_id","state","document","created_by","created_at","updated_at","deleted_at","version"],
  policies: ["id","organization_id","title","code","summary","classification","owner_id","review_by","review_months","state","current_version_id","current_major","major_since","archived_at","created_by","created_at","updated_at","deleted_at","version"],
  policy_acknowledgements: ["id","organization_id","policy_id","version_id","user_id","state","content_hash","opened_at","sections_read","sections","method","signed_name","signature","reason","decided_at","received_at","exempted_by","created_at","updated_at","deleted_at","version","certificate_code","requested_at","quiz_attempts","quiz_answers","quiz_at","quiz_right","quiz_needed","witness_id","proof","device","account_name","witness_name","declined_reason","declined_at"],
  policy_variables: ["id","organization_id","key","value","created_by","created_at","updated_at","deleted_at","version"],
  policy_versions: ["id","organization_id","policy_id","state","change","major","minor","title","body","changelog","content_hash","based_on_id","source","approval_id","approved_at","published_at","published_by","superseded_at","editing_by","editing_since","created_by","created_at","updated_at","deleted_at","version","quiz","variables","template","file"],
  presence_entries: ["id","organization_id","site_id","conductor_id","inspection_id","strand","position","body","hash","by_id","received_at","created_at","updated_at","deleted_at","version","submitted_at","submitted_by"],
  profiles: ["id","email","full_name","display_name","job_title","phone","bio","avatar_url","locale","created_at","updated_at","deleted_at","version","emergency_contact_name","emergency_contact_phone"],
  record_follows: ["id","organization_id","user_id","subject_table","subject_id","is_following","created_at","updated_at","deleted_at","version"],
  recurrence_decisions: ["id","organization_id","site_id","about","decision","action_id","changes","reason","source_ids","decided_at","created_by","created_at","updated_at","deleted_at","version"],
  role_permissions: ["id","role_kind","role","permission","created_at","updated_at","deleted_at","version"],
  schedules: ["id","organization_id","site_id","playbook_id","form_id","asset_id","title","assigned_to","assigned_team","recurrence","start_day","due_time","zone","based_on","opens_minutes","closes_minutes","state","active_since","created_by","created_at","updated_at","deleted_at","version"],
  site_maps: ["id","organization_id","site_id","media_id","name","bytes","tiles","west","south","east","north","min_zoom","max_zoom","attribution","created_by","created_at","updated_at","deleted_at","version"],
  site_members: ["id","organization_id","site_id","user_id","updated_at","deleted_at","version"],
  sites: ["id","organization_id","name","address","timezone","created_at","updated_at","deleted_at","version"],
  subscription_tiers: ["id","tier","can_create_content","can_access_marketplace","can_earn_revenue","has_subscription","media_search_quota","media_sources","auto_recommendations","video_generation","monthly_video_credits","can_buy_credits","can_enhance_videos","auto_transcribe","created_at","updated_at","deleted_at","version"],
  subscriptions: ["id","tier","created_at","updated_at","deleted_at","version"],
  task_items: ["id","organization_id","task_id","title","required","position","done_at","done_by","created_by","created_at","updated_at","deleted_at","version","submitted_at","submitted_by"],
  task_series: ["id","organization_id","site_id","playbook_id","title","notes","priority","assignee_id","reviewer_id","labels","estimate_minutes","evidence_required","steps","recurrence","start_day","due_time","zone","based_on","state","active_since","created_by","created_at","updated_at","deleted_at","version","submitted_at","submitted_by"],
  task_views: ["id","user_id","name","filter","created_at","updated_at","deleted_at","version"],
  tasks: ["id","organization_id","site_id","playbook_id","parent_id","title","notes","status","status_reason","priority","due_day","due_time","due_zone","due_at","start_day","assignee_id","reviewer_id","watcher_ids","labels","needs_ids","estimate_minutes","evidence_required","media_ids","source_type","source_id","ended_at","ended_by","created_by","created_at","updated_at","deleted_at","version","series_id","occurs_on","is_exception","external_id","submitted_at","submitted_by"],
  team_members: ["id","organization_id","team_id","user_id","updated_at","deleted_at","version"],
  teams: ["id","organization_id","site_id","name","created_at","updated_at","deleted_at","version"],
  triad_brief_copies: ["id","brief_id","relationship_id","subject_id","helper_id","week","lines","sent_at","taken_back_at","is_open","created_at","updated_at","deleted_at","version"],
  triad_brief_lines: ["id","brief_id","subject_id","grant_id","scope","level","kind","position","figures","item_ids","wording","is_left_out","is_approved","created_at","updated_at","deleted_at","version"],
  triad_briefs: ["id","relationship_id","subject_id","operator_id","week","state","reviewed_at","decided_at","created_at","updated_at","deleted_at","version"],
  user_preferences: ["id","user_id","theme_mode","email_notifications","text_notifications","notification_time","primary_color","language","timezone","date_format","time_format","font_size","high_contrast","reduce_motion","sidebar_collapsed","show_activity_status","profile_visibility","quiet_hours_enabled","quiet_hours_start","quiet_hours_end","dashboard_layout","wellness_coach_avatar","custom_avatar_url","dashboard_config","notification_settings","preferred_playbook_type","created_at","updated_at","deleted_at","version","files_on_mobile_data","storage_limit_mb","week_start","usage_analytics","strip_photo_location","photo_size","locale_chosen"],
  user_roles: ["id","user_id","role","created_at","updated_at","deleted_at","version"],
  wellness_check_ins: ["id","user_id","day","at","mood","energy","stress","sleep_hours","sleep_quality","tags","note","skipped","created_at","updated_at","deleted_at","version"],
  wellness_settings: ["id","user_id","check_in_at","quiet_until","created_at","updated_at","deleted_at","version"],
  workflow_rules: ["id","organization_id","title","trigger","matching","conditions","steps","is_on","on_since","acts_for","created_by","created_at","updated_at","deleted_at","version"],
};

/** Columns whose value the server decides; ignored in what a device sends. */
export const serverColumns: Record<TableName, readonly string[]> = {
  acknowledgement_campaigns: ["created_at","created_by","deleted_at","starts_at","updated_at","version"],
  action_items: ["created_at","created_by","deleted_at","escalation","evidence_required","risk_reason","risk_until","submitted_at","submitted_by","updated_at","version"],
  approval_decisions: ["counted_at","created_at","delegation_id","deleted_at","permission","updated_at","version"],
  approval_delegations: ["created_at","created_by","deleted_at","updated_at","version"],
  approval_requests: ["created_at","decided_at","deleted_at","note","organization_id","path","permission","requested_at","requested_by","stage","stages","state","subject_id","subject_table","title","updated_at","version"],
  assets: ["created_at","deleted_at","submitted_at","submitted_by","updated_at","version"],
  circle_acts: ["created_at","deleted_at","updated_at","version"],
  circle_messages: ["created_at","deleted_at","helper_id","subject_id","updated_at","version"],
  circle_relationships: ["created_at","deleted_at","helper_name","purpose","started_at","subject_name","updated_at","version"],
  circle_sessions: ["concluded_by","created_at","deleted_at","helper_id","subject_id","updated_at","version"],
  cohort_consents: ["created_at","deleted_at","updated_at","version"],
  comments: ["created_at","deleted_at","outside_name","submitted_at","submitted_by","updated_at","version"],
  consent_grants: ["created_at","deleted_at","helper_id","role","updated_at","version"],
  control_links: ["created_at","created_by","deleted_at","updated_at","version"],
  controls: ["created_at","created_by","deleted_at","updated_at","version"],
  countersignatures: ["account_name","created_at","deleted_at","policy_id","received_at","relationship_id","subject_id","updated_at","version"],
  evidence: ["created_at","created_by","deleted_at","received_at","reviewed_at","reviewed_by","revision","submitted_at","submitted_by","updated_at","version"],
  evidence_links: ["created_at","created_by","deleted_at","owner_id","submitted_at","submitted_by","updated_at","version"],
  findings: ["created_at","deleted_at","updated_at","version"],
  form_drafts: ["created_at","deleted_at","edited_by","updated_at","version"],
  form_pictures: ["created_at","created_by","deleted_at","updated_at","version"],
  form_versions: ["created_at","created_by","deleted_at","updated_at","version"],
  forms: ["created_at","created_by","deleted_at","updated_at","version"],
  frameworks: ["created_at","created_by","deleted_at","updated_at","version"],
  goal_check_ins: ["created_at","deleted_at","updated_at","version"],
  goal_links: ["created_at","deleted_at","updated_at","version"],
  goal_milestones: ["created_at","deleted_at","updated_at","version"],
  goal_pauses: ["created_at","deleted_at","updated_at","version"],
  goals: ["created_at","deleted_at","updated_at","version"],
  grant_reads: ["brief_id","created_at","deleted_at","level","offline","received_at","relationship_id","scope","subject_id","times","updated_at","version"],
  habit_entries: ["created_at","deleted_at","updated_at","version"],
  habit_pauses: ["created_at","deleted_at","updated_at","version"],
  habits: ["created_at","deleted_at","updated_at","version"],
  inspection_answers: ["created_at","deleted_at","submitted_at","submitted_by","updated_at","version"],
  inspection_events: ["after","at","before","by_id","conductor_id","created_at","deleted_at","inspection_id","kind","organization_id","question","site_id","updated_at","version"],
  inspections: ["assigned_team","closes_at","created_at","deleted_at","missed_at","occurs_on","opens_at","received_at","reviewed_by","round","schedule_id","signed_account","submitted_at","submitted_by","updated_at","version"],
  issue_reports: ["answered_by","created_at","deleted_at","reference","source","submitted_at","submitted_by","updated_at","version"],
  kiosk_acknowledgements: ["created_at","deleted_at","outcome","proof","updated_at","version"],
  media: ["completed_at","created_at","deleted_at","state","submitted_at","submitted_by","updated_at","version"],
  note_keys: ["created_at","deleted_at","updated_at","version"],
  notification_choices: ["created_at","deleted_at","updated_at","version"],
  notification_types: ["app","class","created_at","deleted_at","email","key","module","private","push","setting","updated_at","version"],
  notifications: ["created_at","deleted_at","key","module","organization_id","params","path","read_at","subject_id","type","updated_at","user_id","version"],
  organization_activations: ["activated_at","deleted_at","updated_at","version"],
  organization_members: ["deleted_at","joined_at","updated_at","version"],
  organizations: ["created_at","created_by","deleted_at","kind","plan","sample","slug","updated_at","version"],
  pack_items: ["created_at","deleted_at","updated_at","version"],
  people: ["avatar_url","created_at","deleted_at","display_name","updated_at","version"],
  playbook_members: ["deleted_at","joined_at","updated_at","version"],
  playbooks: ["created_at","deleted_at","updated_at","version"],
  poams: ["created_at","created_by","deleted_at","updated_at","version"],
  policies: ["archived_at","created_at","created_by","current_major","current_version_id","deleted_at","major_since","state","updated_at","version"],
  policy_acknowledgements: ["account_name","certificate_code","created_at","declined_at","declined_reason","deleted_at","device","exempted_by","proof","quiz_needed","quiz_right","received_at","requested_at","updated_at","version","witness_id","witness_name"],
  policy_variables: ["created_at","created_by","deleted_at","updated_at","version"],
  policy_versions: ["approval_id","approved_at","content_hash","created_at","created_by","deleted_at","editing_by","editing_since","major","minor","published_at","published_by","state","superseded_at","template","updated_at","variables","version"],
  presence_entries: ["by_id","conductor_id","created_at","deleted_at","received_at","site_id","submitted_at","submitted_by","updated_at","version"],
  profiles: ["created_at","deleted_at","email","updated_at","version"],
  record_follows: ["created_at","deleted_at","updated_at","version"],
  recurrence_decisions: ["created_at","created_by","deleted_at","updated_at","version"],
  role_permissions: ["created_at","deleted_at","permission","role","role_kind","updated_at","version"],
  schedules: ["active_since","created_at","created_by","deleted_at","updated_at","version"],
  site_maps: ["created_at","created_by","deleted_at","updated_at","version"],
  site_members: ["deleted_at","updated_at","version"],
  sites: ["created_at","deleted_at","updated_at","version"],
  subscription_tiers: ["created_at","deleted_at","updated_at","version"],
  subscriptions: ["created_at","deleted_at","tier","updated_at","version"],
  task_items: ["created_at","created_by","deleted_at","submitted_at","submitted_by","updated_at","version"],
  task_series: ["active_since","created_at","created_by","deleted_at","submitted_at","submitted_by","updated_at","version"],
  task_views: ["created_at","deleted_at","updated_at","version"],
  tasks: ["created_at","created_by","deleted_at","is_exception","submitted_at","submitted_by","updated_at","version"],
  team_members: ["deleted_at","updated_at","version"],
  teams: ["created_at","deleted_at","updated_at","version"],
  triad_brief_copies: ["created_at","deleted_at","updated_at","version"],
  triad_brief_lines: ["created_at","deleted_at","updated_at","version"],
  triad_briefs: ["created_at","deleted_at","updated_at","version"],
  user_preferences: ["created_at","deleted_at","updated_at","version"],
  user_roles: ["created_at","deleted_at","updated_at","version"],
  wellness_check_ins: ["created_at","deleted_at","updated_at","version"],
  wellness_settings: ["created_at","deleted_at","updated_at","version"],
  workflow_rules: ["acts_for","created_at","created_by","deleted_at","on_since","updated_at","version"],
};

/** What the database puts into a column that is left out, where that is a constant. */
export const defaults: Record<TableName, Readonly<Record<string, Json>>> = {
  acknowledgement_campaigns: {"state":"active","quiz_required":false},
  action_items: {"status":"open","priority":"medium","media_ids":[],"escalation":0,"evidence_required":false},
  approval_decisions: {"permission":""},
  approval_delegations: {},
  approval_requests: {"stage":1,"state":"pending"},
  assets: {"status":"operational","tags":[]},
  circle_acts: {},
  circle_messages: {},
  circle_relationships: {"state":"active"},
  circle_sessions: {"state":"held","note":"","next_steps":[],"reason":""},
  cohort_consents: {},
  comments: {"mention_ids":[],"media_ids":[]},
  consent_grants: {},
  control_links: {},
  controls: {"statement":""},
  countersignatures: {"reason":""},
  evidence: {"revision":1,"media_ids":[],"state":"collected"},
  evidence_links: {},
  findings: {"body":"","severity":"minor","state":"open"},
  form_drafts: {},
  form_pictures: {},
  form_versions: {"source":"builder"},
  forms: {"state":"draft"},
  frameworks: {},
  goal_check_ins: {},
  goal_links: {},
  goal_milestones: {"position":0},
  goal_pauses: {},
  goals: {"state":"draft"},
  grant_reads: {"scope":"","level":"","offline":true,"times":1},
  habit_entries: {},
  habit_pauses: {"reason":"other"},
  habits: {"kind":"yes_no","target_kind":"at_least","times":1,"per_days":1,"position":0},
  inspection_answers: {"media_ids":[],"voice_ids":[]},
  inspection_events: {},
  inspections: {"status":"in_progress","round":1},
  issue_reports: {"category":"other","severity":"medium","status":"reported","media_ids":[],"is_anonymous":false,"source":"app"},
  kiosk_acknowledgements: {"device":"","sections_read":0,"sections":0,"quiz_attempts":0},
  media: {"kind":"photo","state":"pending"},
  note_keys: {},
  notification_choices: {},
  notification_types: {"class":"normal","private":false,"app":"immediate","push":"immediate","email":"daily"},
  notifications: {"params":{},"is_read":false},
  organization_activations: {},
  organization_members: {"role":"member","site_limited":false},
  organizations: {"kind":"company","settings":{},"sample":false,"plan":"standard","allows_anonymous_reports":true},
  pack_items: {},
  people: {},
  playbook_members: {"role":"member"},
  playbooks: {"type":"company","locations":[],"settings":{}},
  poams: {"state":"followed"},
  policies: {"classification":"internal","state":"draft"},
  policy_acknowledgements: {"state":"opened","sections_read":0,"sections":0,"quiz_attempts":0},
  policy_variables: {"value":""},
  policy_versions: {"state":"draft","change":"major","body":"","content_hash":"","source":"written"},
  presence_entries: {},
  profiles: {},
  record_follows: {"is_following":true},
  recurrence_decisions: {},
  role_permissions: {},
  schedules: {"based_on":"scheduled","state":"active"},
  site_maps: {"attribution":""},
  site_members: {},
  sites: {"timezone":"UTC"},
  subscription_tiers: {},
  subscriptions: {"tier":"personal_consumer"},
  task_items: {"required":false,"position":0},
  task_series: {"priority":"none","labels":[],"evidence_required":false,"steps":[],"based_on":"scheduled","state":"active"},
  task_views: {"filter":{}},
  tasks: {"status":"todo","priority":"none","watcher_ids":[],"labels":[],"needs_ids":[],"evidence_required":false,"media_ids":[],"source_type":"manual","is_exception":false},
  team_members: {},
  teams: {},
  triad_brief_copies: {"is_open":true},
  triad_brief_lines: {"item_ids":[],"is_left_out":false,"is_approved":false},
  triad_briefs: {"state":"review"},
  user_preferences: {"theme_mode":"system","email_notifications":true,"text_notifications":false,"notification_time":"09:00","primary_color":"blue","language":"en","timezone":"UTC","date_format":"MM/dd/yyyy","time_format":"12h","font_size":"medium","high_contrast":false,"reduce_motion":false,"sidebar_collapsed":false,"show_activity_status":true,"profile_visibility":"public","quiet_hours_enabled":false,"quiet_hours_start":"22:00","quiet_hours_end":"08:00","dashboard_layout":"default","wellness_coach_avatar":"friendly-professional","dashboard_config":{"default_view":"today","show_wellness_widgets":true,"show_compliance_overview":true},"notification_settings":{"push_enabled":true,"email_enabled":true,"task_deadlines":true,"wellness_reminders":true},"preferred_playbook_type":"company","files_on_mobile_data":true,"week_start":"auto","usage_analytics":true,"strip_photo_location":true,"photo_size":"original","locale_chosen":false},
  user_roles: {},
  wellness_check_ins: {"tags":[]},
  wellness_settings: {},
  workflow_rules: {"matching":"all","conditions":[],"steps":[],"is_on":false},
};

/** Fields that conflict together. */
export const groups: Record<TableName, readonly (readonly string[])[]> = {
  acknowledgement_campaigns: [],
  action_items: [["status","closed_at","closed_by","done_by"],["outcome","outcome_note","outcome_by","outcome_at"]],
  approval_decisions: [],
  approval_delegations: [],
  approval_requests: [],
  assets: [["latitude","longitude"]],
  circle_acts: [],
  circle_messages: [],
  circle_relationships: [],
  circle_sessions: [],
  cohort_consents: [],
  comments: [["resolved_at","resolved_by"]],
  consent_grants: [["valid_until","revoked_at"]],
  control_links: [],
  controls: [],
  countersignatures: [],
  evidence: [["state","review_note"]],
  evidence_links: [],
  findings: [["state","answer","answered_by","answered_at","verdict","decided_by","decided_at"]],
  form_drafts: [],
  form_pictures: [],
  form_versions: [],
  forms: [],
  frameworks: [],
  goal_check_ins: [],
  goal_links: [],
  goal_milestones: [],
  goal_pauses: [["from_day","until_day"]],
  goals: [["metric","unit","baseline","target"],["state","ended_on","learned"]],
  grant_reads: [],
  habit_entries: [["value","amount"]],
  habit_pauses: [["from_day","until_day"]],
  habits: [],
  inspection_answers: [["value","outcome","score","score_max"]],
  inspection_events: [],
  inspections: [["status","finished_at","score","score_max","result","round"],["signature","signed_by","signed_at","content_hash"]],
  issue_reports: [["status","answer","decided_at","decided_by"]],
  kiosk_acknowledgements: [],
  media: [],
  note_keys: [],
  notification_choices: [],
  notification_types: [],
  notifications: [],
  organization_activations: [],
  organization_members: [],
  organizations: [],
  pack_items: [],
  people: [],
  playbook_members: [],
  playbooks: [],
  poams: [["title","edition","source_id","document","state"]],
  policies: [],
  policy_acknowledgements: [["state","content_hash","method","signed_name","signature","reason","decided_at"],["quiz_attempts","quiz_answers","quiz_at"]],
  policy_variables: [],
  policy_versions: [],
  presence_entries: [],
  profiles: [],
  record_follows: [],
  recurrence_decisions: [],
  role_permissions: [],
  schedules: [["recurrence","start_day","due_time","zone","based_on"],["assigned_to","assigned_team"]],
  site_maps: [],
  site_members: [],
  sites: [],
  subscription_tiers: [],
  subscriptions: [],
  task_items: [["done_at","done_by"]],
  task_series: [["recurrence","start_day","due_time","zone","based_on"]],
  task_views: [],
  tasks: [["status","status_reason","ended_at","ended_by"],["due_day","due_time","due_zone","due_at"]],
  team_members: [],
  teams: [],
  triad_brief_copies: [],
  triad_brief_lines: [],
  triad_briefs: [],
  user_preferences: [],
  user_roles: [],
  wellness_check_ins: [],
  wellness_settings: [],
  workflow_rules: [["title","trigger","matching","conditions","steps","is_on"]],
};

/** Order of pull and push, lower first: parents before children. */
export const priorities: Record<TableName, number> = {
  acknowledgement_campaigns: 26,
  action_items: 32,
  approval_decisions: 27,
  approval_delegations: 26,
  approval_requests: 26,
  assets: 20,
  circle_acts: 45,
  circle_messages: 45,
  circle_relationships: 12,
  circle_sessions: 45,
  cohort_consents: 42,
  comments: 36,
  consent_grants: 44,
  control_links: 35,
  controls: 27,
  countersignatures: 46,
  evidence: 34,
  evidence_links: 35,
  findings: 31,
  form_drafts: 23,
  form_pictures: 21,
  form_versions: 22,
  forms: 21,
  frameworks: 26,
  goal_check_ins: 43,
  goal_links: 43,
  goal_milestones: 43,
  goal_pauses: 43,
  goals: 42,
  grant_reads: 45,
  habit_entries: 43,
  habit_pauses: 43,
  habits: 42,
  inspection_answers: 31,
  inspection_events: 35,
  inspections: 30,
  issue_reports: 34,
  kiosk_acknowledgements: 27,
  media: 33,
  note_keys: 2,
  notification_choices: 13,
  notification_types: 9,
  notifications: 40,
  organization_activations: 12,
  organization_members: 11,
  organizations: 10,
  pack_items: 36,
  people: 13,
  playbook_members: 16,
  playbooks: 14,
  poams: 28,
  policies: 24,
  policy_acknowledgements: 27,
  policy_variables: 24,
  policy_versions: 25,
  presence_entries: 36,
  profiles: 12,
  record_follows: 45,
  recurrence_decisions: 33,
  role_permissions: 9,
  schedules: 29,
  site_maps: 36,
  site_members: 15,
  sites: 14,
  subscription_tiers: 9,
  subscriptions: 12,
  task_items: 33,
  task_series: 32,
  task_views: 44,
  tasks: 34,
  team_members: 16,
  teams: 15,
  triad_brief_copies: 46,
  triad_brief_lines: 46,
  triad_briefs: 45,
  user_preferences: 12,
  user_roles: 12,
  wellness_check_ins: 41,
  wellness_settings: 14,
  workflow_rules: 38,
};

// Migrations: a9de0c684e2dd66dcad9b0e4f59c511187f4dfc8525f451e147a73cb18201a12
