import { isLoopback } from '../start/settings.ts';
import { networkOf, widerLimit, widerNetworkOf, widestNetworkOf } from '@cairn/supabase-local/limits/network-of.ts';

const MB = 1024 * 1024;

/** Bytes of answers that wait for whoever reads them. */
type Limits = { network: number; all: number };

/** A page of the largest is 8 MB before it is packed; a device asks for one after the other. */
export const UNSENT_LIMITS: Limits = { network: 32 * MB, all: 96 * MB };

/** What one answer has waiting. */
export type UnsentAnswer = {
  add(bytes: number): void;
  /** Its reader took so much. */
  sent(bytes: number): void;
  end(): void;
};

type OpenAnswer = { network: string; bytes: number; since: number; hangUp: () => void };

/** Everybody behind a proxy on this machine has one address: they count towards the whole alone. */
const PROXY = '';

const bytesOf = (lines: readonly OpenAnswer[]): number => lines.reduce((sum, { bytes }) => sum + bytes, 0);

/** Whoever has waited longest for their reader. */
const stillest = (lines: readonly OpenAnswer[]): OpenAnswer | undefined =>
  lines.reduce<OpenAnswer | undefined>((found, each) => (found && found.since <= each.since ? found : each), undefined);

/**
 * Bytes of answers that are in memory because nobody has read them yet, by network and in all. Where they become too many the answer
 * whose reader has taken nothing for longest is given up: of the network that has too many, or of the one that has most.
 */
export class UnsentAnswers {
  private readonly open = new Set<OpenAnswer>();
  private readonly limits: Limits;
  private readonly now: () => number;
  private all = 0;

  /** @param now milliseconds of a clock that does not go back */
  constructor(limits: Limits = UNSENT_LIMITS, now: () => number = () => performance.now()) {
    this.limits = limits;
    this.now = now;
  }

  /** Bytes that wait, of everybody. */
  get bytes(): number {
    return this.all;
  }

  /** @param hangUp closes the line; its answer ends with it */
  begin(address: string, hangUp: () => void): UnsentAnswer {
    const plain = address.replace('::ffff:', '');
    const line: OpenAnswer = {
      network: isLoopback(plain) ? PROXY : networkOf(plain),
      bytes: 0,
      since: this.now(),
      hangUp,
    };
    this.open.add(line);
    return {
      add: bytes => {
        if (!this.open.has(line)) return;
        if (line.bytes === 0) line.since = this.now();
        this.change(line, bytes);
        this.freeSpace(line.network);
        this.freeSpace(widestNetworkOf(line.network));
      },
      sent: bytes => {
        line.since = this.now();
        if (this.open.has(line)) this.change(line, -bytes);
      },
      end: () => this.giveUp(line),
    };
  }

  private change(line: OpenAnswer, bytes: number): void {
    line.bytes += bytes;
    this.all += bytes;
  }

  private giveUp(line: OpenAnswer): void {
    if (!this.open.delete(line)) return;
    this.change(line, -line.bytes);
  }

  private freeSpace(network: string): void {
    while (this.isTooMuch(network)) {
      const victim = stillest(this.linesOf(this.all > this.limits.all ? this.greediest() : network));
      if (!victim) return;
      this.giveUp(victim);
      victim.hangUp();
    }
  }

  /** Networks that begin alike are looked at as one with four shares. */
  private isTooMuch(network: string): boolean {
    if (this.all > this.limits.all) return true;
    const { network: own, all } = this.limits;
    const share = network.endsWith('/48') ? widerLimit(own, all) : own;
    return network !== PROXY && this.all > this.limits.network && bytesOf(this.linesOf(network)) > share;
  }

  private linesOf(network: string): OpenAnswer[] {
    const isOf = (of: string) => of === network || widerNetworkOf(of) === network;
    return [...this.open].filter(line => line.bytes > 0 && isOf(line.network));
  }

  private greediest(): string {
    const by = Map.groupBy(this.open, ({ network }) => widestNetworkOf(network));
    const [first = PROXY] = [...by]
      .toSorted(([, one], [, other]) => bytesOf(other) - bytesOf(one))
      .map(([name]) => name);
    return first;
  }
}
