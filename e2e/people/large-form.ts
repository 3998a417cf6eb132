import type { Sheets } from '@cairn/testing/workbook-builder.ts';

const ROWS = 20_000 - 1;
/** Towns of no country: letters that do not repeat, or a zip would make little of them. */
function* syllables(): Generator<string> {
  let state = 20_261_128;
  for (;;) {
    state = (state * 48_271) % 2_147_483_647;
    yield state.toString(36);
  }
}

const words = syllables();
const town = (parts: number): string => Array.from({ length: parts }, () => words.next().value as string).join(' ');

/** A form whose one question has as many choices as a list may have: a workbook of more than 2 MB. */
export const LARGE_FORM: Sheets = {
  survey: [
    ['type', 'name', 'label'],
    ['select_one towns', 'town', 'Where is it?'],
  ],
  choices: [
    ['list_name', 'name', 'label'],
    ...Array.from({ length: ROWS - 1 }, (_, at) => ['towns', `t${at}`, town(18)]),
  ],
};
