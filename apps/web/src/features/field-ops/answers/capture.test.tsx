// @vitest-environment jsdom
import { Blob as RealBlob, File as RealFile } from 'node:buffer';
import 'fake-indexeddb/auto';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import { openDatabase } from '@cairn/sync/store/database.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { unfinishedWork, type UnfinishedWork } from '@cairn/sync/files/unfinished-work.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import capture from '../../../shared/i18n/en/capture.json';
import { addTexts, startI18n } from '../../../shared/i18n/start-i18n.ts';
import { SignedInContext } from '../../../shared/session/session.ts';
import { PhotoMarksSheet } from './photo-marks-sheet.tsx';
import type { DrawnCopy } from './question-acts.ts';
import { soundFrom, SoundChunks, type Sound } from './sound-chunks.ts';
import { recoverSounds } from './use-recovered-sounds.ts';
import { VoiceRecorder } from './voice-recorder.tsx';

const ME = '00000000-0000-4000-8000-000000000003';
const PHOTO = '00000000-0000-4000-8000-0000000000b1';
const CHECK = '00000000-0000-4000-8000-0000000000c1';
const HEAD = {
  mediaId: '00000000-0000-4000-8000-0000000000d1',
  question: 'fan',
  as: 'answer',
  mime: 'audio/webm',
} as const;
const store = memoryStore({}, ME);
let unfinished: UnfinishedWork;
let database = 0;

beforeAll(async () => {
  await startI18n();
  addTexts('capture', capture);
  // jsdom draws nothing and measures nothing.
  const context = new Proxy({}, { get: () => () => undefined, set: () => true });
  Object.defineProperty(HTMLCanvasElement.prototype, 'getContext', { value: () => context });
  Object.assign(URL, { createObjectURL: () => 'blob:photo', revokeObjectURL: () => undefined });
  Object.assign(globalThis, {
    // jsdom's own give buffers of another realm, which its File then takes for text.
    Blob: RealBlob,
    File: RealFile,
    ResizeObserver: class {
      observe() {}
      disconnect() {}
    },
    createImageBitmap: async () => ({ width: 400, height: 300, close: () => undefined }),
    OffscreenCanvas: class {
      getContext = () => context;
      convertToBlob = async () => new Blob(['drawn'], { type: 'image/jpeg' });
    },
  });
});
beforeEach(async () => {
  database += 1;
  unfinished = unfinishedWork(await openDatabase(`capture-${database}`), ME);
});
afterEach(cleanup);

function show(child: React.ReactNode) {
  const engine = { unfinished, store, file: async () => new ArrayBuffer(3) } as unknown as SyncEngine;
  const user = { id: ME, email: 'sam@cairn.test', fullName: 'Sam Worker' };
  return render(
    <SignedInContext.Provider value={{ user, engine, verified: false }}>
      <StoreContext.Provider value={store}>{child}</StoreContext.Provider>
    </SignedInContext.Provider>,
  );
}

describe('a drawing on a photo', () => {
  const area = async () => {
    // A browser shows the photo; jsdom loads none.
    fireEvent.load(await screen.findByAltText(''));
    return screen.findByRole('application', { name: capture.draw.canvas });
  };
  const kept: { size: number; copy: DrawnCopy }[] = [];
  const sheet = (onKeep = async (file: File, copy: DrawnCopy) => void kept.push({ size: file.size, copy })) =>
    show(<PhotoMarksSheet on={{ mediaId: PHOTO }} onClose={() => undefined} onKeep={onKeep} />);
  const marksKept = async () => {
    const [found] = await unfinished.list('drawing/');
    return (found?.parts[0] as { marks: unknown[] } | undefined)?.marks;
  };
  const drag = async () => {
    const canvas = await area();
    const box = { left: 0, top: 0, width: 100, height: 100 } as DOMRect;
    canvas.getBoundingClientRect = () => box;
    fireEvent.pointerDown(canvas, { button: 0, clientX: 10, clientY: 20 });
    fireEvent.pointerMove(canvas, { clientX: 50, clientY: 60 });
    fireEvent.pointerUp(canvas);
  };

  test('is written down with each mark: a phone that dies half-way goes on with it, and keeping it makes one copy', async () => {
    sheet();
    await drag();
    await waitFor(async () => expect(await marksKept()).toHaveLength(1));
    cleanup();
    sheet();
    await screen.findByText('1 mark');
    await userEvent.click(screen.getByRole('radio', { name: 'Circle' }));
    await drag();
    await screen.findByText('2 marks');
    await userEvent.click(screen.getByRole('button', { name: capture.draw.save }));
    await waitFor(() => expect(kept).toHaveLength(1));
    expect(kept[0]?.copy.drawnOn).toBe(PHOTO);
    await waitFor(async () => expect(await marksKept()).toBeUndefined());
  });

  test('can be begun once the photo is shown: before, it has no size', async () => {
    sheet();
    await screen.findByAltText('');
    expect(screen.queryByRole('application')).toBeNull();
    expect(await area()).toBeTruthy();
  });

  test('is made with keys alone: Enter begins and ends a mark, Backspace and Undo take it back', async () => {
    sheet();
    const canvas = await area();
    canvas.focus();
    await userEvent.keyboard('{Enter}{ArrowRight}{ArrowRight}{ArrowDown}');
    await screen.findByText(/ Mark started\. Move the cross, then press Enter\.$/);
    await userEvent.keyboard('{Enter}');
    await screen.findByText('1 mark');
    await waitFor(async () =>
      expect(await marksKept()).toMatchObject([{ kind: 'arrow', from: [0.5, 0.5], to: [0.54, 0.52] }]),
    );
    await userEvent.keyboard('{Backspace}');
    await screen.findByText('0 marks');
    await waitFor(async () => expect(await marksKept()).toEqual([]));
  });

  test('takes a text where it is tapped; without one it says what is missing', async () => {
    sheet();
    await area();
    await userEvent.click(screen.getByRole('radio', { name: 'Text' }));
    await drag();
    expect((await screen.findByRole('alert')).textContent).toContain(capture.draw.wordsFirst);
    await userEvent.type(screen.getByRole('textbox', { name: capture.draw.words }), 'Crack');
    await drag();
    await waitFor(async () => expect(await marksKept()).toMatchObject([{ kind: 'text', text: 'Crack' }]));
  });

  test('that could not be kept stays, and it is said', async () => {
    sheet(() => Promise.reject(new Error('no room')));
    await drag();
    await userEvent.click(await screen.findByRole('button', { name: capture.draw.save }));
    expect((await screen.findByRole('alert')).textContent).toBe(capture.draw.failed);
    await waitFor(async () => expect(await marksKept()).toHaveLength(1));
  });
});

