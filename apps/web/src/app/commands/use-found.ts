import { useEffect, useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { Boxes, CircleCheck, ClipboardCheck, FileCheck, FileCheck2, Megaphone, ScrollText, Wrench } from 'lucide-react';
import { SearchIndex, type SearchHit } from '@cairn/core/search/search-index.ts';
import { searchRecords, type SearchKind } from '@cairn/core/search/search-records.ts';
import type { Store } from '@cairn/sync/store.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import type { IconOf } from '@cairn/ui/icon.tsx';
import { useSignedIn } from '../../shared/session.ts';
import { useSpace } from '../../shared/space.ts';
import { useSwitcher } from '../space/space-provider.tsx';

export type Found = {
  id: string;
  kind: SearchKind;
  title: string;
  detail: string;
  icon: IconOf;
  open: () => void;
};

const ICONS: Record<SearchKind, IconOf> = {
  inspection: ClipboardCheck,
  action: Wrench,
  task: CircleCheck,
  form: FileCheck2,
  asset: Boxes,
  report: Megaphone,
  policy: ScrollText,
  evidence: FileCheck,
};

/** One index for each person's copy: it is built when somebody first searches, and goes with the copy. */
const indexes = new WeakMap<Store, SearchIndex>();

function indexOf(store: Store): SearchIndex {
  const known = indexes.get(store) ?? new SearchIndex();
  indexes.set(store, known);
  return known;
}

/** Lets the page draw and hear a key between two portions of work. */
const breathe = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 0));

/** The index, kept up to date for as long as somebody searches; `revision` is 0 until it is built. */
function useSearchIndex(): { index: SearchIndex; revision: number } {
  const store = useStore();
  const { user } = useSignedIn();
  const index = indexOf(store);
  const [revision, setRevision] = useState(() => (index.size > 0 ? 1 : 0));
  const [failure, setFailure] = useState<{ error: unknown } | null>(null);
  useEffect(() => {
    const fail = (error: unknown) => setFailure({ error });
    const stop = store.watch(
      searchRecords(user.id),
      records => void index.update(records, breathe).then(() => setRevision(count => count + 1), fail),
      fail,
    );
    return stop;
  }, [store, user.id, index]);
  if (failure) throw failure.error;
  return { index, revision };
}

export type FoundList = { status: 'building' | 'ready'; found: Found[] };

/** Records of this device that fit what is typed; works offline. */
export function useFound(typed: string, limit: number): FoundList {
  const { index, revision } = useSearchIndex();
  const { organization } = useSpace();
  const open = useOpenHit();
  const hits = index.find(typed, { organizationId: organization.id, limit });
  const { organizations } = useSwitcher();
  const elsewhere = (hit: SearchHit) =>
    hit.organizationId === organization.id
      ? ''
      : (organizations.find(each => each.organization.id === hit.organizationId)?.organization.name ?? '');
  return {
    status: revision === 0 ? 'building' : 'ready',
    found: hits.map(hit => ({
      id: hit.id,
      kind: hit.kind,
      title: hit.title,
      detail: [hit.detail, elsewhere(hit)].filter(part => part !== '').join(' · '),
      icon: ICONS[hit.kind],
      open: () => open(hit),
    })),
  };
}

/** Opens a record where it belongs: another organisation or playbook becomes the open one. */
function useOpenHit(): (hit: SearchHit) => void {
  const navigate = useNavigate();
  const { organization, playbook } = useSpace();
  return ({ kind, recordId, organizationId, playbookId }) => {
    const search = {
      ...(organizationId !== organization.id && { organization: organizationId }),
      ...(playbookId !== null && playbookId !== playbook?.id && { playbook: playbookId }),
    };
    if (kind === 'inspection')
      void navigate({ to: '/field/$inspectionId', params: { inspectionId: recordId }, search });
    else if (kind === 'action')
      void navigate({ to: '/action-items/$actionId', params: { actionId: recordId }, search });
    else if (kind === 'task') void navigate({ to: '/tasks/$taskId', params: { taskId: recordId }, search });
    else if (kind === 'asset') void navigate({ to: '/assets/$assetId', params: { assetId: recordId }, search });
    else if (kind === 'report')
      void navigate({ to: '/field/reports/$reportId', params: { reportId: recordId }, search });
    else if (kind === 'policy') void navigate({ to: '/policies/$policyId', params: { policyId: recordId }, search });
    else if (kind === 'evidence')
      void navigate({ to: '/policies/evidence/$evidenceId', params: { evidenceId: recordId }, search });
    else void navigate({ to: '/field/forms', search });
  };
}
