// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { Failure } from '@cairn/base/failure.ts';
import { WORD_MIME } from '@cairn/core/media/document-kind.ts';
import type { PolicyFile } from '@cairn/core/policies/policy-file.ts';
import { policyHash } from '@cairn/core/policies/policy-hash.ts';
import { openedPolicy } from '@cairn/core/policies/queries.ts';
import type { Row } from '@cairn/schema';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import policies from '../../../shared/i18n/en/policies.json';
import policyFiles from '../../../shared/i18n/en/policy-files.json';
import { addTexts, startI18n } from '../../../shared/i18n/start-i18n.ts';
import { SignedInContext, type SignedInSession } from '../../../shared/session/session.ts';
import { SpaceContext, type Space } from '../../../shared/session/space.ts';
import { AcknowledgePanel } from '../acknowledge/acknowledge-panel.tsx';
import type { Parts } from './document-props.ts';
import { DocumentView } from './document-view.tsx';

const [ME, ORG, POLICY, ONE] = ['3', 'a1', 'b1', 'c1'].map(
  end => `00000000-0000-4000-8000-${end.padStart(12, '0')}`,
) as [string, string, string, string];
const file: PolicyFile = {
  id: 'f',
  sha256: 'a'.repeat(64),
  bytes: 3,
  mime: WORD_MIME,
  name: 'Rules.docx',
  pages: null,
};
const words = { title: 'Lockout', body: 'Words of the file', file };
const here = { organization_id: ORG, policy_id: POLICY };
const store = memoryStore(
  {
    organization_members: [
      { id: 'm', organization_id: ORG, user_id: ME, role: 'member', joined_at: '2026-11-24T09:00:00Z' },
    ],
    policies: [
      {
        id: POLICY,
        organization_id: ORG,
        title: 'Lockout',
        state: 'published',
        current_version_id: ONE,
        current_major: 1,
      },
    ],
    policy_versions: [
      { id: ONE, ...here, ...words, state: 'published', major: 1, minor: 0, content_hash: policyHash(words) },
    ],
  },
  ME,
);

beforeAll(async () => {
  await startI18n();
  addTexts('policies', policies);
  addTexts('policyFiles', policyFiles);
});
afterEach(cleanup);

/** The reader's screen as far as it hangs on the file, on a device that answers so when it is asked for the bytes. */
function show(bytes: () => Promise<ArrayBuffer>) {
  const organization = { id: ORG, name: 'Northfield', kind: 'company' } as Row<'organizations'>;
  const space: Space = { userId: ME, organization, playbook: null, world: 'company', may: () => false };
  const largeFiles = { held: async () => new Map() };
  const engine = { largeFiles, file: bytes, watchStatus: () => () => undefined };
  return render(
    <SignedInContext.Provider value={{ engine } as unknown as SignedInSession}>
      <StoreContext.Provider value={store}>
        <SpaceContext.Provider value={space}>
          <Reader />
        </SpaceContext.Provider>
      </StoreContext.Provider>
    </SignedInContext.Provider>,
  );
}

function Reader() {
  const [parts, setParts] = useState<Parts>(null);
  const found = useLive(openedPolicy(POLICY, { organizationId: ORG, userId: ME }));
  const opened = found.status === 'ready' ? found.answer : null;
  if (!opened?.current) return null;
  const drawn = { renderSignature: () => null, renderDrawing: () => null, renderCountersign: () => null };
  const reading = { read: new Set<string>(), onFrame: () => undefined };
  return (
    <>
      <DocumentView file={file} {...reading} onParts={setParts} onDrawn={() => undefined} />
      <AcknowledgePanel opened={opened} shown={opened.current} sections={parts} sectionsRead={0} {...drawn} />
    </>
  );
}
const signs = () => screen.queryByRole('button', { name: 'Acknowledge version 1.0' });

test('a file that is not on the device yet is said to be missing, and nobody signs for it', async () => {
  show(() => Promise.reject(new Failure('offline', 'no signal')));
  await screen.findByText(policyFiles.elsewhere);
  expect(screen.getByText(policyFiles.ack.notHere)).toBeDefined();
  expect(signs()).toBeNull();
});

test('bytes that are not those of the version are neither shown nor signed for', async () => {
  show(async () => new Uint8Array([1, 2, 3]).buffer);
  await screen.findByText(policyFiles.altered);
  expect(signs()).toBeNull();
});
