import { describe, expect, test } from 'vitest';
import type { Row } from '@cairn/schema';
import { createPlaybook } from './create-playbook.ts';

type InsertedRow = Record<string, unknown>;
const stored: Row<'playbooks'> = {
  id: 'p',
  organization_id: 'acme',
  name: 'Night',
  description: null,
  type: 'company',
  locations: [],
  settings: {},
  owner_id: 'me',
  created_at: '2026-11-21T08:00:00Z',
  updated_at: '2026-11-21T08:00:00Z',
  deleted_at: null,
  archived_at: null,
  version: 1,
};

/** A creation by a member of acme, and what was sent for it. */
function attempt(over: Partial<Parameters<typeof createPlaybook>[1]> = {}, name = ' Night ') {
  const sent: InsertedRow[] = [];
  const insert = async (row: InsertedRow) => {
    sent.push(row);
    return { data: stored, error: null };
  };
  const creation = { userId: 'me', organizationId: 'acme', organizationIds: ['acme'], insert, ...over };
  return { sent, outcome: createPlaybook({ name }, creation) };
}
const refusing = (error: { code?: string; message?: string; details?: string }) =>
  attempt({ insert: async () => ({ data: null, error }) }).outcome;

describe('creating a playbook', () => {
  test('R3.06 sends name, type company and no locations, and answers the stored row', async () => {
    const { sent, outcome } = attempt();
    expect(await outcome).toEqual(stored);
    expect(sent).toEqual([
      { name: 'Night', description: null, type: 'company', locations: [], organization_id: 'acme', owner_id: 'me' },
    ]);
  });

  test('R5.01 R8.09 signed out nothing is sent', async () => {
    const { sent, outcome } = attempt({ userId: null });
    await expect(outcome).rejects.toThrow(/^User must be logged in to create playbook$/);
    expect(sent).toEqual([]);
  });

  test('R5.02 R8.10 without an organisation nothing is sent', async () => {
    const { sent, outcome } = attempt({ organizationId: null });
    await expect(outcome).rejects.toThrow(/^No organization selected\. Please select an organization first\.$/);
    expect(sent).toEqual([]);
  });

  test('R8.11 an organisation that is not found, on the device or by the server', async () => {
    const sentence = /^Your organization was not found\. Please contact support\.$/;
    await expect(attempt({ organizationIds: ['other'] }).outcome).rejects.toThrow(sentence);
    await expect(
      refusing({ code: '23503', message: 'violates foreign key', details: 'Key (organization_id) is not present' }),
    ).rejects.toThrow(sentence);
    await expect(refusing({ message: 'Organization xyz was not found' })).rejects.toThrow(sentence);
  });

  test('R8.12 a duplicate key', async () => {
    const sentence = /^A playbook with this name already exists\. Please choose a different name\.$/;
    await expect(refusing({ code: '23505', message: 'duplicate key value' })).rejects.toThrow(sentence);
  });

  test('R8.13 a missing permission', async () => {
    const sentence = /^You don't have permission to create playbooks\. Please contact your administrator\.$/;
    await expect(refusing({ code: '42501', message: 'violates row-level security policy' })).rejects.toThrow(sentence);
  });

  test('R8.14 anything else, no answer at all among it', async () => {
    const sentence = /^Failed to create playbook\. Please try again\.$/;
    await expect(refusing({ code: '57014', message: 'canceled' })).rejects.toThrow(sentence);
    await expect(attempt({ insert: () => Promise.reject(new TypeError('fetch')) }).outcome).rejects.toThrow(sentence);
    await expect(attempt({ insert: async () => ({ data: null, error: null }) }).outcome).rejects.toThrow(sentence);
  });
});
