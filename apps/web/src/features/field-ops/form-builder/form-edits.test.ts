import { beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '@cairn/base/clock.ts';
import { Failure } from '@cairn/base/failure.ts';
import { emptyForm } from '@cairn/core/forms/draft/form-draft.ts';
import type { FormDefinition } from '@cairn/core/forms/definition/form-definition.ts';
import type { Outline } from '@cairn/core/forms/draft/form-outline.ts';
import { FormEdits, REST_MS } from './form-edits.ts';

let timers: { at: number; run: () => void }[] = [];
let now = 0;
const clock: Clock = {
  now: () => now,
  after(ms, run) {
    const timer = { at: now + ms, run };
    timers.push(timer);
    return () => (timers = timers.filter(each => each !== timer));
  },
};

function pass(ms: number) {
  now += ms;
  const due = timers.filter(timer => timer.at <= now);
  timers = timers.filter(timer => timer.at > now);
  for (const timer of due) timer.run();
}

beforeEach(() => {
  timers = [];
  now = 0;
});

const called = (title: string): FormDefinition => emptyForm(title);
const rename =
  (title: string) =>
  (outline: Outline): Outline => ({ ...outline, head: { ...outline.head, title } });

type PendingWrite = {
  title: FormDefinition['title'];
  seen: FormDefinition['title'];
  commit: () => void;
  refuse: (error: Error) => void;
};

function device() {
  const asked: PendingWrite[] = [];
  const write = (definition: FormDefinition, seen: FormDefinition) =>
    new Promise<void>((commit, refuse) => asked.push({ title: definition.title, seen: seen.title, commit, refuse }));
  const edits = new FormEdits(called('A'), write, clock);
  return { asked, edits, shown: () => [edits.snapshot().outline.head.title, edits.snapshot().state] };
}

const settled = () => new Promise(resolve => setTimeout(resolve));

describe('a form being edited', () => {
  test('shows every edit at once and is written when the person rests, as a whole', async () => {
    const { asked, edits, shown } = device();
    edits.edit(rename('B'));
    edits.edit(rename('C'));
    expect(shown()).toEqual(['C', 'saving']);
    pass(REST_MS - 1);
    expect(asked).toEqual([]);
    pass(1);
    expect(asked).toMatchObject([{ title: 'C', seen: 'A' }]);
    asked[0]?.commit();
    await settled();
    expect(shown()).toEqual(['C', 'saved']);
  });

  test('that changes while it is written is written once more, on what was written', async () => {
    const { asked, edits, shown } = device();
    edits.edit(rename('B'));
    void edits.flush();
    edits.edit(rename('C'));
    asked[0]?.commit();
    await settled();
    expect(asked[1]).toMatchObject({ title: 'C', seen: 'B' });
    asked[1]?.commit();
    await settled();
    expect(shown()).toEqual(['C', 'saved']);
  });

  test('that the device refuses stays on the screen and goes with the next try', async () => {
    const { asked, edits, shown } = device();
    edits.edit(rename('B'));
    void edits.flush();
    asked[0]?.refuse(new Error('disk full'));
    await settled();
    expect(shown()).toEqual(['B', 'failed']);
    void edits.flush();
    asked[1]?.commit();
    await settled();
    expect(asked[1]).toMatchObject({ title: 'B', seen: 'A' });
    expect(shown()).toEqual(['B', 'saved']);
  });

  test('takes over what somebody else wrote while nothing of its own waits', () => {
    const { edits, shown } = device();
    edits.arrived(called('theirs'));
    expect(shown()).toEqual(['theirs', 'idle']);
  });

  test('takes its own earlier writes, which arrive late, for no edit of somebody else', async () => {
    const { asked, edits, shown } = device();
    edits.edit(rename('B'));
    void edits.flush();
    edits.edit(rename('C'));
    asked[0]?.commit();
    await settled();
    asked[1]?.commit();
    await settled();
    edits.arrived(called('B'));
    edits.arrived(called('C'));
    expect(shown()).toEqual(['C', 'saved']);
  });

  async function onBothSides() {
    const there = device();
    there.edits.edit(rename('mine'));
    there.edits.arrived(called('theirs'));
    pass(REST_MS);
    await there.edits.flush();
    return there;
  }

  test('that was edited on both sides writes nothing before the person has chosen', async () => {
    const { asked, edits, shown } = await onBothSides();
    expect(shown()).toEqual(['mine', 'elsewhere']);
    expect(asked).toEqual([]);
    edits.take(called('theirs'));
    expect(shown()).toEqual(['theirs', 'idle']);
  });

  test('whose own edit was chosen is written over the other one', async () => {
    const { asked, edits, shown } = await onBothSides();
    const written = edits.keepMine(called('theirs'));
    expect(asked).toMatchObject([{ title: 'mine', seen: 'theirs' }]);
    asked[0]?.commit();
    await written;
    expect(shown()).toEqual(['mine', 'saved']);
  });

  test('that turns out to be edited elsewhere as it is written is not lost', async () => {
    const { asked, edits, shown } = device();
    edits.edit(rename('mine'));
    void edits.flush();
    asked[0]?.refuse(new Failure('stale_version', 'edited elsewhere'));
    await settled();
    expect(shown()).toEqual(['mine', 'elsewhere']);
  });
});
