import type { ReactNode } from 'react';
import type { Pack, PackVersion } from '@cairn/core/marketplace/pack.ts';
import type { PackItem } from '@cairn/core/marketplace/pack-update.ts';
import type { MarketRights } from './market-gate.tsx';

/** What the route hands in: ways to other areas, and what they draw. */
export type PackLinks = {
  backLink: ReactNode;
  renderMarkdown: (markdown: string) => ReactNode;
  /** A link to what a document of the pack became here. */
  renderDocument: (item: PackItem, face: ReactNode) => ReactNode;
  renderUpdate: (face: ReactNode) => ReactNode;
  /** What makers and reviewers do with a version. */
  renderActions: (pack: Pack, versions: readonly PackVersion[], rights: MarketRights) => ReactNode;
};
