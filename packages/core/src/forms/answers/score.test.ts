import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '@cairn/schema';
import { compileForm } from '../definition/compiled-form.ts';
import { type FormDraft, type ItemDraft, parseFormDefinition } from '../definition/form-definition.ts';
import { formState } from './form-state.ts';

const moment = { today: '2026-11-21', now: '2026-11-21T09:00:00.000Z' };

function scoreOf(items: ItemDraft[], values: Record<string, Json>, rest: Partial<FormDraft> = {}) {
  const parsed = parseFormDefinition({ format: 1, title: 'Check', items, ...rest });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const result = compileForm(parsed.form);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const answers = new Map(Object.entries(values).map(([path, value]) => [path, { value, note: null, mediaIds: [] }]));
  return formState(result.compiled, answers, moment).score;
}

const passFail = (name: string, weight: number, critical = false): ItemDraft => ({
  type: 'pass_fail',
  name,
  scoring: { weight, critical },
});

describe('points and per cent', () => {
  test('one failure of weight 2 out of 15 points is 87 %', () => {
    const items = Array.from({ length: 12 }, (_, index) => passFail(`q${index}`, index < 3 ? 2 : 1));
    const values = Object.fromEntries(items.map(({ name }) => [name, 'pass']));
    expect(scoreOf(items, { ...values, q0: 'fail' })).toMatchObject({
      points: 13,
      max: 15,
      percent: 87,
      result: 'fail',
    });
  });

  test('N/A and unanswered questions are left out of both sides', () => {
    const items = [passFail('a', 1), passFail('b', 5), passFail('c', 7)];
    expect(scoreOf(items, { a: 'pass', b: 'na' })).toMatchObject({ points: 1, max: 1, percent: 100, result: 'pass' });
  });

  test('when all is N/A there is no score and no result', () => {
    expect(scoreOf([passFail('a', 1)], { a: 'na' })).toMatchObject({ max: 0, percent: null, result: null });
  });

  test('each outermost section has its own score', () => {
    const items: ItemDraft[] = [
      passFail('loose', 1),
      { type: 'group', name: 'g', items: [passFail('a', 1), { type: 'group', name: 'h', items: [passFail('b', 3)] }] },
    ];
    const { sections } = scoreOf(items, { loose: 'pass', 'g.a': 'fail', 'g.h.b': 'pass' });
    expect(Object.fromEntries(sections)).toEqual({
      '': { points: 1, max: 1, percent: 100 },
      g: { points: 3, max: 4, percent: 75 },
    });
  });

  test('tenths of points add up', () => {
    const items = [passFail('a', 0.1), passFail('b', 0.2)];
    expect(scoreOf(items, { a: 'pass', b: 'pass' })).toMatchObject({
      points: 0.3,
      max: 0.3,
      percent: 100,
      result: 'pass',
    });
  });

  test('choices give their points times the weight, several choices all of theirs', () => {
    const choice_lists = { grade: [{ name: 'good', score: 2 }, { name: 'fair', score: 1 }, { name: 'poor' }] };
    const one: ItemDraft = { type: 'select_one', name: 'q', list: 'grade', scoring: { weight: 3, fails: ['poor'] } };
    expect(scoreOf([one], { q: 'fair' }, { choice_lists })).toMatchObject({ points: 3, max: 6, percent: 50 });
    expect(scoreOf([one], { q: 'poor' }, { choice_lists })).toMatchObject({ points: 0, max: 6, result: 'fail' });
    const several: ItemDraft = { type: 'select_multiple', name: 'q', list: 'grade' };
    expect(scoreOf([several], { q: ['good', 'fair'] }, { choice_lists })).toMatchObject({ points: 3, max: 3 });
  });

  test('a number fails by its own rule, and an answer that is not scored counts for nothing', () => {
    const tread: ItemDraft = { type: 'decimal', name: 'tread', scoring: { fail_when: '. < 1.6' } };
    expect(scoreOf([tread], { tread: 1.5 })).toMatchObject({ points: 0, max: 1, result: 'fail' });
    expect(scoreOf([tread], { tread: 1.6 })).toMatchObject({ points: 1, max: 1, result: 'pass' });
    expect(scoreOf([{ type: 'text', name: 'q' }], { q: 'words' })).toMatchObject({ max: 0, result: null });
  });
});

describe('pass or fail', () => {
  test.each([
    { pass_percent: 75, result: 'pass' },
    { pass_percent: 76, result: 'fail' },
  ])('3 of 4 points with a pass mark of $pass_percent %: $result', ({ pass_percent, result }) => {
    expect(scoreOf([passFail('a', 3), passFail('b', 1)], { a: 'pass', b: 'fail' }, { pass_percent }).result).toBe(
      result,
    );
  });

  test('a critical failure fails the whole, whatever the score', () => {
    const items = [passFail('a', 99), passFail('b', 1, true)];
    expect(scoreOf(items, { a: 'pass', b: 'fail' }, { pass_percent: 10 }).result).toBe('fail');
  });

  test('failures that weigh nothing still fail where nothing else counts', () => {
    expect(scoreOf([passFail('a', 0)], { a: 'fail' })).toMatchObject({ max: 0, result: 'fail' });
  });
});

const anyForm = fc.array(fc.record({ weight: fc.nat(9), answer: fc.constantFrom('pass', 'fail', 'na', null) }), {
  maxLength: 12,
});

test('points stay between nothing and all, and mending one failure never lowers the score', () => {
  fc.assert(
    fc.property(anyForm, fc.nat(11), (questions, which) => {
      const items = questions.map(({ weight }, index) => passFail(`q${index}`, weight));
      const values = Object.fromEntries(questions.map(({ answer }, index) => [`q${index}`, answer]));
      const before = scoreOf(items, values);
      expect(before.points).toBeGreaterThanOrEqual(0);
      expect(before.points).toBeLessThanOrEqual(before.max);
      if (values[`q${which}`] !== 'fail') return;
      const mended = scoreOf(items, { ...values, [`q${which}`]: 'pass' });
      expect(mended.points).toBe(before.points + (questions[which]?.weight ?? 0));
      expect(mended.max).toBe(before.max);
    }),
  );
});
