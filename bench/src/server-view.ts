import type { Sql } from 'postgres';
import type { Member } from './page/peer.ts';
import { digestOf, type BenchRecord, type Digest } from './page/records.ts';
import type { PeerName } from './rig/device.ts';
import type { Rig } from './rig/rig.ts';

export type ServerPlace = { sql: Sql; pouch: Rig['pouch'] };

/** Where the server keeps what this peer sends. */
const tableOf = (peer: PeerName, member: Member): string =>
  peer === 'cairn' || peer === 'watermelon' ? 'action_items' : member.table;

type PouchRows = { rows: { id: string; doc: Record<string, unknown> }[] };

/** What the server has now for this peer and member, whatever its form. */
export async function rowsOnServer(
  { sql, pouch }: ServerPlace,
  peer: PeerName,
  member: Member,
): Promise<BenchRecord[]> {
  if (peer === 'pouch') {
    const answer = await fetch(`${pouch?.direct ?? ''}/pouch/${member.table}/_all_docs?include_docs=true`);
    const { rows } = (await answer.json()) as PouchRows;
    return rows.map(({ id, doc }) => ({ ...doc, id }));
  }
  const rows = await sql.unsafe(
    `select * from ${tableOf(peer, member)} where organization_id = $1 and deleted_at is null`,
    [member.organizationId],
  );
  return rows as unknown as BenchRecord[];
}

/** The same, reckoned the way a page reckons it. */
export const digestOfServer = async (place: ServerPlace, peer: PeerName, member: Member): Promise<Digest> =>
  digestOf(await rowsOnServer(place, peer, member));
