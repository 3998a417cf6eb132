import { FILES } from '../store/changes.ts';
import { filesThatMayGo } from '../files/file-wishes.ts';
import type { Session } from '../store/session.ts';
import { uploadAll, type Progress } from '../push/uploads.ts';

type Hooks = { onPhase(loop: 'files', phase: 'uploading'): void; onProgress(progress: Progress): void };

/** A round of the files' retry loop: what may go on the present network goes. */
export class FilesRound {
  private readonly session: Session;
  private readonly hooks: Hooks;
  private areHeld = false;

  constructor(session: Session, hooks: Hooks) {
    this.session = session;
    this.hooks = hooks;
  }

  /** @returns how many were confirmed */
  async run(signal: AbortSignal, onHeartbeat: () => void): Promise<number> {
    const which = await filesThatMayGo(this.session);
    this.tell(which !== 'all');
    if (which !== 'all' && which.size === 0) return 0;
    return uploadAll(this.session, signal, {
      which,
      onHeartbeat,
      onProgress: progress => {
        if (progress.sent !== null) this.hooks.onPhase('files', 'uploading');
        this.hooks.onProgress(progress);
      },
    });
  }

  /** No machine says that it is on another kind of network now: it is noticed here. */
  private tell(areHeld: boolean): void {
    if (areHeld === this.areHeld) return;
    this.areHeld = areHeld;
    this.session.changes.emit([FILES]);
  }
}
