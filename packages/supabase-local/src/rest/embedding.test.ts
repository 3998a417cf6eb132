import { expect, test } from 'vitest';
import { embeddingOf } from './embedding.ts';

test.each([
  ['id,title', 0, []],
  ['id,count(),amount.sum(),n:count( )', 0, []],
  ['id,tasks(count())', 1, ['tasks']],
  ['id, owner:profiles!owner_id ( id ), ...sites!inner(name)', 1, ['profiles', 'sites']],
  ['role, organizations (id, name, playbooks (id))', 2, ['organizations', 'playbooks']],
  ['id,tasks(id,organizations(id,tasks(id)))', 3, ['tasks', 'organizations', 'tasks']],
  ['id,"odd(name",tasks(id)', 1, ['tasks']],
  ['(((', 3, ['', '', '']],
])('%s stands %i deep', (select, depth, tables) => {
  expect(embeddingOf(select)).toEqual({ depth, tables });
});
