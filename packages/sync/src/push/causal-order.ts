import type { QueuedEntry } from '../store/stored.ts';

type Unit = readonly QueuedEntry[];

const recordOf = ({ dataType, dataId }: QueuedEntry): string => `${dataType}/${dataId}`;

/**
 * Whose turn it is, while a batch is chosen. One entry of a record goes at a time; a later one waits for its turn, and nothing of
 * the same whole that was said after it may go before it: the server judges a "done" by the steps it has, and takes no answer to
 * what was approved.
 */
export class CausalOrder {
  private readonly records = new Map<string, 'goes' | 'stays'>();
  private readonly sending = new Set<number>();
  /** By whole: since when something waits for its record's turn. `at`: an entry that was never sent may have been edited since. */
  private readonly waiting = new Map<string, { seq: number; at: number }>();
  /** Whether anything was held back. */
  hasHeld = false;

  /** @param underWay sent, and not yet answered */
  constructor(underWay: Unit) {
    this.send(underWay);
  }

  /** Whether nothing of its record was decided yet. */
  isOpen(entry: QueuedEntry): boolean {
    const { seq, timestamp: at, aggregateKey } = entry;
    const decided = this.records.get(recordOf(entry));
    if (decided === 'goes' && !this.sending.has(seq)) {
      const since = this.waiting.get(aggregateKey) ?? { seq, at };
      this.waiting.set(aggregateKey, { seq: Math.min(seq, since.seq), at: Math.min(at, since.at) });
    }
    return decided === undefined;
  }

  send(unit: Unit): void {
    for (const entry of unit) {
      this.records.set(recordOf(entry), 'goes');
      this.sending.add(entry.seq);
    }
  }

  /** What is refused, or waits by itself, holds back its own record and nothing else. */
  hold(entry: QueuedEntry): void {
    this.records.set(recordOf(entry), 'stays');
  }

  /** Whether something of the same whole that was said before it waits for its turn. */
  overtakes(unit: Unit): boolean {
    const seq = Math.min(...unit.map(entry => entry.seq));
    const isHeld = unit.some(({ aggregateKey, timestamp }) => {
      const since = this.waiting.get(aggregateKey);
      return since !== undefined && (seq > since.seq || timestamp > since.at);
    });
    this.hasHeld ||= isHeld;
    return isHeld;
  }
}
