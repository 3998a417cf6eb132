import { createContext, useContext } from 'react';

/** Somebody who has a record open just now, on whichever of their devices. */
export type NearPerson = { id: string; isWriting: boolean };

/** A record people speak about, as its channel is called. */
export type NearPlace = { table: string; id: string };

export interface PresenceChannel {
  /** Says whether this person writes there. */
  say(isWriting: boolean): void;
  leave(): void;
}

/** Who else is at a record: only while there is a signal, and nothing of it is kept anywhere. */
export interface NearServer {
  /**
   * Says that this person is there and hears who else is, until they leave; nobody while there is no signal.
   *
   * @param onPeople hears of all but this person
   */
  join(place: NearPlace, userId: string, onPeople: (people: NearPerson[]) => void): PresenceChannel;
}

export const NearServerContext = createContext<NearServer | null>(null);

/** @returns null outside a protected route: nobody is near there */
export const useNearServer = (): NearServer | null => useContext(NearServerContext);
