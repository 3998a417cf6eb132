import { BytesInFlight, type ByteLimits } from '@cairn/supabase-local/limits/bytes-in-flight.ts';
import type { TurnRequester } from '@cairn/supabase-local/limits/shared-semaphore.ts';
import type { Release } from '@cairn/supabase-local/limits/slot.ts';

const MB = 1024 * 1024;

export const WAITING_LIMITS: ByteLimits = { asker: 8 * MB, network: 8 * MB, all: 32 * MB };

/**
 * What answers that wait for a place hold in memory, by network and in all. What many of them share, as one kept for all who ask, is
 * counted once.
 */
export class WaitingAnswers {
  private readonly room: BytesInFlight;
  private readonly held = new Map<ArrayBufferLike, { answers: number; letGo: Release }>();

  constructor(limits: ByteLimits = WAITING_LIMITS) {
    this.room = new BytesInFlight(limits);
  }

  /** @returns null where there is no room for it */
  hold(asker: TurnRequester, memory: ReadonlySet<ArrayBufferLike>): Release | null {
    const taken: ArrayBufferLike[] = [];
    const letGo = () => {
      for (const each of taken.splice(0)) this.leave(each);
    };
    for (const each of memory) {
      if (!this.enter(asker, each)) {
        letGo();
        return null;
      }
      taken.push(each);
    }
    return letGo;
  }

  private enter(asker: TurnRequester, memory: ArrayBufferLike): boolean {
    const known = this.held.get(memory);
    if (known) {
      known.answers += 1;
      return true;
    }
    const reservation = this.room.begin(asker);
    if (!reservation.grow(memory.byteLength)) return false;
    this.held.set(memory, { answers: 1, letGo: () => reservation.release() });
    return true;
  }

  private leave(memory: ArrayBufferLike): void {
    const known = this.held.get(memory);
    if (!known) return;
    known.answers -= 1;
    if (known.answers > 0) return;
    this.held.delete(memory);
    known.letGo();
  }
}
