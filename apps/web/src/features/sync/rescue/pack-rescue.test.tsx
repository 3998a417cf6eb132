// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import { sealSections, unsealSnapshot } from '@cairn/sync/recovery/sealed-snapshot.ts';
import rescue from '../../../shared/i18n/en/rescue.json';
import { addTexts, startI18n } from '../../../shared/i18n/start-i18n.ts';
import { SignedInContext } from '../../../shared/session/session.ts';
import { PackRescue } from './pack-rescue.tsx';

const WORDS = 'copper lantern seven';

beforeAll(async () => {
  await startI18n();
  addTexts('rescue', rescue);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

type HeldRecord = { isPrivate: boolean };

/** A device on which these wait; the file is a real one. */
function show(held: HeldRecord[]) {
  const done: string[] = [];
  Object.assign(URL, { createObjectURL: () => 'blob:1', revokeObjectURL: () => {} });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    done.push(this.download.replace(/-[\d-]+\./, '-DAY.'));
  });
  async function* sections(withPrivate: boolean) {
    const entries = held
      .filter(({ isPrivate }) => withPrivate || !isPrivate)
      .map(() => ({ operation: 'insert', dataType: 'wellness_check_ins' }));
    const owner = { id: 'sam', email: 'sam@cairn.test' };
    const nothing = { organizations: [], records: [], conflicts: [], files: [] };
    yield new TextEncoder().encode(JSON.stringify({ version: 1, owner, madeAt: 0, entries, ...nothing }));
  }
  const engine = {
    rescue: {
      pack: (words: string, { withPrivate }: { withPrivate: boolean }) => sealSections(words, sections(withPrivate)),
      unlock: unsealSnapshot,
    },
  } as unknown as SyncEngine;
  const user = { id: 'sam', email: 'sam@cairn.test', fullName: 'Sam' };
  render(
    <SignedInContext value={{ user, engine, verified: true }}>
      <PackRescue onSaved={() => done.push('saved')} />
    </SignedInContext>,
  );
  return done;
}

const press = () => userEvent.click(screen.getByRole('button', { name: rescue.make.act }));
const leavesOut = () => screen.getByRole('checkbox', { name: rescue.make.noPrivate });
async function write() {
  await userEvent.type(screen.getByLabelText(rescue.make.words), WORDS);
  await userEvent.type(screen.getByLabelText(rescue.make.again), WORDS);
}

test('where only private things wait, no file without them is saved, and one is told why', async () => {
  const done = show([{ isPrivate: true }]);
  await write();
  await userEvent.click(leavesOut());
  await press();
  expect((await screen.findByRole('alert')).textContent).toBe(rescue.make.onlyPrivate);
  expect(leavesOut().getAttribute('aria-describedby')).toBe(screen.getByRole('alert').id);
  expect(done).toEqual([]);
  await userEvent.click(leavesOut());
  expect(screen.queryByRole('alert')).toBeNull();
  await press();
  await waitFor(() => expect(done).toEqual(['cairn-DAY.cairn-rescue', 'saved']));
});

test('what is left without the private things is saved', async () => {
  const done = show([{ isPrivate: true }, { isPrivate: false }]);
  await write();
  await userEvent.click(leavesOut());
  await press();
  await waitFor(() => expect(done).toEqual(['cairn-DAY.cairn-rescue', 'saved']));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('what went by itself while the words were written leaves nothing to save', async () => {
  const done = show([]);
  await write();
  await press();
  expect((await screen.findByRole('alert')).textContent).toBe(rescue.make.nothing);
  expect(done).toEqual([]);
});
