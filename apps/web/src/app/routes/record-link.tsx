import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { FindingAbout } from '@cairn/core/findings/queries.ts';
import type { LinkedRecord } from '@cairn/core/evidence/queries.ts';

type Props = { record: Pick<LinkedRecord | FindingAbout, 'table' | 'id'>; children: ReactNode };

/** Leads to what a finding or a piece of evidence is about. */
export function RecordLink({ record: { table, id }, children }: Props) {
  const look = 'link tap';
  switch (table) {
    case 'policies':
      return (
        <Link to="/policies/$policyId" params={{ policyId: id }} className={look}>
          {children}
        </Link>
      );
    case 'action_items':
      return (
        <Link to="/action-items/$actionId" params={{ actionId: id }} className={look}>
          {children}
        </Link>
      );
    case 'controls':
      return (
        <Link to="/policies/controls/$controlId" params={{ controlId: id }} className={look}>
          {children}
        </Link>
      );
    case 'evidence':
      return (
        <Link to="/policies/evidence/$evidenceId" params={{ evidenceId: id }} className={look}>
          {children}
        </Link>
      );
    default:
      return (
        <Link to="/field/$inspectionId" params={{ inspectionId: id }} className={look}>
          {children}
        </Link>
      );
  }
}
