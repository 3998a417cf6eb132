import { PLAYBOOK_SENTENCES } from '@cairn/core/spaces/create-playbook.ts';
import { expect, test } from 'vitest';
import spaces from '../../shared/i18n/en/spaces.json';

test('R8.09 R8.10 R8.11 R8.12 R8.13 R8.14 R8.15 what a new playbook says is the specification, letter by letter', () => {
  expect(spaces.playbooks.refused).toEqual(PLAYBOOK_SENTENCES);
  expect(spaces.playbooks.created).toBe('Playbook created successfully!');
});

test('R8.43 R8.44 a plan that cannot be read says so in the words of the specification', () => {
  expect(spaces.plan.unread).toEqual({
    load: 'Failed to load subscription information',
    refresh: 'Failed to refresh subscription information',
  });
});
