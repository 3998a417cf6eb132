// Made by tools/gen-types.ts from supabase/migrations. Do not edit: npm run gen.

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A row as the database has it; instants as ISO text, days as YYYY-MM-DD. */
export type Tables = {
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
    source_type: 'inspection' | 'manual' | 'issue_report' | null;
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
  };
  inspection_comments: {
    id: string;
    organization_id: string;
    site_id: string | null;
    conductor_id: string | null;
    inspection_id: string;
    question: string | null;
    body: string;
    author_id: string | null;
    round: number;
    written_at: string;
    resolved_at: string | null;
    resolved_by: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
  };
  inspection_events: {
    id: string;
    organization_id: string;
    site_id: string | null;
    conductor_id: string | null;
    inspection_id: string;
    kind: 'state' | 'answer';
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
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    version: number;
    source: 'app' | 'public_code';
    reference: string | null;
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
};

/** What a client writes: what the database fills or owns may be left out. */
export type Drafts = {
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
    source_type?: 'inspection' | 'manual' | 'issue_report' | null;
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
  };
  inspection_comments: {
    id: string;
    organization_id: string;
    site_id?: string | null;
    conductor_id?: string | null;
    inspection_id: string;
    question?: string | null;
    body: string;
    author_id?: string | null;
    round?: number;
    written_at: string;
    resolved_at?: string | null;
    resolved_by?: string | null;
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
  };
  inspection_events: {
    id: string;
    organization_id?: string;
    site_id?: string | null;
    conductor_id?: string | null;
    inspection_id?: string;
    kind?: 'state' | 'answer';
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
    created_at?: string;
    updated_at?: string;
    deleted_at?: string | null;
    version?: number;
    source?: 'app' | 'public_code';
    reference?: string | null;
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
};

export type TableName = keyof Tables;

/** Every column a device gets. */
export const columns: Record<TableName, readonly string[]> = {
  action_items: ["id","organization_id","site_id","playbook_id","title","description","status","priority","due_at","assignee_id","source_type","source_id","source_question","asset_id","media_ids","created_by","closed_at","closed_by","created_at","updated_at","deleted_at","version"],
  assets: ["id","organization_id","site_id","parent_id","name","category","code","location","status","created_at","updated_at","deleted_at","version","latitude","longitude","barcode","serial_number","manufacturer","model","notes","tags"],
  circle_relationships: ["id","subject_id","helper_id","role","state","started_at","created_at","updated_at","deleted_at","version"],
  form_drafts: ["id","organization_id","form_id","definition","edited_by","created_at","updated_at","deleted_at","version"],
  form_versions: ["id","organization_id","form_id","number","definition","source","created_by","created_at","updated_at","deleted_at","version","changes"],
  forms: ["id","organization_id","playbook_id","name","description","category","asset_category","minutes","state","current_version_id","created_by","created_at","updated_at","deleted_at","version"],
  inspection_answers: ["id","organization_id","site_id","inspection_id","question","value","outcome","score","score_max","note","media_ids","answered_by","answered_at","created_at","updated_at","deleted_at","version","voice_ids"],
  inspection_comments: ["id","organization_id","site_id","conductor_id","inspection_id","question","body","author_id","round","written_at","resolved_at","resolved_by","created_at","updated_at","deleted_at","version"],
  inspection_events: ["id","organization_id","site_id","conductor_id","inspection_id","kind","question","before","after","by_id","at","created_at","updated_at","deleted_at","version"],
  inspections: ["id","organization_id","site_id","playbook_id","form_id","form_version_id","asset_id","title","status","due_at","assigned_to","conducted_by","started_at","finished_at","received_at","score","score_max","result","signature","signed_by","signed_at","content_hash","created_at","updated_at","deleted_at","version","round","reviewed_by","reviewed_at","schedule_id","occurs_on","assigned_team","opens_at","closes_at","missed_at"],
  issue_reports: ["id","organization_id","site_id","asset_id","title","description","category","severity","status","location","media_ids","is_anonymous","reported_by","reported_at","look_up_hash","answer","decided_at","decided_by","created_at","updated_at","deleted_at","version","source","reference"],
  media: ["id","organization_id","site_id","inspection_id","question","kind","mime","bytes","sha256","width","height","state","captured_at","captured_by","completed_at","created_at","updated_at","deleted_at","version","drawn_on","duration_ms"],
  notification_choices: ["id","user_id","type","channel","cadence","created_at","updated_at","deleted_at","version"],
  notification_types: ["id","key","module","class","private","setting","app","push","email","created_at","updated_at","deleted_at","version"],
  notifications: ["id","user_id","organization_id","type","module","key","subject_id","params","path","is_read","read_at","created_at","updated_at","deleted_at","version"],
  organization_activations: ["id","organization_id","user_id","activation_source","activated_at","updated_at","deleted_at","version"],
  organization_members: ["id","organization_id","user_id","role","joined_at","updated_at","deleted_at","version","valid_until","site_limited"],
  organizations: ["id","name","slug","description","kind","program_name","program_description","settings","sample","created_by","created_at","updated_at","deleted_at","version","plan","allows_anonymous_reports"],
  people: ["id","display_name","avatar_url","created_at","updated_at","deleted_at","version"],
  playbook_members: ["id","organization_id","playbook_id","user_id","role","joined_at","updated_at","deleted_at","version"],
  playbooks: ["id","organization_id","name","description","type","locations","settings","owner_id","created_at","updated_at","deleted_at","version","archived_at"],
  profiles: ["id","email","full_name","display_name","job_title","phone","bio","avatar_url","locale","created_at","updated_at","deleted_at","version","emergency_contact_name","emergency_contact_phone"],
  role_permissions: ["id","role_kind","role","permission","created_at","updated_at","deleted_at","version"],
  schedules: ["id","organization_id","site_id","playbook_id","form_id","asset_id","title","assigned_to","assigned_team","recurrence","start_day","due_time","zone","based_on","opens_minutes","closes_minutes","state","active_since","created_by","created_at","updated_at","deleted_at","version"],
  site_members: ["id","organization_id","site_id","user_id","updated_at","deleted_at","version"],
  sites: ["id","organization_id","name","address","timezone","created_at","updated_at","deleted_at","version"],
  subscription_tiers: ["id","tier","can_create_content","can_access_marketplace","can_earn_revenue","has_subscription","media_search_quota","media_sources","auto_recommendations","video_generation","monthly_video_credits","can_buy_credits","can_enhance_videos","auto_transcribe","created_at","updated_at","deleted_at","version"],
  subscriptions: ["id","tier","created_at","updated_at","deleted_at","version"],
  team_members: ["id","organization_id","team_id","user_id","updated_at","deleted_at","version"],
  teams: ["id","organization_id","site_id","name","created_at","updated_at","deleted_at","version"],
  user_preferences: ["id","user_id","theme_mode","email_notifications","text_notifications","notification_time","primary_color","language","timezone","date_format","time_format","font_size","high_contrast","reduce_motion","sidebar_collapsed","show_activity_status","profile_visibility","quiet_hours_enabled","quiet_hours_start","quiet_hours_end","dashboard_layout","wellness_coach_avatar","custom_avatar_url","dashboard_config","notification_settings","preferred_playbook_type","created_at","updated_at","deleted_at","version","files_on_mobile_data","storage_limit_mb","week_start","usage_analytics","strip_photo_location","photo_size"],
  user_roles: ["id","user_id","role","created_at","updated_at","deleted_at","version"],
};

