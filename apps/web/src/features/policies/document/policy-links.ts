import type { ReactNode } from 'react';
import type { OpenedPolicy } from '@cairn/core/policies/queries.ts';
import type { Acknowledgement } from '@cairn/core/policies/policy-status.ts';
import type { PolicyVersion } from '@cairn/core/policies/version-states.ts';
import type { Json } from '@cairn/schema';

/** The ways from a policy to other screens, and what other features lend it; drawn by the route. */
export type PolicyLinks = {
  backLink: ReactNode;
  /** What is said while a version is written and reviewed. */
  renderTalk: (versionId: string) => ReactNode;
  /** To one version of it; null: to the one in force. */
  renderVersion: (versionId: string | null, face: ReactNode, isRow: boolean) => ReactNode;
  renderEdit: (face: ReactNode) => ReactNode;
  renderReport: (face: ReactNode) => ReactNode;
  /** A field to sign in, and a signature as it was drawn. */
  renderSignature: (value: Json, onChange: (drawn: Json) => void, error: string | undefined) => ReactNode;
  renderDrawing: (value: Json, label: string) => ReactNode;
  /** Who puts their name under a person's own word on a principle. */
  renderCountersign: (version: PolicyVersion, acknowledgement: Acknowledgement) => ReactNode;
  onEdit: () => void;
  onRemoved: () => void;
};

/** A policy, and the version of it that is on the screen. */
export type PolicyOnScreen = { opened: OpenedPolicy; shown: PolicyVersion };

/** What the reader's own word needs. */
export type PanelProps = PolicyOnScreen &
  Pick<PolicyLinks, 'renderSignature' | 'renderDrawing' | 'renderCountersign'> & {
    /** How many there are to read; null while the file they are in does not stand on the screen. */
    sections: number | null;
    sectionsRead: number;
  };
