import { describe, expect, test } from 'vitest';
import { isSameAnswer, questionsOf, resolutionOf } from './conflict-questions.ts';

const field = (f: string) => ({ f, base: `${f} before`, mine: `${f} mine`, theirs: `${f} theirs` });
const action = (...names: string[]) => questionsOf({ table: 'action_items', fields: names.map(field) });

describe('what a conflict asks', () => {
  test('fields that belong together are one question, named for the first of their group', () => {
    const questions = action('closed_at', 'status', 'title');
    expect(questions.map(question => question.lead.f)).toEqual(['status', 'title']);
    expect(questions[0]?.fields.map(each => each.f)).toEqual(['closed_at', 'status']);
  });

  test('who answered, and when, is asked with the answer, and with nothing else', () => {
    const asked = (...names: string[]) => questionsOf({ table: 'inspection_answers', fields: names.map(field) });
    const namesOf = (questions: ReturnType<typeof asked>) => questions.map(({ fields }) => fields.map(({ f }) => f));
    expect(namesOf(asked('answered_at', 'note', 'score', 'value', 'answered_by'))).toEqual([
      ['answered_at', 'score', 'value', 'answered_by'],
      ['note'],
    ]);
    expect(asked('answered_at', 'value')[0]?.lead.f).toBe('value');
    expect(namesOf(questionsOf({ table: 'findings', fields: ['title', 'answered_at'].map(field) }))).toHaveLength(2);
  });

  test('two who gave the same answer differ in who gave it and when alone', () => {
    const isSame = (...names: string[]) => isSameAnswer({ table: 'inspection_answers', fields: names.map(field) });
    expect(isSame('answered_at', 'answered_by')).toBe(true);
    expect(isSame('answered_at', 'note')).toBe(false);
    expect(isSame()).toBe(false);
    expect(isSameAnswer({ table: 'findings', fields: [field('answered_at')] })).toBe(false);
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
