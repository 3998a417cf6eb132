import 'fake-indexeddb/auto';
import { applied, opened, scripted } from '@cairn/testing/scripted-server.ts';
import { afterEach, expect, test, vi } from 'vitest';
import type { OutboxItem } from '../outbox/outbox-item.ts';

const begin = IDBDatabase.prototype.transaction;
afterEach(() => {
  IDBDatabase.prototype.transaction = begin;
  vi.unstubAllGlobals();
});

test('whoever watches a list hears that it could not be read, and is told again when watching anew', async () => {
  vi.stubGlobal('reportError', () => {});
  const { engine, put, until } = await opened(scripted(applied).backend);
  await put(1, { title: 'kept' });
  const heard: unknown[] = [];
  let told: OutboxItem[] | null = null;
  const hear = (error: unknown) => heard.push(error);
  IDBDatabase.prototype.transaction = () => {
    throw new DOMException('the storage gave way', 'UnknownError');
  };
  engine.watchOutbox(items => (told = items), hear);
  engine.watchConflicts(() => {}, hear);
  engine.watchReceipts(() => {}, hear);
  await until(() => heard.length === 3);
  expect(told).toBeNull();
  IDBDatabase.prototype.transaction = begin;
  engine.watchOutbox(items => (told = items), hear);
  await until(() => told?.length === 1);
  expect(heard.length).toBe(3);
});
