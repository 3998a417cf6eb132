import { closeNoteKeyAnew } from '@cairn/core/wellness/note-keys.ts';
import { noteKeys } from '@cairn/core/wellness/queries.ts';
import type { Device } from '@cairn/sync/device.ts';
import type { Store } from '@cairn/sync/store.ts';

/** A new password opens the private notes from here on, as far as they are open on this device. */
export async function closeNotesAnew(device: Device, store: Store, password: string): Promise<void> {
  const notes = await device.privateNotes(store.owner);
  for (const { id } of await store.read(noteKeys)) {
    const closed = await notes.closeKey(id, password);
    if (closed) await store.write('wellness.closeNoteKey', tx => closeNoteKeyAnew(tx, id, closed));
  }
}
