// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { QuestionState } from '@cairn/core/forms/answers/form-state.ts';
import { ANSWER_SEEN_MS, useAutoAdvance } from './use-auto-advance.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const question = (part: Partial<QuestionState> = {}) =>
  ({ path: 'tyres', answered: false, problem: null, followUp: null, ...part }) as QuestionState;
const wait = (ms: number): void => {
  act(() => void vi.advanceTimersByTime(ms));
};

/** What came of an answer: the shown question as it is once the press was worked out. */
function press(
  value: 'pass' | 'fail' | 'na',
  given: { isOn?: boolean; before?: QuestionState; after?: QuestionState | null } = {},
) {
  const { isOn = true, before = question(), after = question({ answered: true }) } = given;
  const next = vi.fn();
  const { result, unmount } = renderHook(() => useAutoAdvance({ isOn, settled: () => after, next }));
  act(() => result.current.answered(before, 'Tyres', value));
  return { result, next, unmount };
}

test.each(['pass', 'na'] as const)(
  'after %s the next question comes, once the answer was seen, and says what was left',
  value => {
    const { result, next } = press(value);
    wait(ANSWER_SEEN_MS - 1);
    expect([next.mock.calls.length, result.current.left]).toEqual([0, null]);
    wait(1);
    expect(next).toHaveBeenCalledOnce();
    expect(result.current.left).toEqual({ path: 'tyres', label: 'Tyres', value });
    act(() => result.current.stop());
    expect(result.current.left).toBeNull();
  },
);

const problem = { kind: 'evidence' } as unknown as NonNullable<QuestionState['problem']>;
const followUp = { action: true } as unknown as NonNullable<QuestionState['followUp']>;
test.each([
  ['a failure', 'fail', {}],
  ['an answer that is changed', 'pass', { before: question({ answered: true }) }],
  ['an answer that asks for evidence', 'pass', { after: question({ answered: true, problem }) }],
  ['an answer with a follow-up', 'na', { after: question({ answered: true, followUp }) }],
  ['a person who left meanwhile', 'pass', { after: question({ path: 'horn' }) }],
  ['a person at the review', 'pass', { after: null }],
  ['a person who does not want it', 'pass', { isOn: false }],
] as const)('%s stays where it is', (_, value, given) => {
  const { result, next } = press(value, given);
  wait(10 * ANSWER_SEEN_MS);
  expect([next.mock.calls.length, result.current.left]).toEqual([0, null]);
});

test('another move in that moment counts: the question does not go on behind it', () => {
  const { result, next, unmount } = press('pass');
  act(() => result.current.stop());
  wait(ANSWER_SEEN_MS);
  expect(next).not.toHaveBeenCalled();
  act(() => result.current.answered(question(), 'Tyres', 'pass'));
  unmount();
  wait(ANSWER_SEEN_MS);
  expect(next).not.toHaveBeenCalled();
});
