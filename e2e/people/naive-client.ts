import type { Page, Route } from '@playwright/test';
import { PACE_MS } from './pace.ts';
import type { Phone } from '../rig/phone.ts';

/** One answer as a naive app keeps it: the whole row, and whether it was sent. */
type CachedAnswer = { row: { id?: string; [field: string]: unknown }; sent: boolean };

/**
 * What many apps do, for the harness to find fault with: it says "saved" before the storage has it, writes to the storage a
 * moment later, sends whole rows without an id of its own, and calls them sent when it hears so.
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- it goes into the page as one piece of text
function naiveClient({ paceMs }: { paceMs: number }) {
  const STORE = 'naive';
  const WRITE_AFTER_MS = 200;
  const opening = new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(STORE, 1);
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE));
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('no database')));
  });
  let kept: CachedAnswer[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const persist = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void opening.then(db => db.transaction(STORE, 'readwrite').objectStore(STORE).put(kept, 'all'));
    }, WRITE_AFTER_MS);
  };
  const ask = (path: string, method: string, body: unknown) =>
    fetch(`/rest/v1/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return {
    async load() {
      const db = await opening;
      kept = await new Promise<CachedAnswer[]>(resolve => {
        const request = db.transaction(STORE).objectStore(STORE).get('all');
        request.addEventListener('success', () => resolve((request.result as CachedAnswer[] | undefined) ?? []));
      });
    },
    /** At the pace of a person with a form. */
    async save(row: CachedAnswer['row']) {
      kept.push({ row, sent: false });
      persist();
      await new Promise(resolve => setTimeout(resolve, paceMs));
    },
    /** @returns `sent` once everything is, else what the server said */
    async sync(): Promise<string> {
      for (const each of kept) {
        if (each.sent) continue;
        const { id, ...fields } = each.row;
        const answer = await (
          id === undefined ? ask('action_items', 'POST', fields) : ask(`action_items?id=eq.${id}`, 'PATCH', fields)
        ).catch(() => null);
        if (!answer?.ok) return answer ? `${answer.status} ${await answer.text()}` : 'no answer';
        each.sent = true;
        persist();
      }
      return 'sent';
    },
  };
}

type Client = ReturnType<typeof naiveClient>;
declare global {
  var naive: Client | undefined;
}

const ADDRESS = '/naive-client';

/** Somebody who does the same work with it: twelve answers and one change of a row that somebody else changes meanwhile. */
export class NaiveWorker {
  /** Answers the client called saved. */
  readonly saved = new Set<string>();
  readonly phone: Phone;
  private readonly url: string;
  private readonly key: string;

  constructor(phone: Phone, url: string, key: string) {
    this.phone = phone;
    this.url = url;
    this.key = key;
  }

  private get page(): Page {
    return this.phone.page;
  }

  /** Its page needs no server, like an installed app. */
  async open(): Promise<void> {
    const page = (route: Route) => route.fulfill({ contentType: 'text/html', body: '<h1>Naive</h1>' });
    await this.phone.context.route(`${this.url}${ADDRESS}`, page);
    await this.phone.context.route(`${this.url}/rest/v1/action_items*`, route => this.pass(route));
    await this.page.goto(`${this.url}${ADDRESS}`);
    await this.page.evaluate(`globalThis.naive = (${String(naiveClient)})(${JSON.stringify({ paceMs: PACE_MS })})`);
    await this.page.evaluate(() => globalThis.naive?.load());
  }

  /** The server takes no direct writes from people: they go with the key that may, which no browser may hold. */
  private async pass(route: Route): Promise<void> {
    const headers = { apikey: this.key, 'content-type': 'application/json', prefer: 'return=minimal' };
    const request = route.request();
    const answer = await fetch(request.url(), { method: request.method(), headers, body: request.postData() });
    // Whoever asked may have died meanwhile.
    await route.fulfill({ status: answer.status, body: await answer.text() }).catch(() => undefined);
  }

  async save(name: string, row: CachedAnswer['row']): Promise<void> {
    await this.page.evaluate(fields => globalThis.naive?.save(fields), row);
    this.saved.add(name);
  }

  /** @returns `sent` once everything it still knows of is */
  async sync(): Promise<string> {
    return (await this.page.evaluate(() => globalThis.naive?.sync())) ?? 'no client';
  }
}
