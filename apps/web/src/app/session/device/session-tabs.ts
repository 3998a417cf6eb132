import type { Channel } from '@cairn/sync/transport/platform.ts';

/** What the tabs of one browser tell each other of who is signed in; `id` is the person's. */
export type TabMessage = { kind: 'arrived' | 'account_ended' | 'forgotten'; id: string };

export interface SessionTabs {
  tell(message: TabMessage): void;
  /** Calls back for each message of another tab. */
  hear(listener: (message: TabMessage) => void): void;
}

const isMessage = (value: unknown): value is TabMessage =>
  typeof value === 'object' && value !== null && 'kind' in value && 'id' in value && typeof value.id === 'string';

export const openSessionTabs = (channel: Channel): SessionTabs => ({
  tell: message => channel.post(message),
  hear: listener => void channel.listen(message => isMessage(message) && listener(message)),
});
