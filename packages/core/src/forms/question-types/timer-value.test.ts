import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '@cairn/schema';
import { compileForm } from '../definition/compiled-form.ts';
import { type ItemDraft, parseFormDefinition } from '../definition/form-definition.ts';
import { formState } from '../answers/form-state.ts';
import {
  isTimerValue,
  MAX_TIMER_SECONDS,
  pauseTimer,
  secondsFrom,
  secondsShown,
  spanText,
  startTimer,
} from './timer-value.ts';

const START = Date.parse('2026-11-21T09:00:00.000Z');
const tenths = fc.integer({ min: 0, max: MAX_TIMER_SECONDS * 10 }).map(value => value / 10);
/** How the device's clock moves between two presses: mostly on, now and then back. */
const moves = fc.array(fc.integer({ min: -3_600_000, max: 7_200_000 }), { maxLength: 12 });

describe('a stopwatch', () => {
  test('shows what has gone by since it was started, paused or not, whoever looks in between', () => {
    const running = startTimer(null, START);
    // The app is closed and opened again: only what was kept is there.
    const kept: Json = JSON.parse(JSON.stringify(running));
    expect(secondsShown(kept, START + 90_500)).toBe(90.5);
    const paused = pauseTimer(kept, START + 90_500);
    expect(secondsShown(paused, START + 500_000)).toBe(90.5);
    expect(pauseTimer(startTimer(paused, START + 600_000), START + 609_500)).toBe(100);
  });

  test('however the clock jumps, it never shows less than was measured before, nor a negative time', () => {
    fc.assert(
      fc.property(tenths, moves, (seconds, jumps) => {
        let now = START;
        let measured = seconds;
        for (const jump of jumps) {
          const running = startTimer(measured, now);
          now += jump;
          const after = pauseTimer(running, now);
          expect(after).toBeGreaterThanOrEqual(measured);
          expect(isTimerValue(after)).toBe(true);
          measured = after;
        }
      }),
    );
  });

  test('started twice it runs on', () => {
    const running = startTimer(12, START);
    expect(startTimer(running, START + 5000)).toBe(running);
  });

  test.each<[Json]>([
    ['1:30'],
    [-1],
    [MAX_TIMER_SECONDS + 1],
    [Number.NaN],
    [{ seconds: 1 }],
    [{ seconds: -1, since: '2026-11-21T09:00:00Z' }],
    [{ seconds: 1, since: 'soon' }],
    [[3]],
  ])('%j is no answer of one', value => {
    expect(isTimerValue(value)).toBe(false);
    expect(secondsShown(value, START)).toBe(null);
  });
});

describe('a length of time typed by hand', () => {
  test('what is printed is read as the same', () => {
    fc.assert(
      fc.property(tenths, seconds => {
        expect(secondsFrom(spanText(seconds))).toBe(seconds);
        expect(secondsFrom(spanText(seconds).replace('.', ','))).toBe(seconds);
      }),
    );
  });

  test.each([
    ['1:30', 90],
    ['90', 90],
    ['0:05,5', 5.5],
    ['1:02:05', 3725],
    ['90:00', 5400],
    [' 1:30 ', 90],
    ['1:60', null],
    ['1:60:00', null],
    ['-1:00', null],
    ['', null],
    ['1:3:', null],
    ['99999999', null],
  ])('"%s" is %s seconds', (typed, seconds) => {
    expect(secondsFrom(typed)).toBe(seconds);
  });
});

describe('a stopwatch in a form', () => {
  const moment = { today: '2026-11-21', now: '2026-11-21T09:00:00.000Z' };
  const items: ItemDraft[] = [
    { type: 'timer', name: 'flush', target_seconds: 60, constraint: '. >= 30', scoring: { fail_when: '. > 120' } },
    { type: 'text', name: 'why', relevant: '${flush} > 60' },
    { type: 'calculate', name: 'minutes', calculation: '${flush} div 60' },
  ];
  function stateWith(value: Json) {
    const parsed = parseFormDefinition({ format: 1, title: 'Flush', items });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    const compiled = compileForm(parsed.form);
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
    return formState(compiled.compiled, new Map([['flush', { value, note: null, mediaIds: [] }]]), moment);
  }

  test('is a number of seconds to conditions, calculations and points', () => {
    const long = stateWith(150);
    expect(long.questions.map(({ path }) => path)).toEqual(['flush', 'why']);
    expect(long.calculated[0]?.value).toBe(2.5);
    expect(long.questions[0]?.score.outcome).toBe('fail');
    expect(stateWith(45).questions.map(({ path, problem }) => [path, problem])).toEqual([['flush', null]]);
    expect(stateWith(20).questions[0]?.problem?.kind).toBe('constraint');
  });

  test('that runs blocks finishing, counts as answered, and is not measured against its bounds yet', () => {
    const [question] = stateWith({ seconds: 4, since: moment.now }).questions;
    expect(question).toMatchObject({ answered: true, problem: { kind: 'running' } });
    expect(stateWith('soon').questions[0]?.problem?.kind).toBe('wrong_type');
  });
});
