import type { ReactNode } from 'react';
import type { Json } from '@cairn/schema';

/** What other features lend to a countersignature; drawn by the route. */
export type CountersignPorts = {
  /** The words of a principle, as they are read. */
  renderWords: (markdown: string) => ReactNode;
  /** A field to sign in, and a signature as it was drawn. */
  renderSignature: (value: Json, onChange: (drawn: Json) => void, error: string | undefined) => ReactNode;
  renderDrawing: (value: Json, label: string) => ReactNode;
};
