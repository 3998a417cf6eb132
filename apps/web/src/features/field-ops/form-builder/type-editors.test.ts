import { describe, expect, test } from 'vitest';
import { parseFormDefinition, type Question } from '@cairn/core/forms/definition/form-definition.ts';
import {
  asksNothing,
  choosesFromList,
  isFittedType,
  isMedia,
  judges,
  questionTypeDef,
  questionTypes,
} from '@cairn/core/forms/question-types/question-types.ts';
import { readTypeAppearance, typeAppearance } from '@cairn/core/odk/type-appearance.ts';
import { readType } from '@cairn/core/xlsform/xlsform-types.ts';
import german from '../../../shared/i18n/de/field.json';
import english from '../../../shared/i18n/en/field.json';
import { answerControls, filesAnswering } from '../answers/answer-controls.ts';
import { typeEditors, typesOn } from './type-editors.ts';

const all = [...questionTypes].toSorted();

test('question types: core, runner, builder and the texts of each language know the same ones', () => {
  for (const known of [answerControls, typeEditors, english.types, german.types])
    expect(Object.keys(known).toSorted()).toEqual(all);
});

test('question types: each is offered once by the builder', () => {
  const offered = (['check', 'write', 'prove', 'quiet'] as const).flatMap(typesOn);
  expect(offered.toSorted()).toEqual(all);
});

describe.each(questionTypes)('question type %s', type => {
  const def = questionTypeDef(type);
  const needs = {
    ...def.begins,
    ...(choosesFromList(type) && { list: 'l' }),
    ...(def.needs === 'calculation' && { calculation: '1' }),
  };

  test('stands in a form', () => {
    const items = [{ type, name: 'q', ...needs }];
    const form = { format: 1, title: 'Any', choice_lists: { l: [{ name: 'a' }] }, items };
    expect(parseFormDefinition(form)).toMatchObject({ ok: true, form: { items } });
  });

  test('is answered in the runner by what core says an answer is', () => {
    const control = answerControls[type];
    expect(control === 'nobody').toBe(asksNothing(type));
    expect(control === 'foot').toBe(judges(type));
    expect(filesAnswering(type) !== null).toBe(isMedia(type));
  });

  test('has its name, its hint and what an answer must be in each language', () => {
    for (const said of [english.types[type], german.types[type]]) {
      expect(said).toMatchObject({ name: expect.stringMatching(/\S/), hint: expect.stringMatching(/\S/) });
      expect('misfit' in said).toBe(isFittedType(type));
    }
  });

  test('is read from an XLSForm as it is written', () => {
    const { written } = def.xlsform;
    const read = readType(choosesFromList(type) ? `${written} l` : written);
    expect(read.kind).toBe('question');
    const appearance = typeAppearance(type, undefined);
    const question = { ...read, name: 'q', ...(appearance !== undefined && { appearance }) } as Question;
    readTypeAppearance(question);
    expect(question).toMatchObject({ type, name: 'q' });
  });
});
