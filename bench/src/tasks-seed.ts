import { join } from 'node:path';
import type { Member } from './page/peer.ts';
import { addMember, waitForIdle } from './rig/seed.ts';
import { openProfile, signInWhole, type ShellRig } from './shell-rig.ts';

/** Tasks of the whole space; those of the member's own site are on the device. */
export const IN_SPACE = 50_000;
export const ON_DEVICE = 10_000;

/** Tasks as a plant has them: 3 of 10 done, 1 in 20 the member's own, due from a week ago to seven weeks ahead. */
async function addTasks({ sql }: ShellRig, member: Member, siteId: string, count: number): Promise<void> {
  await sql`
    insert into tasks (organization_id, site_id, title, notes, status, status_reason, priority, labels, due_day, due_zone,
      assignee_id, ended_at, created_at)
    select ${member.organizationId}, ${siteId},
      (array['Grease the bearings', 'Count the gloves', 'Walk the racks', 'Test the alarm', 'Call the vendor', 'Renew the signs'])[1 + n % 6]
        || ', ' || (array['bay', 'line', 'dock', 'rack'])[1 + n % 4] || ' ' || n,
      case when n % 5 = 0 then 'As agreed in the morning meeting; say so there when it is done.' end,
      s.status, case when s.status = 'blocked' then 'The part comes on Thursday' end,
      (array['none', 'low', 'medium', 'high', 'urgent'])[1 + n % 5],
      case n % 4 when 0 then '["line"]' when 1 then '["calls","vendor"]' else '[]' end::jsonb,
      case when n % 7 > 0 then current_date - 7 + n * 37 % 60 end, case when n % 7 > 0 then 'UTC' end,
      case when n % 20 = 0 and ${siteId === member.siteId} then ${member.userId}::uuid end,
      case when s.status = 'done' then now() - n % 60 * interval '1 day' end,
      now() - n * interval '3 minutes'
    from generate_series(1, ${count}::int) n, lateral (select (array['done', 'done', 'done', 'in_progress', 'blocked', 'in_review',
      'todo', 'todo', 'todo', 'todo'])[1 + n / 3 % 10] as status) s`;
}

/** A device that has its member's tasks, of a space that has five times as many. */
export async function deviceWithTasks(rig: ShellRig, chromium: string): Promise<string> {
  const member = await addMember(rig.sql, 1);
  // Somebody who has been through the first run: others are led to /welcome.
  await rig.sql`insert into user_preferences (user_id) values (${member.userId})`;
  await addTasks(rig, member, member.siteId, ON_DEVICE);
  await addTasks(rig, member, member.otherSiteId, IN_SPACE - ON_DEVICE);
  await waitForIdle(rig.sql);
  const profile = join(rig.folder, 'profile-tasks');
  const visit = await openProfile(profile, chromium);
  await signInWhole(visit.page, rig.url, member, ON_DEVICE);
  await visit.context.close();
  return profile;
}
