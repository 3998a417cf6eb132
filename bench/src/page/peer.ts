import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { BenchRecord, Digest } from './records.ts';

/** The signed-in member and the place their records stand at. */
export type Member = {
  email: string;
  password: string;
  userId: string;
  organizationId: string;
  siteId: string;
  /** The table RxDB replicates for this repetition, and the raw file's address. */
  table: string;
  rawUrl: string;
  /** The member's own database on the server of PouchDB; empty where none runs. */
  pouchUrl: string;
  records: number;
};

/** Requests and bytes as the browser counted them, bytes as they came over the wire. */
export type Traffic = { requests: number; wireBytes: number; plainBytes: number; serverMs: number; transferMs: number };

export type PullResult = { ms: number; traffic: Traffic };

export type Work = {
  /** Ids of records to edit, one save each; the first `timed` are measured. */
  edit: string[];
  timed: number;
  inserts: number;
};

/** What the driver calls in a page. Every time is in ms; instants are ms since 1970 with fractions. */
export interface Peer {
  signIn(member: Member): Promise<void>;
  /** From an empty device to all records stored for good. */
  pull(): Promise<PullResult>;
  /** Edits and inserts with no network; the measured saves' times. */
  work(work: Work): Promise<number[]>;
  /** Starts sending, or lets it go on; resolves with the instant at which the server had acknowledged everything. */
  acknowledged(): Promise<number>;
  /** Resolves with the instant at which this device held `count` records that `work` touched. */
  converged(count: number): Promise<number>;
  digest(): Promise<Digest>;
  traffic(): Traffic;
  /** Opens what lies on the device, also after its browser died; `pull` does so by itself. */
  open(): Promise<void>;
  /** One edit, one record: the person was told it is saved when these resolve. */
  edit(id: string, title: string): Promise<void>;
  insert(id: string, title: string): Promise<void>;
  /** One whole round with the server, both ways. */
  look(): Promise<void>;
  /** What the device holds. */
  ids(): Promise<string[]>;
  /** Titles that lost against somebody else's and were kept for the person to see. */
  setAside(): Promise<string[]>;
}

/** Every record `work` touched is due in this year: a fact a device can count without reading the records. */
export const WORK_YEAR = '2031';
export const workDue = (index: number): string => new Date(Date.UTC(2031, 0, 1 + (index % 300), 8)).toISOString();

export const editOf = (index: number) => ({ title: `Re-inspect after repair ${index}`, due_at: workDue(index) });

export function insertOf(member: Member, id: string, index: number): BenchRecord & Draft {
  return {
    id,
    organization_id: member.organizationId,
    site_id: member.siteId,
    title: `Replace worn guard rail ${index}`,
    description: 'Seen on the walk round; tape put up, needs a part from the store before the next shift.',
    status: 'open',
    priority: 'high',
    due_at: workDue(index),
    source_type: 'manual',
  };
}

type Draft = {
  organization_id: string;
  site_id: string;
  title: string;
  description: string;
  status: string;
  priority: string;
  due_at: string;
  source_type: string;
};

/** Saves one edit after the other; how long each of the first `timed` took, ms. */
export async function timedEdits({ edit, timed }: Work, save: (id: string, index: number) => Promise<unknown>) {
  const times: number[] = [];
  for (const [index, id] of edit.entries()) {
    const begun = performance.now();
    await save(id, index);
    if (index < timed) times.push(performance.now() - begun);
  }
  return times;
}

/** @throws {Error} unless `count` of these are records that `work` touched */
export function mustHaveWorked(records: readonly BenchRecord[], count: number): void {
  const worked = records.filter(({ due_at }) => String(due_at).startsWith(WORK_YEAR)).length;
  if (worked !== count) throw new Error(`${worked} of ${count} records arrived`);
}

export const instant = (): number => performance.timeOrigin + performance.now();

/** Where the backend is. */
export const backendConfig = async () =>
  (await (await fetch('/config.json')).json()) as { backendUrl: string; publishableKey: string };

/** Signs in with a client made the way the app makes its own. `fetch` only where a peer needs its requests mended. */
export async function signedIn(member: Member, ownFetch?: typeof fetch): Promise<SupabaseClient> {
  const config = await backendConfig();
  const client = createClient(config.backendUrl, config.publishableKey, {
    auth: { persistSession: false },
    ...(ownFetch && { global: { fetch: ownFetch } }),
  });
  const { error } = await client.auth.signInWithPassword({ email: member.email, password: member.password });
  if (error) throw new Error(`sign-in failed: ${error.message}`);
  performance.clearResourceTimings();
  performance.setResourceTimingBufferSize(5000);
  return client;
}

/** What went over the wire since sign-in. */
export function trafficSoFar(): Traffic {
  const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const calls = entries.filter(({ name }) => /\/rest\/v1\/|\/raw-|\/pouch\//.test(name));
  const sum = (of: (entry: PerformanceResourceTiming) => number) =>
    calls.reduce((total, entry) => total + of(entry), 0);
  return {
    requests: calls.length,
    wireBytes: sum(entry => entry.encodedBodySize),
    plainBytes: sum(entry => entry.decodedBodySize),
    serverMs: sum(entry => entry.responseStart - entry.requestStart),
    transferMs: sum(entry => entry.responseEnd - entry.responseStart),
  };
}

declare global {
  interface Window {
    peer: Peer;
  }
}
