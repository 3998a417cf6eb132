// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18n from 'i18next';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { compileForm } from '@cairn/core/forms/definition/compiled-form.ts';
import { type FormDraft, type ItemDraft, parseFormDefinition } from '@cairn/core/forms/definition/form-definition.ts';
import { type FormState, formState } from '@cairn/core/forms/answers/form-state.ts';
import type { Json, Row } from '@cairn/schema';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import type { LargeFileStore } from '@cairn/sync/files/lazy-large-files.ts';
import capture from '../../../shared/i18n/en/capture.json';
import field from '../../../shared/i18n/en/field.json';
import maps from '../../../shared/i18n/en/maps.json';
import { addTexts, startI18n } from '../../../shared/i18n/start-i18n.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { SignedInContext } from '../../../shared/session/session.ts';
import { toasts, type ToastEvent, type ToastMessage } from '@cairn/ui/feedback/toast.ts';
import { SpaceContext, type Space } from '../../../shared/session/space.ts';
import { AnswerControl } from './answer-control.tsx';
import { timerText } from './answer-text.ts';
import { EntryPart } from './entry-part.tsx';
import { FileAnswer } from './file-answer.tsx';
import { localWall, withOffset } from './moment-answer.tsx';
import { stepsOf } from './range-answer.tsx';

const moment = { today: '2026-11-21', now: '2026-11-21T09:00:00.000Z' };

beforeAll(async () => {
  await startI18n();
  addTexts('field', field);
  addTexts('capture', capture);
  addTexts('maps', maps);
});
afterEach(cleanup);

function stateOf(items: ItemDraft[], values: Record<string, Json>): FormState {
  const draft: FormDraft = {
    format: 1,
    title: 'Check',
    choice_lists: {
      colours: [
        { name: 'red', label: 'Red' },
        { name: 'blue', label: 'Blue', image: 'blue.png', picture: BLUE },
      ],
    },
    items,
  };
  const parsed = parseFormDefinition(draft);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const compiled = compileForm(parsed.form);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  const answers = Object.entries(values).map(([path, value]) => [path, { value, note: null, mediaIds: [] }] as const);
  return formState(compiled.compiled, new Map(answers), moment);
}

const BLUE = '00000000-0000-4000-8000-0000000000b1';

/** A device that holds the picture of blue. */
const withBlue = () => {
  const row = { id: BLUE, organization_id: ORGANIZATION, name: 'blue.png', width: 4, height: 3, data: '/9j/4AAQ' };
  return memoryStore({ form_pictures: [row] });
};
const ORGANIZATION = '00000000-0000-4000-8000-0000000000a1';

const user = { id: ORGANIZATION, email: 'sam@cairn.test', fullName: 'Sam Worker' };
const organization = { id: ORGANIZATION, name: 'Northfield' } as Row<'organizations'>;
const space: Space = { userId: user.id, organization, playbook: null, world: 'company', may: () => true };

/** A device on which these files lie whole. */
const withMaps = (ids: readonly string[]): SyncEngine => {
  const kept: Partial<LargeFileStore> = { held: async () => new Map(ids.map(id => [id, { size: 9, have: 9 }])) };
  return { largeFiles: kept } as Partial<SyncEngine> as SyncEngine;
};

/** The control of one question; what was answered is gathered. */
function ask(item: ItemDraft, value: Json = null, store = memoryStore(), kept: readonly string[] = []): Json[] {
  const form = stateOf([item], value === null ? {} : { [item.name]: value });
  const answers: Json[] = [];
  const [question] = form.questions;
  if (!question) throw new Error('nothing is asked');
  render(
    <SignedInContext.Provider value={{ user, engine: withMaps(kept), verified: false }}>
      <SpaceContext.Provider value={space}>
        <StoreContext value={store}>
          <AnswerControl
            question={question}
            values={form.values}
            label="Ask"
            onAnswer={answer => answers.push(answer)}
            onLeave={() => undefined}
            language=""
          />
        </StoreContext>
      </SpaceContext.Provider>
    </SignedInContext.Provider>,
  );
  return answers;
}

describe('a number on a scale', () => {
  const scale = (appearance: string): ItemDraft => ({
    type: 'range',
    name: 'scale',
    range: { start: 1, end: 5, step: 1 },
    appearance,
  });

  test('is not answered before the person does, and a tap where it stands answers', async () => {
    const answers = ask(scale(''));
    const slider = screen.getByRole('slider', { name: 'Ask' });
    expect(slider.getAttribute('aria-valuetext')).toBe('Not answered');
    await userEvent.click(slider);
    expect(answers).toEqual([1]);
  });

  test('stars and lists offer each step', async () => {
    const stars = ask(scale('rating'));
    await userEvent.click(screen.getByRole('radio', { name: '4' }));
    expect(stars).toEqual([4]);
    cleanup();
    const picked = ask(scale('picker'), 2);
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Ask' }), '5');
    expect(picked).toEqual([5]);
  });

  test('steps of a tenth are tenths', () => {
    expect(stepsOf({ start: 0, end: 0.5, step: 0.1 })).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5]);
    expect(stepsOf({ start: 0, end: 5, step: 2 })).toEqual([0, 2, 4, 5]);
  });
});

