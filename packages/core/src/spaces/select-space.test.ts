import { expect, test } from 'vitest';
import { chooseOrganization } from './current-space.ts';
import { selectOrganization, selectPlaybook } from './select-space.ts';

const organizations = [{ id: 'acme' }, { id: 'other' }];
const chosen = { organizationId: 'acme', playbookId: 'b', playbooks: [{ id: 'a' }, { id: 'b' }] };

test('R5.08 an unknown organisation or playbook changes nothing', () => {
  expect(selectOrganization(chosen, organizations, 'gone')).toBe(chosen);
  expect(selectPlaybook(chosen, 'gone')).toBe(chosen);
});

test('R4.22 choosing an organisation clears the playbook and the list, to be read anew', () => {
  expect(selectOrganization(chosen, organizations, 'other')).toEqual({
    organizationId: 'other',
    playbookId: null,
    playbooks: [],
  });
  expect(selectOrganization(chosen, organizations, 'acme')).toBe(chosen);
  expect(selectPlaybook(chosen, 'a')).toEqual({ ...chosen, playbookId: 'a' });
});

test('R4.23 on load the saved organisation is used, else the first of those one belongs to', () => {
  const now = '2026-11-21T09:00:00Z';
  const only = [{ organization_id: 'acme', joined_at: '2026-01-01T00:00:00Z', activation_source: null }];
  const two = [...only, { organization_id: 'other', joined_at: '2025-01-01T00:00:00Z', activation_source: null }];
  expect(chooseOrganization(two, { stored: 'other', now })).toBe('other');
  expect(chooseOrganization(two, { stored: null, now })).toBe('acme');
});
