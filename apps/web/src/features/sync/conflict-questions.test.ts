import { describe, expect, test } from 'vitest';
import { questionsOf, resolutionOf } from './conflict-questions.ts';

const field = (f: string) => ({ f, base: `${f} before`, mine: `${f} mine`, theirs: `${f} theirs` });
const action = (...names: string[]) => questionsOf({ table: 'action_items', fields: names.map(field) });

describe('what a conflict asks', () => {
  test('fields that belong together are one question, named for the first of their group', () => {
    const questions = action('closed_at', 'status', 'title');
    expect(questions.map(question => question.lead.f)).toEqual(['status', 'title']);
    expect(questions[0]?.fields.map(each => each.f)).toEqual(['closed_at', 'status']);
  });

  test('keeping all of mine, or all of theirs, is said in one word', () => {
    const questions = action('title', 'due_at');
    expect(resolutionOf(questions, [{ keep: 'mine' }, { keep: 'mine' }])).toEqual({ keep: 'mine' });
    expect(resolutionOf(questions, [{ keep: 'theirs' }, { keep: 'theirs' }])).toEqual({ keep: 'theirs' });
  });

  test('a mixed choice sends what I keep, field by field, and leaves theirs alone', () => {
    const questions = action('status', 'closed_by', 'title', 'due_at');
    const choices = [{ keep: 'mine' }, { keep: 'theirs' }, { keep: 'theirs' }] as const;
    expect(resolutionOf(questions, choices)).toEqual({
      keep: 'other',
      values: { status: 'status mine', closed_by: 'closed_by mine' },
    });
  });

  test('a third value is sent as written', () => {
    const choices = [{ keep: 'other', value: 'Guard of conveyor 2' }] as const;
    expect(resolutionOf(action('title'), choices)).toEqual({
      keep: 'other',
      values: { title: 'Guard of conveyor 2' },
    });
  });
});
