import { useCallback, useEffect, useMemo, useState } from 'react';
import { newId } from '@cairn/base/id.ts';
import type { Row } from '@cairn/schema';
import { closedKeyOf, closeNoteKeyAnew, keepNoteKey } from '@cairn/core/wellness/note-keys.ts';
import { noteKeys } from '@cairn/core/wellness/queries.ts';
import type { PrivateNotes } from '@cairn/sync/crypto/private-notes.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import type { Store } from '@cairn/sync/store.ts';
import { useLive } from '@cairn/sync/use-live.ts';

/** The notes of the signed-in person and what tells them by their password, as this device has them. */
export type NotePorts = {
  owner: string;
  notes: () => Promise<PrivateNotes>;
  /** Whether this device was ever given their password. */
  knowsPassword: () => Promise<boolean>;
  /** Rejects when this is not their password. */
  checkPassword: (password: string) => Promise<unknown>;
};

/**
 * `none`: no note was ever written. `closed`: notes are there and this device has not opened them. `open`: they can be read
 * and written.
 */
export type NotesState = 'loading' | 'none' | 'closed' | 'open';

export type Notes = {
  state: NotesState;
  knowsPassword: boolean;
  /** Makes the first key. Rejects when this is not the password. */
  setUp: (code: string, password: string | null) => Promise<void>;
  /** Opens the notes here. @param again the present password, where a code or an old one opened them */
  unlock: (secret: string, again: string | null) => Promise<void>;
  close: (record: string, text: string) => Promise<string>;
  read: (record: string, closed: string) => Promise<string | null>;
};

/** What this device knows: which keys are open, and whether it was given the password. */
type NoteAccess = { opened: ReadonlySet<string>; knowsPassword: boolean };

async function look(ports: NotePorts): Promise<NoteAccess> {
  const [opened, knowsPassword] = await Promise.all([ports.notes().then(notes => notes.open()), ports.knowsPassword()]);
  return { opened, knowsPassword };
}

type NoteContext = { ports: NotePorts; store: Store; rows: readonly Row<'note_keys'>[] };

async function setUp({ ports, store }: NoteContext, code: string, password: string | null): Promise<void> {
  if (password !== null) await ports.checkPassword(password);
  const key = await (await ports.notes()).make({ id: newId(), password, code });
  const at = new Date().toISOString();
  await store.write('wellness.keepNoteKey', tx => keepNoteKey(tx, { userId: ports.owner, at, key }));
}

async function unlock({ ports, store, rows }: NoteContext, secret: string, again: string | null): Promise<void> {
  const notes = await ports.notes();
  const outcomes = await Promise.allSettled(rows.map(row => openKey(notes, row, secret)));
  const failed = outcomes.find(outcome => outcome.status === 'rejected');
  if (failed && outcomes.every(({ status }) => status === 'rejected')) throw failed.reason;
  if (again === null) return;
  await ports.checkPassword(again);
  for (const { id } of rows) {
    const closed = await notes.closeKey(id, again);
    if (closed) await store.write('wellness.closeNoteKey', tx => closeNoteKeyAnew(tx, id, closed));
  }
}

async function openKey(notes: PrivateNotes, row: Row<'note_keys'>, secret: string): Promise<void> {
  const byRecovery = closedKeyOf(row.by_recovery);
  if (!byRecovery) return;
  await notes.unlock({ id: row.id, by_password: closedKeyOf(row.by_password), by_recovery: byRecovery }, secret);
}

function stateOf(rows: readonly unknown[] | null, known: NoteAccess | null, writing: string | null): NotesState {
  if (rows === null || known === null) return 'loading';
  if (writing !== null) return 'open';
  return rows.length > 0 ? 'closed' : 'none';
}

/** Private notes on one screen. `ports` stays the same object. */
export function usePrivateNotes(ports: NotePorts): Notes {
  const store = useStore();
  const keys = useLive(noteKeys);
  const [known, setKnown] = useState<NoteAccess | null>(null);
  const again = useCallback(() => look(ports).then(setKnown), [ports]);
  useEffect(() => {
    look(ports).then(setKnown, reportError);
  }, [ports]);
  const rows = keys.status === 'ready' ? keys.answer : null;
  const writing = rows?.find(({ id }) => known?.opened.has(id))?.id ?? null;
  return useMemo(() => {
    const place = { ports, store, rows: rows ?? [] };
    return {
      state: stateOf(rows, known, writing),
      knowsPassword: known?.knowsPassword ?? false,
      setUp: async (code, password) => {
        await setUp(place, code, password);
        await again();
      },
      unlock: async (secret, present) => {
        await unlock(place, secret, present);
        await again();
      },
      close: async (record, text) => (await ports.notes()).close({ key: writing ?? '', record }, text),
      read: async (record, closed) => (await ports.notes()).read(record, closed),
    };
  }, [rows, known, writing, ports, store, again]);
}