test('how much somebody agrees is answered by one press, the steps side by side', async () => {
  const answers = ask({ type: 'select_one', name: 'likes', list: 'colours', appearance: 'likert' });
  await userEvent.click(screen.getByRole('radio', { name: 'Blue' }));
  expect(answers).toEqual(['blue']);
  expect(document.querySelector('.likert')).not.toBeNull();
});

describe('an order', () => {
  const order: ItemDraft = { type: 'rank', name: 'order', list: 'colours' };

  test('is moved by buttons that say what they move', async () => {
    const answers = ask(order, ['red', 'blue']);
    await userEvent.click(screen.getByRole('button', { name: 'Move Blue up' }));
    expect(answers).toEqual([['blue', 'red']]);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Move Red up' }).disabled).toBe(true);
  });

  test('the order it stands in at first can be kept', async () => {
    const answers = ask(order);
    await userEvent.click(screen.getByRole('button', { name: 'Keep this order' }));
    expect(answers).toEqual([['red', 'blue']]);
  });
});

describe('a stopwatch', () => {
  const timer: ItemDraft = { type: 'timer', name: 'flush', target_seconds: 60 };
  const running = (seconds: number) => ({ seconds, since: new Date().toISOString() });

  test('starts, and is paused at what it shows', async () => {
    const started = ask(timer);
    await userEvent.click(screen.getByRole('button', { name: 'Start' }));
    expect(started).toMatchObject([{ seconds: 0 }]);
    cleanup();
    const paused = ask(timer, running(12));
    await userEvent.click(screen.getByRole('button', { name: 'Pause' }));
    expect(paused[0]).toBeGreaterThanOrEqual(12);
  });

  test('is set back, and the toast brings it back', async () => {
    const answers = ask(timer, 42);
    const toasted = new Promise<ToastMessage>(resolve =>
      toasts.addEventListener('toast', event => resolve((event as ToastEvent).message), { once: true }),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Reset' }));
    (await toasted).action?.onPress();
    expect(answers).toEqual([null, 42]);
  });

  test('says when its time is up, shows what is over, and shakes only when that happens before the eyes', () => {
    ask(timer, 75);
    expect(screen.getByRole('timer').textContent).toBe('+0:15');
    expect(screen.getByText('Time is up')).toBeDefined();
    cleanup();
    ask(timer, running(18.5));
    expect(screen.getByRole('timer').textContent).toBe('0:42');
  });

  test('is told in minutes and seconds, running or stopped', () => {
    const t = i18n.getFixedT('en', 'field');
    expect([90.5, running(4), 'soon'].map(value => timerText(value, t))).toEqual([
      '1:30.5',
      'still running, from 0:04',
      null,
    ]);
  });

  test('is typed by hand; what is no time stays as it was typed', async () => {
    const answers = ask(timer);
    await userEvent.type(screen.getByLabelText('Or type the time'), '1:3');
    expect(answers).toEqual([1, '1:', 63]);
  });
});

test('what is confirmed can be taken back', async () => {
  const answers = ask({ type: 'acknowledge', name: 'seen' }, true);
  await userEvent.click(screen.getByRole('checkbox'));
  expect(answers).toEqual([null]);
});

describe('a date and time', () => {
  test('keeps the clocks of where it was entered', () => {
    expect(localWall('2026-11-21T09:30+05:45')).toBe('2026-11-21T09:30');
    expect(withOffset('2026-11-21T09:30')).toMatch(/^2026-11-21T09:30[+-]\d{2}:\d{2}$/);
    expect(localWall(new Date(withOffset('2026-07-01T09:30')).toISOString())).toBe('2026-07-01T09:30');
  });
});

describe('a place', () => {
  test('is shown with how exact it is, and can be removed', async () => {
    const answers = ask({ type: 'geopoint', name: 'place' }, { lat: 48.4, lon: 10, altitude: null, accuracy: 5.4 });
    expect(screen.getByText('48.4°, 10° ± 5 m')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Remove location' }));
    expect(answers).toEqual([null]);
  });

  const YARD = '00000000-0000-4000-8000-0000000000e1';
  const WAY = [
    { lat: 53.551, lon: 9.993, altitude: null, accuracy: 4 },
    { lat: 53.552, lon: 9.994, altitude: null, accuracy: 4 },
  ];
  const mapped = () => {
    const around = { west: 9.9, south: 53.5, east: 10.1, north: 53.6 };
    const row = {
      id: YARD,
      organization_id: ORGANIZATION,
      site_id: ORGANIZATION,
      media_id: YARD,
      name: 'Yard',
      tiles: 'vector' as const,
    };
    return memoryStore({ site_maps: [{ ...row, ...around, min_zoom: 8, max_zoom: 14, bytes: 9, attribution: '' }] });
  };

  test('lies on the map that is on this device and holds it; the grid is one press away', async () => {
    ask({ type: 'geotrace', name: 'way' }, WAY, mapped(), [YARD]);
    await screen.findByRole('region', { name: 'Map Yard: Ask' });
    expect(screen.queryByRole('img', { name: 'Ask: Sketch of the locations' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Show the grid' }));
    expect(screen.getByRole('img', { name: 'Ask: Sketch of the locations' })).toBeDefined();
  });

  test.each([
    ['no map lies on this device', [], WAY],
    ['the map shows another place', [YARD], WAY.map(({ lat, ...place }) => ({ ...place, lat: -lat }))],
  ])('where %s, a way is drawn on the grid', async (_, kept, way) => {
    ask({ type: 'geotrace', name: 'way' }, way, mapped(), kept);
    expect(await screen.findByRole('img', { name: 'Ask: Sketch of the locations' })).toBeDefined();
    expect(screen.queryByRole('region', { name: /^Map/ })).toBeNull();
  });

  test('that cannot be found is said, and nothing is lost', async () => {
    const answers = ask({ type: 'geotrace', name: 'way' });
    await userEvent.click(screen.getByRole('button', { name: 'Add current location' }));
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Your location was not found. Go outside and try again.',
    );
    expect(answers).toEqual([]);
  });
});

test('a file of another kind is refused in words', async () => {
  const { Failure } = await import('@cairn/base/failure.ts');
  render(
    <FileAnswer
      kind="audio"
      mediaIds={[]}
      onAdd={() => Promise.reject(new Failure('invalid', 'no sound'))}
      onRemove={() => Promise.resolve()}
      recorder={null}
    />,
  );
  await userEvent.upload(
    screen.getByLabelText('Record or choose audio'),
    new File(['x'], 'a.mp3', { type: 'audio/mpeg' }),
  );
  expect((await screen.findByRole('alert')).textContent).toContain(
    'This file is the wrong type, is empty, or is larger than 50 MB. Choose another one.',
  );
});

describe('entries', () => {
  const items: ItemDraft[] = [
    { type: 'text', name: 'before' },
    { type: 'repeat', name: 'tyres', label: 'Tyre', items: [{ type: 'integer', name: 'tread' }] },
  ];

  function part(values: Record<string, Json>, index: number) {
    const done: string[] = [];
    const form = stateOf(items, values);
    const state = form.questions[index];
    if (!state) throw new Error('no such question');
    const acts = {
      addEntry: (repeat: string) => void done.push(`add ${repeat}`),
      removeEntry: (entry: string) => void done.push(`remove ${entry}`),
    };
    render(<EntryPart form={form} language="" acts={acts} index={index} state={state} />);
    return done;
  }

  test('the first is added at the question before the repeat', async () => {
    const done = part({}, 0);
    await userEvent.click(screen.getByRole('button', { name: 'Add: Tyre' }));
    expect(done).toEqual(['add tyres']);
  });

  test('one more, or one less, at the end of an entry', async () => {
    const done = part({ 'tyres[a]': 1, 'tyres[b]': 2 }, 2);
    await userEvent.click(screen.getByRole('button', { name: 'Remove: Tyre 2' }));
    await userEvent.click(screen.getByRole('button', { name: 'Add: Tyre' }));
    expect(done).toEqual(['remove tyres[b]', 'add tyres']);
  });

  test('in the first of two there is only the way out', () => {
    part({ 'tyres[a]': 1, 'tyres[b]': 2 }, 1);
    expect(screen.getAllByRole('button').map(button => button.textContent)).toEqual(['Remove: Tyre 1']);
  });
});

describe('choices with pictures', () => {
  const source = () => [...document.querySelectorAll('img')].map(picture => picture.src);

  test.each<[string, ItemDraft]>([
    ['one of them', { type: 'select_one', name: 'q', list: 'colours' }],
    ['several', { type: 'select_multiple', name: 'q', list: 'colours' }],
    ['their order', { type: 'rank', name: 'q', list: 'colours' }],
  ])('%s: the picture on this device stands beside its words', async (_, item) => {
    ask(item, null, withBlue());
    await expect.poll(source).toEqual(['data:image/jpeg;base64,/9j/4AAQ']);
    expect(screen.getByText('Blue')).toBeDefined();
  });

  test('one that has not arrived leaves its words', async () => {
    const answers = ask({ type: 'select_one', name: 'q', list: 'colours' });
    await userEvent.click(await screen.findByRole('radio', { name: 'Blue' }));
    expect([answers, source()]).toEqual([['blue'], []]);
  });
});

test('a choice is shown as chosen the moment it is pressed, before the form has taken it', async () => {
  ask({ type: 'select_one', name: 'q', list: 'colours' });
  await userEvent.click(await screen.findByRole('radio', { name: 'Red' }));
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Red' }).checked).toBe(true);
});
