import 'fake-indexeddb/auto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import i18n from 'i18next';
import { beforeAll, describe, expect, test } from 'vitest';
import { stateAt } from '@cairn/testing/form-places.ts';
import { newId } from '@cairn/base/id.ts';
import { addEntry } from '@cairn/core/inspections/add-entry.ts';
import { addPhoto } from '@cairn/core/inspections/add-photo.ts';
import { answerQuestion } from '@cairn/core/inspections/answer-question.ts';
import { answersOf } from '@cairn/core/forms/answers/answers.ts';
import { type CompiledForm, compileForm } from '@cairn/core/forms/definition/compiled-form.ts';
import { finishInspection } from '@cairn/core/inspections/finish-inspection.ts';
import { type FormDefinition, parseFormDefinition } from '@cairn/core/forms/definition/form-definition.ts';
import {
  choosesFromList,
  questionTypeDef,
  questionTypes,
  type QuestionType,
} from '@cairn/core/forms/question-types/question-types.ts';
import { type FormState, formState, type QuestionState } from '@cairn/core/forms/answers/form-state.ts';
import { importForm } from '@cairn/core/forms/draft/import-form.ts';
import { offeredChoices } from '@cairn/core/forms/answers/offered-choices.ts';
import { publishForm } from '@cairn/core/forms/draft/publish-form.ts';
import { startInspection } from '@cairn/core/inspections/start-inspection.ts';
import { importFormFile } from '@cairn/core/import/form-file.ts';
import type { Json } from '@cairn/schema';
import { openTab, pass, type Tab } from '@cairn/testing/device-on-sql.ts';
import { applied, OWNER, scripted } from '@cairn/testing/scripted-server.ts';
import { actionId } from '@cairn/testing/store-contract.ts';
import field from '../../../shared/i18n/en/field.json';
import { addTexts, startI18n } from '../../../shared/i18n/start-i18n.ts';
import { sha256Hex } from '../../../shared/media/picture-facts.ts';
import { inspectionRecord, type InspectionRecord } from '../inspections/inspection-queries.ts';
import { reportOf, type Report, type ReportRow } from './report-model.ts';
import { reportPdf } from './report-pdf.ts';

const person = OWNER;
const organization = actionId(99);
beforeAll(async () => {
  await startI18n();
  addTexts('field', field);
});

/** A question of each type there is. */
function everyType(): FormDefinition {
  const items = questionTypes.map(type => ({
    type,
    name: `q_${type}`,
    label: `About ${type}`,
    ...(choosesFromList(type) && { list: 'risks' }),
    ...questionTypeDef(type).begins,
    ...(questionTypeDef(type).needs === 'calculation' && { calculation: '6 * 7' }),
  }));
  const trucks = {
    type: 'repeat',
    name: 'trucks',
    label: 'Truck',
    items: [{ type: 'integer', name: 'plate', label: 'Number' }],
  };
  const risks = [
    { name: 'fire', label: 'Fire' },
    { name: 'fall', label: 'Falls' },
  ];
  const parsed = parseFormDefinition({
    format: 1,
    title: 'Every type',
    choice_lists: { risks },
    items: [...items, trucks],
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed));
  return parsed.form;
}

const samples = fileURLToPath(new URL('../../../../../../../shared/data/xforms/', import.meta.url));

/** What others made to try every widget of ODK Collect; null where it does not lie beside this repository. */
async function allWidgets(): Promise<FormDefinition | null> {
  if (!existsSync(samples)) return null;
  const bytes = new Uint8Array(readFileSync(`${samples}all-widgets.xml`));
  const read = await importFormFile(bytes.buffer, 'all-widgets.xml');
  if (!read.ok) throw new Error('all-widgets.xml was refused');
  return read.form;
}

const CORNERS = [
  { lat: 53.55, lon: 9.99, altitude: 3, accuracy: 4 },
  { lat: 53.551, lon: 9.991, altitude: null, accuracy: 5 },
  { lat: 53.552, lon: 9.989, altitude: 4, accuracy: null },
];
const SIGNED = {
  width: 300,
  height: 120,
  strokes: [
    [
      [10, 10],
      [60, 40],
      [120, 20],
    ],
  ],
};
const FILES: Record<string, string> = {
  photo: 'image/jpeg',
  audio: 'audio/wav',
  video: 'video/mp4',
  file: 'application/pdf',
};

