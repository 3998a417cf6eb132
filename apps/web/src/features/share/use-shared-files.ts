import { useCallback, useEffect, useState } from 'react';
import { dropSharedFile, sharedFiles, type SharedFile } from '@cairn/sync/files/shared-files.ts';

/** What waits for this person, and the ways to let go of it; null while it is read. */
export function useSharedFiles(userId: string) {
  const [files, setFiles] = useState<SharedFile[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const read = useCallback(() => sharedFiles(userId).then(setFiles, setError), [userId]);
  useEffect(() => void read(), [read]);
  if (error !== null) throw error;
  const remove = async (id: string) => {
    await dropSharedFile(userId, id);
    await read();
  };
  const removeAll = async () => {
    for (const { id } of await sharedFiles(userId)) await dropSharedFile(userId, id);
    await read();
  };
  return { files, read, remove, removeAll };
}
