-- The schemas beside `public`. The API serves none of them.

-- The feed of changes by scope, and the registry of synced tables (docs/sync-protocol.md).
-- Each synced table has one row in sync.tables and a generated column `scopes` that names its audience: the feed, the
-- row-level policies and the generated types all read the same two facts.
create schema sync;
grant usage on schema sync to service_role, authenticated;

-- Notifications: what a person is told, in the app, by push and by mail. The inbox is synced like any record; what goes
-- out by push and mail waits in schema `inbox`, which the API does not expose (docs/decisions/41-notifications-email-and-push.md).
create schema inbox;

-- Joining an organisation: by an invitation (link or e-mail, one use, 14 days) or by a partner link (many uses). Only a
-- token's hash is kept, in a schema the API does not serve. A guessed, spent, revoked or expired token gets one answer.
create schema identity;
grant usage on schema identity to service_role;

-- What PostgREST runs before each request: tables and functions that look at nothing but auth.uid() are behind it too.
-- In a schema of its own, since everybody who asks must be able to run it, and the API serves it to nobody.
create schema request;
grant usage on schema request to anon, service_role, authenticated;

-- What comes from outside, without an account: reports by a code on the spot, and guests with a link to one action item.
create schema intake;

-- The audit log: what was done that matters, for each company a chain of hashes to which rows are only ever added. Triggers
-- note the acts in their own transaction; the feed's last step links them at commit, under one lock a company that lasts as
-- long as the commit (docs/decisions/36-audit-log-evidence-and-controls.md). It names people by id, and nothing they wrote.
create schema audit;

-- Group figures with noise (docs/decisions/44-differential-privacy-of-group-figures.md): what they are reckoned from, which nobody reads.
create schema cohort;

-- The policy marketplace: packs of policies, forms and tasks that one organisation offers and another takes over as drafts of
-- its own (docs/decisions/37-marketplace-packs.md). Browsing is online by nature; only where a record came from is fed to devices.
create schema marketplace;

-- Workflows: a company's rules of the kind "when this happens, if it is so, then do that". A rule is a row like any other; what
-- happens is noted by triggers of the areas, kept for 40 days, and read by the clock (docs/decisions/33-workflows-and-deputies.md).
create schema workflow;

-- Calendar feeds: what a person has to do, at an address that other calendars read without signing in. Whoever has the address
-- reads what its owner may read at that moment, no more. Only a token's hash is kept, in a schema the API does not serve; an unknown,
-- renewed or revoked token gets one answer: null (docs/decisions/41-notifications-email-and-push.md).
create schema calendar;

-- What others see of a person, by that person's own settings (profile_visibility, show_activity_status): colleagues, who belong to a
-- company together with them now, and those of their circle, on either side of it. Names are known to both anyway; e-mail, phone and
-- emergency contact are nobody else's. When somebody was last here is told by the hour, never closer: it is no time clock
-- (docs/decisions/34-goals-habits-and-wellness.md).
create schema presence;

-- The kiosk: people acknowledge one after the other on the device of somebody who witnesses it. What they say comes in the name of the
-- witness, says whose word it is, and becomes that person's acknowledgement here, where it is decided whether it counts
-- (docs/decisions/29-policies-versions-and-acknowledgements.md).
create schema kiosk;

-- Compliance over time: at the end of each day, who was asked for an acknowledgement, who had given it, and for whom the day had passed
-- without. A day is counted once, when it is over, by policy and place (docs/decisions/30-compliance-figures-and-certificates.md).
create schema rates;

-- What others wrote has bounds: of a Markdown text what it takes to parse it, of a form what it takes to work it out, of a pack what
-- comes out when it is filled in, of any other text its size. The devices have the same (packages/base/src/content-bounds.ts) and refuse
-- it before it is queued; what is stored already stays as it is until somebody writes it anew.
create schema content;

-- Who may do what: permissions, roles and what follows from them: rules and guards. The tables stand in `public`.
create schema access;
grant usage on schema access to service_role, authenticated;

-- Spaces: organisations, their people, sites, teams and playbooks: rules and guards. The tables stand in `public`.
create schema space;
grant usage on schema space to service_role, authenticated;

-- An account: preferences, usage analytics, export and end: rules and guards. The tables stand in `public`.
create schema account;
grant usage on schema account to service_role, authenticated;

-- Preferences of a person: rules and guards. The tables stand in `public`.
create schema preference;
grant usage on schema preference to service_role, authenticated;

-- Usage analytics: rules and guards. The tables stand in `public`.
create schema analytics;
grant usage on schema analytics to service_role, authenticated;

-- Assets and site maps: rules and guards. The tables stand in `public`.
create schema asset;
grant usage on schema asset to service_role, authenticated;

-- Forms, their versions, drafts and pictures: rules and guards. The tables stand in `public`.
create schema form;
grant usage on schema form to service_role, authenticated;

-- Schedules of inspections: rules and guards. The tables stand in `public`.
create schema schedule;
grant usage on schema schedule to service_role, authenticated;

-- Inspections, their answers, review and log: rules and guards. The tables stand in `public`.
create schema inspection;
grant usage on schema inspection to service_role, authenticated;

-- Issue reports: rules and guards. The tables stand in `public`.
create schema issue;
grant usage on schema issue to service_role, authenticated;

-- Action items and decisions on what recurs: rules and guards. The tables stand in `public`.
create schema action;
grant usage on schema action to service_role, authenticated;

-- Files: rules and guards. The tables stand in `public`.
create schema file;
grant usage on schema file to service_role, authenticated;

-- Approvals: rules and guards. The tables stand in `public`.
create schema approval;
grant usage on schema approval to service_role, authenticated;

-- Policies, their versions and acknowledgements: rules and guards. The tables stand in `public`.
create schema policy;
grant usage on schema policy to service_role, authenticated;

-- Evidence, controls, findings and plans of action: rules and guards. The tables stand in `public`.
create schema compliance;
grant usage on schema compliance to service_role, authenticated;

-- Tasks and their series: rules and guards. The tables stand in `public`.
create schema task;
grant usage on schema task to service_role, authenticated;

-- Wellness, habits and goals: rules and guards. The tables stand in `public`.
create schema growth;
grant usage on schema growth to service_role, authenticated;

-- The support circle: rules and guards. The tables stand in `public`.
create schema circle;
grant usage on schema circle to service_role, authenticated;

-- Weekly briefs of Triad Intelligence: rules and guards. The tables stand in `public`.
create schema brief;
grant usage on schema brief to service_role, authenticated;

-- Comments, follows and the activity of a record: rules and guards. The tables stand in `public`.
create schema comment;
grant usage on schema comment to service_role, authenticated;

-- The review queue of orphaned edits: rules and guards. The tables stand in `public`.
create schema review_queue;
grant usage on schema review_queue to service_role, authenticated;