/** What a person might answer, the likeliest first; a constraint may refuse some. */
function candidates({ question, item, place }: QuestionState, { values }: FormState): Json[] {
  const names = offeredChoices(item, place, values).map(choice => choice.name);
  const { start = 0, end = 10, step = 1 } = question.range ?? {};
  const byType: Record<QuestionType, Json[]> = {
    text: ['Good', '5', 'a@b.example', 'https://cairn.example'],
    barcode: ['G-8'],
    integer: [5, 20, 1, 100, 0],
    decimal: [18.31, 5.5, 1, 20],
    range: [start + step, end],
    timer: [90.5],
    select_one: names,
    select_multiple: [names.slice(0, 1), names.slice(0, 2), names.slice(-1)],
    rank: [names],
    pass_fail: ['pass'],
    acknowledge: [true],
    signature: [SIGNED],
    date: ['2026-11-20', '2031-02-03', '1999-01-01'],
    time: ['08:30'],
    datetime: ['2026-11-20T08:30+01:00'],
    geopoint: [CORNERS[0] ?? null],
    geotrace: [CORNERS],
    geoshape: [CORNERS],
    photo: [],
    audio: [],
    video: [],
    file: [],
    note: [],
    calculate: [],
  };
  return byType[question.type];
}

/** One device with one inspection under way. */
class Walk {
  private readonly tab: Tab;
  private readonly form: CompiledForm;
  private readonly inspectionId: string;
  readonly moment = { today: '2026-11-21', now: '2026-11-21T09:00:00.000Z', language: '' };
  readonly at = '2026-11-21T09:00:00.000Z';

  constructor(tab: Tab, form: CompiledForm, inspectionId: string) {
    this.tab = tab;
    this.form = form;
    this.inspectionId = inspectionId;
  }

  async record(): Promise<InspectionRecord> {
    const found = await this.tab.engine.store.read(inspectionRecord(this.inspectionId));
    if (!found) throw new Error('the inspection is gone');
    return found;
  }

  async state(): Promise<FormState> {
    return formState(this.form, answersOf((await this.record()).answers), this.moment);
  }

  private async say(question: string, value: Json): Promise<QuestionState | undefined> {
    const { inspectionId, form, moment, at } = this;
    const answer = { inspectionId, form, question, value, by: person, at, moment };
    await this.tab.engine.store.write('answer', tx => answerQuestion(tx, answer));
    return stateAt(await this.state(), question);
  }

  private async attach(question: string, mime: string): Promise<void> {
    const bytes = new TextEncoder().encode(`${mime} of ${question}`).buffer;
    const photo = { id: newId(), bytes, mime, sha256: await sha256Hex(bytes), width: null, height: null };
    const { inspectionId, form, at } = this;
    await this.tab.engine.store.write('photo', tx =>
      addPhoto(tx, { inspectionId, form, question, photo, by: person, at }),
    );
  }

  /** Answers it, and adds a first entry to a repeat that begins empty. @returns whether it could be answered */
  async answer(state: QuestionState): Promise<boolean> {
    const mime = FILES[state.question.type];
    if (mime) {
      await this.attach(state.path, mime);
      return true;
    }
    for (const value of candidates(state, await this.state())) {
      const after = await this.say(state.path, value);
      if (after?.answered && after.problem === null) return true;
    }
    return false;
  }

  async addEntries(): Promise<void> {
    for (const repeat of (await this.state()).repeats) {
      if (repeat.entries.length > 0 || repeat.group.expressions.count) continue;
      const { inspectionId, form, at } = this;
      const entry = { inspectionId, form, repeat: repeat.path, id: newId().slice(0, 8), by: person, at };
      await this.tab.engine.store.write('entry', tx => addEntry(tx, entry));
    }
  }
}

const isAsked = ({ question }: QuestionState): boolean =>
  question.type !== 'note' && question.type !== 'calculate' && question.read_only !== true;

type StartedInspection = { tab: Tab; server: ReturnType<typeof scripted>; form: CompiledForm; id: string; walk: Walk };

async function begun(definition: FormDefinition): Promise<StartedInspection> {
  const compiled = compileForm(definition);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  const server = scripted(applied);
  const tab = await openTab({ person, backend: server.backend });
  const [formId, versionId, id] = [newId(), newId(), newId()];
  const at = '2026-11-21T09:00:00.000Z';
  const given = { formId, versionId, organizationId: organization, playbookId: null, by: person };
  await tab.engine.store.write(
    'import',
    tx => importForm(tx, { ...given, name: 'Every widget', definition, source: 'xform' }),
    { together: true },
  );
  await tab.engine.store.write('publish', tx => publishForm(tx, { formId, versionId }), { together: true });
  await tab.engine.store.write('start', tx => startInspection(tx, { id, formId, playbookId: null, by: person, at }));
  return { tab, server, form: compiled.compiled, id, walk: new Walk(tab, compiled.compiled, id) };
}

