import { describe, expect, test } from 'vitest';
import { policyFaults } from './policy-rules.ts';

const policy = (expression: string) => `create policy "p" on t for select to authenticated using (${expression});`;

describe('policyFaults', () => {
  test.each([
    'user_id = (select auth.uid())',
    "organization_id in (select my_organizations_with('action.work'))",
    'scopes && (select array(select my_scopes()))',
    'id in (select m.id from m where m.user_id = (select auth.uid()))',
    "state = 'open' and deleted_at is null",
  ])('lets %s pass', expression => {
    expect(policyFaults(policy(expression))).toEqual([]);
  });

  test.each([
    { expression: 'user_id = auth.uid()', fault: 'auth.uid() stands outside a (select …): it runs once per row' },
    { expression: 'may_see(organization_id)', fault: 'may_see() is given a column: it runs once per row' },
    { expression: '(select may_see(t.id))', fault: 'may_see() is given a column: it runs once per row' },
  ])('reports $expression', ({ expression, fault }) => {
    expect(policyFaults(policy(expression))).toEqual([{ policy: '"p"', fault }]);
  });

  test('does not look into comments', () => {
    expect(policyFaults('-- create policy "p" on t using (f(x));')).toEqual([]);
  });
});