/** Columns whose value the server decides; ignored in what a device sends. */
export const serverColumns: Record<TableName, readonly string[]> = {
  action_items: ["created_at","created_by","deleted_at","updated_at","version"],
  assets: ["created_at","deleted_at","updated_at","version"],
  circle_relationships: ["created_at","deleted_at","started_at","updated_at","version"],
  form_drafts: ["created_at","deleted_at","edited_by","updated_at","version"],
  form_versions: ["created_at","created_by","deleted_at","updated_at","version"],
  forms: ["created_at","created_by","deleted_at","updated_at","version"],
  inspection_answers: ["created_at","deleted_at","updated_at","version"],
  inspection_comments: ["conductor_id","created_at","deleted_at","updated_at","version"],
  inspection_events: ["after","at","before","by_id","conductor_id","created_at","deleted_at","inspection_id","kind","organization_id","question","site_id","updated_at","version"],
  inspections: ["assigned_team","closes_at","created_at","deleted_at","missed_at","occurs_on","opens_at","received_at","reviewed_by","round","schedule_id","updated_at","version"],
  issue_reports: ["created_at","deleted_at","reference","source","updated_at","version"],
  media: ["completed_at","created_at","deleted_at","state","updated_at","version"],
  notification_choices: ["created_at","deleted_at","updated_at","version"],
  notification_types: ["app","class","created_at","deleted_at","email","key","module","private","push","setting","updated_at","version"],
  notifications: ["created_at","deleted_at","key","module","organization_id","params","path","read_at","subject_id","type","updated_at","user_id","version"],
  organization_activations: ["activated_at","deleted_at","updated_at","version"],
  organization_members: ["deleted_at","joined_at","updated_at","version"],
  organizations: ["created_at","created_by","deleted_at","kind","plan","sample","slug","updated_at","version"],
  people: ["avatar_url","created_at","deleted_at","display_name","updated_at","version"],
  playbook_members: ["deleted_at","joined_at","updated_at","version"],
  playbooks: ["created_at","deleted_at","updated_at","version"],
  profiles: ["created_at","deleted_at","email","updated_at","version"],
  role_permissions: ["created_at","deleted_at","permission","role","role_kind","updated_at","version"],
  schedules: ["active_since","created_at","created_by","deleted_at","updated_at","version"],
  site_members: ["deleted_at","updated_at","version"],
  sites: ["created_at","deleted_at","updated_at","version"],
  subscription_tiers: ["created_at","deleted_at","updated_at","version"],
  subscriptions: ["created_at","deleted_at","tier","updated_at","version"],
  team_members: ["deleted_at","updated_at","version"],
  teams: ["created_at","deleted_at","updated_at","version"],
  user_preferences: ["created_at","deleted_at","updated_at","version"],
  user_roles: ["created_at","deleted_at","updated_at","version"],
};

