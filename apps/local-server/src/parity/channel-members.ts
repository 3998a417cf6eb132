import type { Caller } from '../hardening/bearer.ts';
import type { Message } from './phoenix.ts';

/** One joined channel of one socket. */
export type Member = {
  topic: string;
  joinRef: string | null;
  isPrivate: boolean;
  /** Whether a broadcast of its own comes back to it. */
  hearsItself: boolean;
  mayWrite: boolean;
  caller: Caller;
  send(message: Message): void;
  /** The token ran out or its rights are gone: the client is told, then the channel is closed. */
  expel(reason: string): void;
};

/** Who listens on which topic. Private and public channels of one name are different channels. */
export class ChannelMembers {
  private readonly byTopic = new Map<string, Set<Member>>();

  add(member: Member): void {
    const members = this.byTopic.get(member.topic) ?? new Set();
    members.add(member);
    this.byTopic.set(member.topic, members);
  }

  remove(member: Member): void {
    const members = this.byTopic.get(member.topic);
    members?.delete(member);
    if (members?.size === 0) this.byTopic.delete(member.topic);
  }

  /** @param from its own broadcast reaches it only when it asked for that */
  broadcast(topic: string, isPrivate: boolean, payload: Record<string, unknown>, from?: Member): void {
    for (const member of this.byTopic.get(topic) ?? []) {
      if (member.isPrivate !== isPrivate || (member === from && !member.hearsItself)) continue;
      member.send({ joinRef: null, ref: null, topic, event: 'broadcast', payload });
    }
  }
}