/** Every question that is asked, those too that come with an answer; the device dies after each tenth. */
async function answerAll(tab: Tab, walk: Walk): Promise<{ answered: string[]; refused: string[] }> {
  const [answered, refused]: [string[], string[]] = [[], []];
  for (let turn = 0; turn < 300; turn += 1) {
    await walk.addEntries();
    const done = new Set([...answered, ...refused]);
    const next = (await walk.state()).questions.find(state => isAsked(state) && !done.has(state.path));
    if (!next) break;
    ((await walk.answer(next)) ? answered : refused).push(next.path);
    if (turn % 10 === 9) await tab.crash();
  }
  await tab.crash();
  return { answered, refused };
}

function reported(record: InspectionRecord, form: CompiledForm): Report {
  const t = i18n.getFixedT('en', 'field');
  return reportOf(record, form, { t, facts: [], signed: 'Sam', measured: () => '12 m' });
}

const says = (row: ReportRow): boolean =>
  row.value.trim() !== '' || row.mediaIds.length > 0 || row.signature !== null || row.outcome !== null;

const find = createRequire(import.meta.url).resolve;

async function pdfOf(report: Report): Promise<Uint8Array> {
  return reportPdf(report, {
    fileOf: async id => `File ${id}`,
    pictureOf: async () => null,
    faces: async (subset, weight) => {
      const name = `noto-sans-${subset}-${weight === 'bold' ? 700 : 400}-normal.woff`;
      const file = new Uint8Array(readFileSync(find(`@fontsource/noto-sans/files/${name}`)));
      return file.buffer;
    },
    words: {
      flagged: 'Failed',
      noneFlagged: 'Nothing failed.',
      outcome: { pass: 'Pass', fail: 'Fail', na: 'N/A' },
      photoElsewhere: 'Not here',
      page: (page, of) => `${page}/${of}`,
    },
  });
}

describe('every question that can be asked', () => {
  test.each([
    ['of each type there is', async () => everyType()],
    ['of all-widgets.xml', allWidgets],
  ])('%s is answered, survives crashes, finished, stands in the report and is sent whole', async (name, read) => {
    const definition = await read();
    if (definition === null) {
      process.stdout.write(`${samples} is absent: ${name} is not tried.\n`);
      return;
    }
    const { tab, server, form, id, walk } = await begun(definition);
    const { answered, refused } = await answerAll(tab, walk);
    expect(refused).toEqual([]);
    const after = await walk.state();
    expect(answered.filter(path => stateAt(after, path)?.answered !== true)).toEqual([]);
    expect(after.blocking.map(({ path }) => path)).toEqual([]);

    const end = {
      id,
      form,
      signature: { drawing: SIGNED, name: 'Sam' },
      by: person,
      byName: 'Sam',
      at: walk.at,
      moment: walk.moment,
    };
    await tab.engine.store.write('finish', tx => finishInspection(tx, end), { together: true });
    await tab.crash();
    const record = await walk.record();
    expect(record.inspection.status).toBe('finalised');

    const report = reported(record, form);
    const silent = report.sections.flatMap(section => section.rows).filter(row => !says(row));
    expect(silent.map(row => row.label)).toEqual([]);
    const shown = report.sections.flatMap(section => section.rows).length;
    expect(shown).toBe(after.questions.filter(({ question }) => question.type !== 'note').length);
    const pdf = await pdfOf(report);
    expect(new TextDecoder('latin1').decode(pdf.subarray(0, 5))).toBe('%PDF-');

    tab.engine.start();
    await pass(tab, () => tab.seen.status?.pendingItems === 0);
    const sent = new Map<string, Record<string, unknown>>();
    for (const { t, id: row, patch } of server.pushed.flat())
      if (t === 'inspection_answers') sent.set(row, { ...sent.get(row), ...patch });
    const answerOf = (row: Record<string, unknown>) => ({
      value: row['value'] ?? null,
      files: row['media_ids'] ?? [],
    });
    expect(new Map([...sent].map(([row, patch]) => [row, answerOf(patch)]))).toEqual(
      new Map(record.answers.map(row => [row.id, answerOf(row)])),
    );
    // Their bytes go by a retry loop of their own, which photos.spec.ts proves.
    const files = server.pushed.flat().filter(({ t }) => t === 'media');
    expect(files).toHaveLength(after.questions.filter(state => FILES[state.question.type]).length);
    await tab.close();
  });
});
