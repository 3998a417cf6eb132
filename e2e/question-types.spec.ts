import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test, type Page } from '@playwright/test';
import { photoOf } from './people/photo-of-code.ts';
import { FieldWorker, PHOTO, signIn } from './people/field-worker.ts';
import { chosenWorkbook } from './people/ladder-check.ts';
import { cutOff } from './rig/cut-off.ts';
import { PHONE, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';
import { choose } from './rig/choose.ts';

/** Every kind of answer that is neither a text, a number nor a choice. */
const YARD_CHECK = {
  survey: [
    ['type', 'name', 'label', 'appearance', 'parameters', 'default', 'repeat_count'],
    ['range', 'load', 'How full is the yard?', null, 'start=0 end=10 step=1'],
    ['range', 'tidy', 'How tidy is it?', 'rating', 'start=1 end=5 step=1'],
    ['rank risks', 'order', 'Which risk comes first?'],
    ['acknowledge', 'rules', 'The rules of the yard'],
    ['image', 'fence', 'What does the fence look like?', 'annotate'],
    ['barcode', 'gate', 'What does the gate tag say?', null, null, 'G-7'],
    ['dateTime', 'seen', 'When did you look?'],
    ['geopoint', 'place', 'Where do you stand?'],
    ['audio', 'sound', 'What does the fan sound like?'],
    ['begin_repeat', 'trucks', 'Truck'],
    ['integer', 'plate', 'Number of truck'],
    ['end_repeat'],
  ],
  choices: [
    ['list_name', 'name', 'label'],
    ['risks', 'fire', 'Fire'],
    ['risks', 'fall', 'Falls'],
  ],
  settings: [['form_title'], ['Yard check']],
};

/** A label nobody can break, where one chooses. */
const WORD = 'Unbroken'.repeat(60);
const LONG_WORDS = {
  survey: [
    ['type', 'name', 'label'],
    ['select_one long', 'one', 'Which one?'],
    ['select_multiple long', 'several', 'Which ones?'],
    ['rank long', 'order', 'Which order?'],
  ],
  choices: [
    ['list_name', 'name', 'label'],
    ['long', 'a', WORD],
    ['long', 'b', 'Short'],
  ],
  settings: [['form_title'], ['Long words']],
};

let server: ServerProcess;
let facts: ServerFacts;
let worker: FieldWorker;

test.beforeAll(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
  worker = new FieldWorker(await Phone.open(PHONE, { isWhole: true }), server.url);
  await signIn(worker.page, server.url, 'manager');
});

test.afterAll(async () => {
  await worker.phone.close();
  await server.stop();
});

test.afterEach(() => worker.phone.screenshot('yard'));

async function importForm(page: Page, form: typeof YARD_CHECK | typeof LONG_WORDS = YARD_CHECK): Promise<void> {
  await page.goto(`${server.url}/field/forms`);
  await page.getByRole('button', { name: 'Import a form' }).first().click();
  const sheet = page.getByRole('dialog');
  await sheet.locator('input[type=file]').setInputFiles(chosenWorkbook('yard.xlsx', form));
  await expect(sheet.getByText('Everything can be imported')).toBeVisible();
  await sheet.getByRole('button', { name: 'Import and publish' }).click();
  await expect(sheet).toHaveCount(0);
}

const at = (page: Page, question: string) => expect(page.getByRole('heading', { level: 1 })).toContainText(question);

/** The first half, one screen after the other. */
async function answerScales(page: Page): Promise<void> {
  await at(page, 'How full is the yard?');
  await page.getByRole('slider').fill('7');
  await worker.phone.screenshot('slider');
  await worker.next();
  await at(page, 'How tidy is it?');
  await choose(page.getByRole('radio', { name: '4' }));
  await worker.phone.screenshot('rating');
  await worker.next();
  await at(page, 'Which risk comes first?');
  await page.getByRole('button', { name: 'Move Falls up' }).click();
  await worker.phone.screenshot('rank');
  await worker.next();
  await at(page, 'The rules of the yard');
  await choose(page.getByRole('checkbox'));
  await worker.phone.screenshot('acknowledge');
  await worker.next();
}

const marks = (page: Page, count: number) => expect(page.getByText(`${count} mark`, { exact: false })).toBeAttached();

/** Draws an arrow on a photo; the battery dies before the copy is kept. */
async function drawOnFence(page: Page): Promise<void> {
  await at(page, 'What does the fence look like?');
  await page.getByLabel('From gallery').setInputFiles(PHOTO);
  await page.getByRole('button', { name: 'Draw on: Photo 1' }).click();
  const area = page.getByRole('application', { name: 'Drawing area' });
  // Waits until the sheet stands still: a stroke goes where the drawing is, not where it was.
  await area.hover();
  const box = await area.boundingBox();
  if (!box) throw new Error('nothing to draw on');
  await page.mouse.move(box.x + box.width * 0.2, box.y + box.height * 0.8);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.4, { steps: 5 });
  await page.mouse.up();
  await marks(page, 1);
  await expect.poll(() => unfinished(page)).toBe(1);
  await worker.phone.screenshot('drawing');
}

