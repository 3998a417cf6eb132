import { BackendError, type Backend } from '@cairn/sync/transport/backend.ts';
import type { AuthGate } from '../auth/auth-gate.ts';

/**
 * A backend that loads its library with the first call, so that the engine starts (and the app is usable) before, and
 * with no network at all.
 *
 * @param owner whose work goes through it
 */
export function gatedBackend(open: () => Promise<AuthGate>, owner: string): Backend {
  const backend = async (): Promise<Backend> => {
    try {
      return (await open()).backendOf(owner);
    } catch (cause) {
      throw Object.assign(new BackendError('network', 'the backend client could not be loaded'), { cause });
    }
  };
  return {
    digest: async (tables, signal) => (await backend()).digest(tables, signal),
    repair: async (request, signal) => (await backend()).repair(request, signal),
    missing: async (mids, signal) => (await backend()).missing(mids, signal),
    pull: async (request, signal) => (await backend()).pull(request, signal),
    push: async (device, mutations, signal) => (await backend()).push(device, mutations, signal),
    submitOrphanedEdits: async (organizationId, device, mutations, signal) =>
      (await backend()).submitOrphanedEdits(organizationId, device, mutations, signal),
    submitOnBehalf: async (work, signal) => (await backend()).submitOnBehalf(work, signal),
    receipt: async (request, signal) => (await backend()).receipt(request, signal),
    upload: async (file, onProgress, signal) => (await backend()).upload(file, onProgress, signal),
    confirmUpload: async (mediaId, signal) => (await backend()).confirmUpload(mediaId, signal),
    download: async (organizationId, mediaId, signal) => (await backend()).download(organizationId, mediaId, signal),
    downloadPart: async (part, signal) => (await backend()).downloadPart(part, signal),
    onNudge: (scopes, listener) => laterNudge(backend, scopes, listener),
  };
}

/** Listens once the library is there; without it the engine's own timer pulls. */
function laterNudge(backend: () => Promise<Backend>, scopes: string[], listener: () => void): () => void {
  let stopped = false;
  let stop = () => {
    stopped = true;
  };
  backend().then(
    loaded => {
      if (!stopped) stop = loaded.onNudge(scopes, listener);
    },
    () => undefined,
  );
  return () => stop();
}
