import { describe, expect, test } from 'vitest';
import { raiseFaults, readErrorCodes, tableFaults, unknownCodes } from './error-code-rules.ts';

const TABLE = `code\tsqlstate\tsentence
CN001\t42501\tsomebody else's stays
CN002\t23514\ta version that is % cannot become %
`;
const codes = new Map(readErrorCodes(TABLE).map(each => [each.code, each]));

function faultsOf(sql: string) {
  const used = new Set<string>();
  return { faults: raiseFaults(sql, codes, used), used: [...used] };
}

describe('raiseFaults', () => {
  test.each([
    "raise exception 'somebody else''s stays' using errcode = '42501', detail = 'CN001';",
    "if x then raise exception 'somebody else''s stays' using errcode = '42501', hint = 'a; b', detail = 'CN001'; end if;",
    "raise exception using errcode = '42501', message = 'somebody else''s stays', detail = 'CN001';",
  ])('lets %s pass', sql => {
    expect(faultsOf(sql)).toEqual({ faults: [], used: ['CN001'] });
  });

  test('of a sentence with values it is the sentence as written that has the code', () => {
    const sql =
      "raise exception 'a version that is % cannot become %', a, coalesce(b, 'x') using errcode = '23514', detail = 'CN002';";
    expect(faultsOf(sql)).toEqual({ faults: [], used: ['CN002'] });
  });

  test.each([
    ["raise exception 'not so' using errcode = '42501';", '"not so" has no code: detail = \'CN…\''],
    ["raise exception 'not so' using errcode = '42501', detail = 'why';", '"not so" has no code: detail = \'CN…\''],
    ["raise exception 'not so' using errcode = '42501', detail = 'CN001';", 'CN001 does not stand for "not so"'],
    ["raise exception 'not so' using errcode = '42501', detail = 'CN009';", 'CN009 does not stand for "not so"'],
    [
      "raise exception 'somebody else''s stays' using errcode = '23514', detail = 'CN001';",
      'CN001 is raised as 23514, not 42501',
    ],
  ])('reports %s', (sql, fault) => {
    expect(faultsOf(sql).faults).toEqual([fault]);
  });

  test('what Postgres itself would say has no code, for that would tell who said it', () => {
    const says = `raise exception 'new row violates row-level security policy for table "%"', t using errcode = '42501'`;
    expect(faultsOf(`${says};`).faults).toEqual([]);
    expect(faultsOf(`${says}, detail = 'CN001';`).faults).toHaveLength(1);
  });

  test('comments raise nothing', () => {
    expect(faultsOf("-- raise exception 'not so';\nselect '-- no comment';")).toEqual({ faults: [], used: [] });
  });
});

test('a code stands for one sentence, in order', () => {
  expect(tableFaults(readErrorCodes(TABLE))).toEqual([]);
  expect(tableFaults(readErrorCodes(`${TABLE}CN002\t42501\tnew\n`))).toEqual([
    'CN002 does not follow the code before it',
  ]);
  expect(tableFaults(readErrorCodes(`${TABLE}CN003\t42501\tsomebody else's stays\n`))).toHaveLength(1);
  expect(tableFaults(readErrorCodes(`${TABLE}X1\t42501\tnew\n`))).toHaveLength(1);
});

test('a code that TypeScript names is in the table', () => {
  expect(unknownCodes("new Set(['CN001', 'CN009'])", codes)).toEqual(['CN009']);
});