/** Goes on where the battery died: with keys, a circle. */
async function goOnDrawing(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Draw on: Photo 1' }).click();
  await marks(page, 1);
  await page.getByText('Circle', { exact: true }).click();
  await page.getByRole('application', { name: 'Drawing area' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Enter');
  await marks(page, 2);
  await worker.phone.screenshot('drawing-on');
  await page.getByRole('button', { name: 'Save copy' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.locator('.photo-strip img')).toHaveCount(2);
  await worker.phone.screenshot('fence');
  await worker.next();
}

/** Pieces of unfinished work in the phone's own database. */
const unfinished = (page: Page) =>
  page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>(resolve => {
      const opening = indexedDB.open('cairn_mobile');
      opening.onsuccess = () => resolve(opening.result);
    });
    const names = await new Promise<IDBValidKey[]>(resolve => {
      const asked = database.transaction('meta').objectStore('meta').getAllKeys();
      asked.onsuccess = () => resolve(asked.result);
    });
    database.close();
    return names.filter(name => JSON.stringify(name).includes('"unfinished/')).length;
  });

/** The second half, on the same phone after its battery died. */
async function answerPlaces(page: Page): Promise<void> {
  await at(page, 'What does the gate tag say?');
  await page.getByRole('button', { name: 'Scan the code' }).click();
  await worker.phone.screenshot('barcode');
  const tag = { name: 'tag.png', mimeType: 'image/png', buffer: await photoOf(page, 'G-8') };
  await page.getByLabel('Photo of a code').setInputFiles(tag);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('textbox')).toHaveValue('G-8');
  await worker.next();
  await at(page, 'When did you look?');
  await page.getByRole('textbox', { name: 'When did you look?' }).fill('2026-11-20T08:30');
  await worker.next();
  await at(page, 'Where do you stand?');
  await page.getByRole('button', { name: 'Use current location' }).click();
  await expect(page.getByText('48.4°, 10.2°')).toBeVisible();
  await worker.phone.screenshot('place');
  await worker.next();
  await at(page, 'What does the fan sound like?');
  const sound = { name: 'fan.wav', mimeType: 'audio/wav', buffer: wav() };
  await page.getByLabel('Choose an audio file').setInputFiles(sound);
  await expect(page.getByLabel('Play Sound 1')).toBeVisible();
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByText('Recording', { exact: true })).toBeVisible();
  // The head and a piece of two seconds.
  await expect.poll(() => unfinished(page)).toBeGreaterThanOrEqual(2);
  await worker.phone.screenshot('recording');
}

/** The battery died in the middle of the recording. */
async function findRecording(page: Page): Promise<void> {
  // Seen by the page itself, in every drawing. While it still slides in, and before a picture takes the time it stands there.
  await page.waitForFunction(() => {
    const place = (selector: string, words: string) =>
      [...document.querySelectorAll(selector)].find(each => each.textContent?.includes(words))?.getBoundingClientRect();
    const finish = place('button', 'Finish inspection');
    const toast = place('.toast', 'An interrupted recording was recovered');
    return finish?.height && toast?.height && (toast.bottom <= finish.top || toast.top >= finish.bottom);
  });
  await worker.phone.screenshot('recovered-message');
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await at(page, 'What does the fan sound like?');
  await expect(page.getByLabel('Play Sound 2')).toBeVisible();
  expect(await page.getByLabel('Play Sound 2').evaluate(playable)).toBe(true);
  await worker.phone.screenshot('recovered');
}

/** Whether the browser plays what lies in a player. */
const playable = (element: Element): Promise<boolean> =>
  new Promise(resolve => {
    const player = element as HTMLAudioElement;
    player.addEventListener('error', () => resolve(false));
    player.addEventListener('canplay', () => resolve(true));
    player.load();
  });

async function answerTrucks(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Add: Truck' }).last().click();
  await page.getByRole('button', { name: 'Next question' }).click();
  await at(page, 'Number of truck');
  await page.getByRole('textbox', { name: 'Number of truck' }).fill('12');
  await page.getByRole('textbox', { name: 'Number of truck' }).blur();
  await worker.phone.screenshot('truck');
  await page.getByRole('main').getByRole('button', { name: 'Add: Truck' }).last().click();
  await worker.next();
  await page.getByRole('textbox', { name: 'Number of truck' }).fill('34');
  await page.getByRole('textbox', { name: 'Number of truck' }).blur();
}