describe('a recording', () => {
  /** What a browser gives piece by piece. */
  class Recorder extends EventTarget {
    static isTypeSupported = () => true;
    static last: Recorder;
    state = 'inactive';
    mimeType = 'audio/webm;codecs=opus';
    constructor() {
      super();
      Recorder.last = this;
    }
    start() {
      this.state = 'recording';
    }
    pause() {
      this.state = 'paused';
    }
    resume() {
      this.state = 'recording';
    }
    requestData() {}
    give(text: string) {
      this.dispatchEvent(Object.assign(new Event('dataavailable'), { data: new Blob([text]) }));
    }
    stop() {
      this.give('end');
      this.state = 'inactive';
      this.dispatchEvent(new Event('stop'));
    }
  }
  const microphone = (answer: () => Promise<unknown>) => {
    Object.assign(globalThis, { MediaRecorder: Recorder });
    Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia: answer } });
  };
  const works = async () => ({ getTracks: () => [{ stop: () => undefined }] });
  const recorder = (onSound: (sound: Sound) => Promise<void>) =>
    show(<VoiceRecorder inspectionId={CHECK} question="fan" look="answer" onSound={onSound} />);
  const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

  test('is kept piece by piece; paused, gone on with and ended it is the answer, and nothing is left behind', async () => {
    microphone(works);
    const sounds: string[] = [];
    recorder(async ({ file }) => void sounds.push(await file.text()));
    await press(capture.sound.record);
    await screen.findByText(capture.sound.recording);
    Recorder.last.give('one ');
    await waitFor(async () => expect((await unfinished.list('sound/'))[0]?.parts).toHaveLength(2));
    await press(capture.sound.pause);
    await screen.findByText(capture.sound.paused);
    await press(capture.sound.goOn);
    Recorder.last.give('two ');
    await press(capture.sound.stop);
    await waitFor(() => expect(sounds).toEqual(['one two end']));
    await waitFor(async () => expect(await unfinished.list('sound/')).toEqual([]));
  });

  test('that is left by turning the page is ended and kept', async () => {
    microphone(works);
    const sounds: string[] = [];
    recorder(async ({ file }) => void sounds.push(await file.text()));
    await press(capture.sound.record);
    await screen.findByText(capture.sound.recording);
    Recorder.last.give('one ');
    cleanup();
    await waitFor(() => expect(sounds).toEqual(['one end']));
  });

  test.each([
    { name: 'NotAllowedError', message: capture.sound.refused },
    { name: 'NotFoundError', message: capture.sound.none },
    { name: 'NotReadableError', message: capture.sound.busy },
  ])('a microphone that answers $name is explained', async ({ name, message }) => {
    microphone(() => Promise.reject(new DOMException('no', name)));
    recorder(() => Promise.resolve());
    await press(capture.sound.record);
    expect((await screen.findByRole('alert')).textContent).toBe(message);
    expect(screen.getByRole('button', { name: capture.sound.record })).toBeDefined();
  });

  test('that could not be kept is still there, and can be kept again', async () => {
    microphone(works);
    let room = false;
    const sounds: string[] = [];
    recorder(async ({ file }) => {
      if (!room) throw new Error('no room');
      sounds.push(await file.text());
    });
    await press(capture.sound.record);
    await press(capture.sound.stop);
    expect((await screen.findByRole('alert')).textContent).toBe(capture.sound.failed);
    room = true;
    await press(capture.sound.stop);
    await waitFor(() => expect(sounds).toEqual(['end']));
  });

  test('broken off by a dead battery is put at its question with what was recorded until then, once', async () => {
    const pieces = new SoundChunks(unfinished, CHECK, HEAD);
    await pieces.add(new Blob(['one ']), 2000);
    await pieces.add(new Blob(['two']), 4000);
    const found: unknown[] = [];
    const keep = async (question: string, { id, file, durationMs }: Sound, as: string) => {
      found.push({ question, as, id, durationMs, type: file.type, text: await file.text() });
    };
    expect(await recoverSounds(unfinished, CHECK, keep)).toBe(1);
    expect(await recoverSounds(unfinished, CHECK, keep)).toBe(0);
    expect(found).toEqual([
      { question: 'fan', as: 'answer', id: HEAD.mediaId, durationMs: 4000, type: 'audio/webm', text: 'one two' },
    ]);
  });

  test('that cannot be put at its question stays on the device', async () => {
    const pieces = new SoundChunks(unfinished, CHECK, HEAD);
    await pieces.add(new Blob(['one']), 2000);
    await expect(recoverSounds(unfinished, CHECK, () => Promise.reject(new Error('finished')))).rejects.toThrow(
      'finished',
    );
    const [left] = await unfinished.list('sound/');
    expect(left && soundFrom(left)?.sound.durationMs).toBe(2000);
  });
});