/** What the database puts into a column that is left out, where that is a constant. */
export const defaults: Record<TableName, Readonly<Record<string, Json>>> = {
  action_items: {"status":"open","priority":"medium","media_ids":[]},
  assets: {"status":"operational","tags":[]},
  circle_relationships: {"state":"active"},
  form_drafts: {},
  form_versions: {"source":"builder"},
  forms: {"state":"draft"},
  inspection_answers: {"media_ids":[],"voice_ids":[]},
  inspection_comments: {"round":1},
  inspection_events: {},
  inspections: {"status":"in_progress","round":1},
  issue_reports: {"category":"other","severity":"medium","status":"reported","media_ids":[],"is_anonymous":false,"source":"app"},
  media: {"kind":"photo","state":"pending"},
  notification_choices: {},
  notification_types: {"class":"normal","private":false,"app":"immediate","push":"immediate","email":"daily"},
  notifications: {"params":{},"is_read":false},
  organization_activations: {},
  organization_members: {"role":"member","site_limited":false},
  organizations: {"kind":"company","settings":{},"sample":false,"plan":"standard","allows_anonymous_reports":true},
  people: {},
  playbook_members: {"role":"member"},
  playbooks: {"type":"company","locations":[],"settings":{}},
  profiles: {},
  role_permissions: {},
  schedules: {"based_on":"scheduled","state":"active"},
  site_members: {},
  sites: {"timezone":"UTC"},
  subscription_tiers: {},
  subscriptions: {"tier":"personal_consumer"},
  team_members: {},
  teams: {},
  user_preferences: {"theme_mode":"system","email_notifications":true,"text_notifications":false,"notification_time":"09:00","primary_color":"blue","language":"en","timezone":"UTC","date_format":"MM/dd/yyyy","time_format":"12h","font_size":"medium","high_contrast":false,"reduce_motion":false,"sidebar_collapsed":false,"show_activity_status":true,"profile_visibility":"public","quiet_hours_enabled":false,"quiet_hours_start":"22:00","quiet_hours_end":"08:00","dashboard_layout":"default","wellness_coach_avatar":"friendly-professional","dashboard_config":{"default_view":"today","show_wellness_widgets":true,"show_compliance_overview":true},"notification_settings":{"push_enabled":true,"email_enabled":true,"task_deadlines":true,"wellness_reminders":true},"preferred_playbook_type":"company","files_on_mobile_data":true,"week_start":"auto","usage_analytics":true,"strip_photo_location":true,"photo_size":"original"},
  user_roles: {},
};

/** Fields that conflict together. */
export const groups: Record<TableName, readonly (readonly string[])[]> = {
  action_items: [["status","closed_at","closed_by"]],
  assets: [["latitude","longitude"]],
  circle_relationships: [],
  form_drafts: [],
  form_versions: [],
  forms: [],
  inspection_answers: [["value","outcome","score","score_max"]],
  inspection_comments: [["resolved_at","resolved_by"]],
  inspection_events: [],
  inspections: [["status","finished_at","score","score_max","result","round"],["signature","signed_by","signed_at","content_hash"]],
  issue_reports: [["status","answer","decided_at","decided_by"]],
  media: [],
  notification_choices: [],
  notification_types: [],
  notifications: [],
  organization_activations: [],
  organization_members: [],
  organizations: [],
  people: [],
  playbook_members: [],
  playbooks: [],
  profiles: [],
  role_permissions: [],
  schedules: [["recurrence","start_day","due_time","zone","based_on"],["assigned_to","assigned_team"]],
  site_members: [],
  sites: [],
  subscription_tiers: [],
  subscriptions: [],
  team_members: [],
  teams: [],
  user_preferences: [],
  user_roles: [],
};

/** Order of pull and push, lower first: parents before children. */
export const priorities: Record<TableName, number> = {
  action_items: 32,
  assets: 20,
  circle_relationships: 12,
  form_drafts: 23,
  form_versions: 22,
  forms: 21,
  inspection_answers: 31,
  inspection_comments: 34,
  inspection_events: 35,
  inspections: 30,
  issue_reports: 34,
  media: 33,
  notification_choices: 13,
  notification_types: 9,
  notifications: 40,
  organization_activations: 12,
  organization_members: 11,
  organizations: 10,
  people: 13,
  playbook_members: 16,
  playbooks: 14,
  profiles: 12,
  role_permissions: 9,
  schedules: 29,
  site_members: 15,
  sites: 14,
  subscription_tiers: 9,
  subscriptions: 12,
  team_members: 16,
  teams: 15,
  user_preferences: 12,
  user_roles: 12,
};

// Migrations: bb2ae5e1cf7b1bcc68e10bdad644dda12bc671c23f00ed22fd0a9b2face1f3aa