/** A tenth of a second of silence. */
function wav(): Buffer {
  const bytes = Buffer.alloc(44 + 800);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(8000, 24);
  bytes.writeUInt32LE(8000, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(800, 40);
  return bytes;
}

test('scales, orders, drawings, codes, places, sounds and entries are kept, outlive dead batteries, arrive and stand in the result', async () => {
  await importForm(worker.page);
  await worker.openForms();
  await worker.page.getByRole('button', { name: /^Yard check/ }).click();
  await choose(worker.page.getByRole('radio', { name: /No asset/ }));
  await worker.page.getByRole('dialog').getByRole('button', { name: 'Start inspection' }).click();
  await answerScales(worker.page);
  const address = worker.page.url();
  await drawOnFence(worker.page);

  await worker.phone.die();
  await worker.phone.start();
  await worker.phone.context.grantPermissions(['geolocation', 'microphone'], { origin: server.url });
  await worker.phone.context.setGeolocation({ latitude: 48.4, longitude: 10.2, accuracy: 5 });
  await worker.page.goto(address);
  // The gate tag has its default, and the fence its photo: the first open question is the one after both.
  await at(worker.page, 'When did you look?');
  await worker.page.getByRole('button', { name: 'Back', exact: true }).click();
  await at(worker.page, 'What does the gate tag say?');
  await worker.page.getByRole('button', { name: 'Back', exact: true }).click();
  await at(worker.page, 'What does the fence look like?');
  await goOnDrawing(worker.page);
  await answerPlaces(worker.page);
  await worker.phone.die();
  await worker.phone.start();
  await worker.page.goto(address);
  await findRecording(worker.page);
  await answerTrucks(worker.page);
  await worker.page.getByRole('button', { name: 'Review and finish' }).click();
  await worker.sign();
  await worker.page.getByRole('button', { name: 'Finish inspection' }).click();
  await expect(worker.page.getByText('No corrective actions were needed.')).toBeVisible();
  await expect(worker.page.getByText('Falls > Fire')).toBeVisible();
  await expect(worker.page.getByText('Number of truck (2)')).toBeVisible();
  await worker.phone.screenshot('result');

  const [form] = await facts.rows('forms', 'name=eq.Yard check');
  await expect.poll(() => facts.rows('inspections', `form_id=eq.${form?.id}`)).toMatchObject([{ status: 'finalised' }]);
  const [inspection] = await facts.rows('inspections', `form_id=eq.${form?.id}`);
  const answers = await facts.rows('inspection_answers', `inspection_id=eq.${inspection?.id}`);
  const values = new Map(answers.map(({ question, value }) => [String(question).replace(/\[\w+\]/, '[]'), value]));
  expect([...values.keys()].toSorted()).toEqual(
    [
      'fence',
      'gate',
      'load',
      'order',
      'place',
      'rules',
      'seen',
      'sound',
      'tidy',
      'trucks[]',
      'trucks[].plate',
    ].toSorted(),
  );
  expect(['load', 'tidy', 'order', 'rules', 'gate'].map(name => values.get(name))).toEqual([
    7,
    4,
    ['fall', 'fire'],
    true,
    'G-8',
  ]);
  expect(values.get('place')).toMatchObject({ lat: 48.4, lon: 10.2, accuracy: 5 });
  expect(String(values.get('seen'))).toMatch(/^2026-11-20T08:30[+-]/);
  const media = async () => facts.rows('media', `inspection_id=eq.${inspection?.id}&order=captured_at`);
  await expect.poll(async () => (await media()).map(row => row['state'])).toEqual(Array(4).fill('complete'));
  const [photo, copy, chosen, recorded] = await media();
  expect(photo).toMatchObject({ question: 'fence', drawn_on: null });
  expect(photo?.['sha256']).toBe(createHash('sha256').update(readFileSync(PHOTO)).digest('hex'));
  expect(copy).toMatchObject({
    question: 'fence',
    drawn_on: photo?.id,
    width: photo?.['width'],
    height: photo?.['height'],
  });
  expect(chosen).toMatchObject({ kind: 'file', mime: 'audio/wav', question: 'sound' });
  expect(recorded).toMatchObject({ kind: 'file', mime: 'audio/webm', question: 'sound' });
  expect(Number(recorded?.['duration_ms'])).toBeGreaterThan(1000);
  // A battery that dies at the end of an upload: the server has it whole, and says so when the phone asks how far it was, or
  // begins it anew.
  const expected = /status of 40[349] .*\/upload\/resumable/;
  expect(worker.phone.console.filter(line => !expected.test(line))).toEqual([]);
});

test('a choice of hundreds of letters without a gap stays within the width of the phone', async () => {
  const { page } = worker;
  await importForm(page, LONG_WORDS);
  await worker.openForms();
  await page.getByRole('button', { name: /^Long words/ }).click();
  await choose(page.getByRole('radio', { name: /No asset/ }));
  await page.getByRole('dialog').getByRole('button', { name: 'Start inspection' }).click();
  for (const [question, answer] of [
    ['Which one?', () => choose(page.getByRole('radio', { name: 'Short' }))],
    ['Which ones?', () => choose(page.getByRole('checkbox', { name: 'Short' }))],
    ['Which order?', null],
  ] as const) {
    await at(page, question);
    expect(await cutOff(page), question).toEqual([]);
    await worker.phone.screenshot(`long-${question}`);
    await answer?.();
    if (answer) await worker.next();
  }
});
