// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { QuestionState } from '@cairn/core/forms/answers/form-state.ts';
import type { Json } from '@cairn/schema';
import { AnswerControl } from './answer-control.tsx';

afterEach(cleanup);

/** As much of a question's state as a number field reads. */
const hours = (value: Json) => ({ question: { type: 'decimal', name: 'hours' }, value }) as unknown as QuestionState;

function field() {
  const answers: Json[] = [];
  const control = (value: Json) => (
    <AnswerControl
      question={hours(value)}
      values={{} as never}
      label="Hours"
      onAnswer={answer => answers.push(answer)}
      onLeave={() => undefined}
      language="en"
    />
  );
  const { rerender } = render(control(3));
  const input = screen.getByLabelText<HTMLInputElement>('Hours');
  return { answers, input, store: (value: Json) => rerender(control(value)) };
}

test('a number answered in another tab is shown here, and typing goes on from it', async () => {
  const { input, store, answers } = field();
  store(7);
  expect(input.value).toBe('7');
  await userEvent.type(input, '5');
  expect(answers).toEqual([75]);
});

test('what is being typed is not replaced; what was typed stays as typed once it is the answer', async () => {
  const { input, store } = field();
  await userEvent.clear(input);
  await userEvent.type(input, '1,5');
  store(7);
  expect(input.value).toBe('1,5');
  store(1.5);
  await userEvent.tab();
  expect(input.value).toBe('1,5');
  store(8);
  expect(input.value).toBe('8');
});
