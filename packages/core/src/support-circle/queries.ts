import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';
import { openActionsOf } from '../action-items/queries.ts';
import type { Grant, Relationship } from './grants.ts';

export type CircleEntry = {
  relationship: Relationship;
  /** Those that were not taken back, the oldest first. */
  grants: Grant[];
};

export type Circle = {
  /** Who helps this person. */
  helpers: CircleEntry[];
  /** Whom they help. */
  helped: CircleEntry[];
};

const byStart = (a: CircleEntry, b: CircleEntry): number =>
  a.relationship.started_at.localeCompare(b.relationship.started_at);

/** A person's circle, both ways; what has ended is left out. */
export function circle(userId: string): Query<Circle> {
  return {
    key: `support-circle/circle/${userId}`,
    tables: ['circle_relationships', 'consent_grants'],
    async read(tx) {
      const all = await tx.all('circle_relationships');
      const grants = await tx.all('consent_grants');
      const entries = all
        .filter(row => row.deleted_at === null && row.state !== 'ended')
        .map((relationship): CircleEntry => ({
          relationship,
          grants: grants
            .filter(each => each.relationship_id === relationship.id && each.revoked_at === null && !each.deleted_at)
            .toSorted((a, b) => a.valid_from.localeCompare(b.valid_from)),
        }))
        .toSorted(byStart);
      return {
        helpers: entries.filter(({ relationship }) => relationship.subject_id === userId),
        helped: entries.filter(({ relationship }) => relationship.helper_id === userId),
      };
    },
  };
}

/** Whether somebody helps at present: what the dashboard counts; a paused one shows nothing and waits. */
export const isHelping = ({ state, deleted_at: deleted }: Pick<Relationship, 'state' | 'deleted_at'>): boolean =>
  state === 'active' && deleted === null;

export type CirclePage = CircleEntry & { /** The oldest first. */ messages: Row<'circle_messages'>[] };

/** One relationship with its grants and words; null when it is not on this device. */
export function circlePage(id: string): Query<CirclePage | null> {
  return {
    key: `support-circle/circlePage/${id}`,
    tables: ['circle_relationships', 'consent_grants', 'circle_messages'],
    async read(tx) {
      const relationship = await tx.get('circle_relationships', id);
      if (!relationship || relationship.deleted_at !== null) return null;
      const grants = await tx.range('consent_grants', 'relationship', id, id);
      const messages = await tx.range('circle_messages', 'relationship', `${id}/`, `${id}/\uffff`);
      return {
        relationship,
        grants: grants
          .filter(grant => grant.revoked_at === null && grant.deleted_at === null)
          .toSorted((a, b) => a.valid_from.localeCompare(b.valid_from)),
        messages: messages.filter(message => message.deleted_at === null),
      };
    },
  };
}

/** One look; `items` is how many picked items the grant showed, 0 for everything of its scope. */
export type AccessLogEntry = { read: Row<'grant_reads'>; items: number };

/** Who read what of this person, the newest first. */
export function accessLog(userId: string, limit: number): Query<AccessLogEntry[]> {
  return {
    key: `support-circle/accessLog/${userId}/${limit}`,
    tables: ['grant_reads', 'consent_grants'],
    async read(tx) {
      const isMine = (row: Row<'grant_reads'>) => row.subject_id === userId && row.deleted_at === null;
      const reads = await tx.latest('grant_reads', 'read', limit, isMine);
      const grants = new Map((await tx.all('consent_grants')).map(grant => [grant.id, grant.item_ids]));
      return reads.map(read => {
        const ids = grants.get(read.grant_id);
        return { read, items: Array.isArray(ids) ? ids.length : 0 };
      });
    },
  };
}

/** How many people help this person at present. */
export function supportNetwork(userId: string): Query<number> {
  return {
    key: `support-circle/supportNetwork/${userId}`,
    tables: ['circle_relationships'],
    async read(tx) {
      const rows = await tx.range('circle_relationships', 'subject', userId, userId);
      return rows.filter(isHelping).length;
    },
  };
}

/** Open action items of a person's private space, by due date. */
export function privateTasks(userId: string): Query<Row<'action_items'>[]> {
  return {
    key: `support-circle/privateTasks/${userId}`,
    tables: ['organizations', 'action_items'],
    async read(tx) {
      const spaces = (await tx.all('organizations')).filter(row => row.kind === 'private' && row.created_by === userId);
      const own = new Set(spaces.map(row => row.id));
      const open = (await openActionsOf(tx, userId)).filter(
        row => own.has(row.organization_id) && row.deleted_at === null,
      );
      return open.toSorted((a, b) => (a.due_at ?? '9999').localeCompare(b.due_at ?? '9999'));
    },
  };
}
