import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { zipSync } from 'fflate';
import { workbook } from '@cairn/testing/workbook-builder.ts';

const COLUMNS = ['type', 'name', 'label', 'required', 'relevant', 'constraint', 'constraint_message'];

/** A manager's own form: a group, a text, a number with limits, a choice, a question that depends on it, and a row nobody understands. */
export const LADDER_CHECK = {
  survey: [
    COLUMNS,
    ['begin_group', 'ladder', 'The ladder'],
    ['text', 'number', 'Number on the ladder', 'yes'],
    ['integer', 'rungs', 'How many rungs?', 'yes', null, '. >= 2 and . <= 40', 'Between 2 and 40 rungs'],
    ['select_one states', 'state', 'What state is it in?', 'yes'],
    ['text', 'damage', 'What is damaged?', 'yes', "${state} = 'damaged'"],
    ['end_group'],
    ['background-audio', 'sound', 'What is heard meanwhile?'],
  ],
  choices: [
    ['list_name', 'name', 'label', 'media::image'],
    ['states', 'good', 'Good'],
    ['states', 'damaged', 'Damaged', 'damaged.jpg'],
  ],
  settings: [
    ['form_title', 'form_id', 'version'],
    ['Ladder check', 'ladder_check', '1'],
  ],
};

/** One question of every type a phone can be asked. */
export const EVERY_TYPE = {
  survey: [
    COLUMNS,
    ['note', 'hello', 'Read this first'],
    ['text', 'name', 'Your words'],
    ['integer', 'whole', 'A whole number'],
    ['decimal', 'number', 'A number'],
    ['date', 'day', 'A day'],
    ['time', 'hour', 'A time'],
    ['select_one colours', 'one', 'One colour'],
    ['select_multiple colours', 'several', 'Several colours'],
    ['pass_fail', 'fine', 'All is fine', 'yes'],
    ['photo', 'picture', 'A picture'],
    ['signature', 'hand', 'Your hand'],
    ['barcode', 'code', 'A code'],
    ['dateTime', 'moment', 'A moment'],
    ['range', 'scale', 'A number on a scale'],
    ['rank colours', 'order', 'Colours in order'],
    ['acknowledge', 'seen', 'The rules of the yard'],
    ['geopoint', 'place', 'A place'],
    ['audio', 'sound', 'A sound'],
    ['background-audio', 'meanwhile', 'What is heard meanwhile?'],
  ],
  choices: [
    ['list_name', 'name', 'label'],
    ['colours', 'red', 'Red'],
    ['colours', 'green', 'Green'],
  ],
  settings: [['form_title'], ['Every type']],
};

/** A workbook one formula of which calls a function that does not exist. */
export const BROKEN_CHECK = {
  survey: [
    ['type', 'name', 'label', 'calculation'],
    ['text', 'number', 'Number on the ladder'],
    ['calculate', 'twice', null, 'double(${number})'],
  ],
  settings: [['form_title'], ['Broken check']],
};

type Sheets = Parameters<typeof workbook>[0];

/** What a file chooser hands over. */
export const chosen = (name: string, bytes: ArrayBuffer | string) => ({
  name,
  mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  buffer: typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(new Uint8Array(bytes)),
});

/** A workbook and, beside it, the picture of one of its choices. */
export const chosenWithPicture = (name: string, sheets: Sheets, picture: string) => ({
  name: name.replace('.xlsx', '.zip'),
  mimeType: 'application/zip',
  buffer: Buffer.from(
    zipSync({ [name]: new Uint8Array(workbook(sheets)), 'media/damaged.jpg': new Uint8Array(readFileSync(picture)) }),
  ),
});

export const chosenWorkbook = (name: string, sheets: Sheets) => chosen(name, workbook(sheets));
