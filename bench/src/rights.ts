import type { Response } from '@playwright/test';
import type { Sql } from 'postgres';
import type { MeasuredServer } from './measure.ts';
import { Device } from './rig/device.ts';
import { addItems, addMember, waitForIdle } from './rig/seed.ts';

const VISIBLE = 100;
const HIDDEN = 199_900;
const CHUNK = 19_990;

export type Rights = {
  ms: number;
  requests: number;
  seen: number;
  /** Ids of action items of the organisation named in an answer that are not the member's to see. */
  foreign: number;
};

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

async function allOf(sql: Sql, siteId: string): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`select id from action_items where site_id = ${siteId}`;
  return new Set(rows.map(({ id }) => id));
}

/** A member of one site pulls from an organisation of 200,000 rows, of which 100 stand at that site. */
export async function measureRights(place: MeasuredServer, n: number): Promise<Rights> {
  const { otherSiteId, ...member } = await addMember(place.sql, n);
  const stranger = { ...member, userId: (await addMember(place.sql, n + 1)).userId };
  // Only a member of the organisation can be named on its rows.
  await place.sql`insert into organization_members (organization_id, user_id) values (${member.organizationId}, ${stranger.userId})`;
  await addItems(place.sql, member, member.siteId, VISIBLE);
  for (let done = 0; done < HIDDEN; done += CHUNK) await addItems(place.sql, stranger, otherSiteId, CHUNK);
  await waitForIdle(place.sql);
  const own = await allOf(place.sql, member.siteId);
  const hidden = await allOf(place.sql, otherSiteId);
  if (own.size !== VISIBLE || hidden.size !== HIDDEN) throw new Error(`seeded ${own.size} and ${hidden.size} rows`);

  const device = await Device.open(place, 'cairn');
  try {
    const bodies: Promise<string>[] = [];
    device.page.on('response', (response: Response) => {
      if (response.url().includes('/rest/v1/')) bodies.push(response.text());
    });
    await device.signIn({ ...member, records: VISIBLE });
    const { ms, traffic } = await device.call('pull', [], 60_000);
    const named = new Set((await Promise.all(bodies)).flatMap(body => body.match(UUID) ?? []));
    const among = (ids: Set<string>) => [...named].filter(id => ids.has(id)).length;
    return { ms, requests: traffic.requests, seen: among(own), foreign: among(hidden) };
  } finally {
    await device.close();
  }
}
