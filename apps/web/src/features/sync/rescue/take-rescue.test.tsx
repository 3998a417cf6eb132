// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import { Toaster } from '@cairn/ui/feedback/toaster.tsx';
import rescue from '../../../shared/i18n/en/rescue.json';
import { addTexts, startI18n } from '../../../shared/i18n/start-i18n.ts';
import { SignedInContext } from '../../../shared/session/session.ts';
import { SpaceContext, type Space } from '../../../shared/session/space.ts';
import { TakeRescue } from './take-rescue.tsx';

const ORGANIZATION = 'home';
const ELSEWHERE = 'elsewhere';

beforeAll(async () => {
  await startI18n();
  addTexts('rescue', rescue);
});
afterEach(cleanup);

/** An administrator at the file of somebody else: two photos for this organisation, one for another; `came` of them arrive. */
async function bringing(came: number): Promise<void> {
  const photo = (organizationId: string) => ({ organizationId });
  const contents = {
    owner: { id: 'author', email: 'author@a.test' },
    madeAt: 0,
    organizations: [{ id: ORGANIZATION, isPrivate: false }],
    entries: [{ operation: 'insert' }],
    files: [photo(ORGANIZATION), photo(ELSEWHERE), photo(ORGANIZATION)],
    conflicts: [],
  };
  const submitOnBehalf = async () => ({ accepted: 3, known: [], refused: [], files: came });
  const engine = { rescue: { unlock: async () => ({ contents }), submitOnBehalf } } as unknown as SyncEngine;
  const user = { id: 'admin' } as never;
  const space = { organization: { id: ORGANIZATION, name: 'Northfield' }, may: () => true } as unknown as Space;
  const { container } = render(
    <SignedInContext value={{ user, engine, verified: true }}>
      <SpaceContext value={space}>
        <TakeRescue onDone={() => {}} />
        <Toaster label="Messages" closeLabel="Close" />
      </SpaceContext>
    </SignedInContext>,
  );
  const person = userEvent.setup();
  const input = container.querySelector('input[type="file"]');
  if (!(input instanceof HTMLInputElement)) throw new Error('no place for the file');
  await person.upload(input, new File(['x'], 'a.cairn-rescue'));
  await person.type(screen.getByLabelText(rescue.make.words), 'words');
  await person.click(screen.getByRole('button', { name: rescue.take.act }));
  await person.click(await screen.findByRole('button', { name: rescue.take.bring }));
}

const SUBMITTED = '3 for review, 0 already received, 0 not for this organisation.';

test('what came of a brought file is said, its photos too where one did not go', async () => {
  await bringing(1);
  expect(await screen.findByText(`${SUBMITTED} 1 photo was not imported. Keep the file.`)).toBeDefined();
});

test('photos of other organisations are not missed', async () => {
  await bringing(2);
  expect(await screen.findByText(SUBMITTED)).toBeDefined();
});
