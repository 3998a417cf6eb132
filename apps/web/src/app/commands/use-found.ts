import { useEffect, useState } from 'react';
import {
  BookCheck,
  Boxes,
  CircleCheck,
  ClipboardCheck,
  FileCheck,
  FileCheck2,
  ListChecks,
  Megaphone,
  Repeat,
  ScrollText,
  SearchCheck,
  Target,
  UserRound,
  UsersRound,
  Workflow,
  Wrench,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { SearchIndex, type SearchHit } from '@cairn/core/search/search-index.ts';
import type { SearchKind } from '@cairn/core/search/search-record.ts';
import { searchRecords } from '@cairn/core/search/search-records.ts';
import type { Store } from '@cairn/sync/store.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import type { IconComponent } from '@cairn/ui/controls/icon.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useSwitcher } from '../space/space-provider.tsx';
import { useOpenHit } from './use-open-hit.ts';

export type FoundRecord = {
  id: string;
  kind: SearchKind;
  title: string;
  detail: string;
  icon: IconComponent;
  open: () => void;
};

const ICONS: Record<SearchKind, IconComponent> = {
  inspection: ClipboardCheck,
  action: Wrench,
  task: CircleCheck,
  form: FileCheck2,
  asset: Boxes,
  report: Megaphone,
  policy: ScrollText,
  evidence: FileCheck,
  finding: SearchCheck,
  framework: BookCheck,
  control: ListChecks,
  rule: Workflow,
  member: UserRound,
  goal: Target,
  habit: Repeat,
  helper: UsersRound,
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

export type FoundList = { status: 'building' | 'ready'; found: FoundRecord[] };

/** Records of this device that fit what is typed; works offline. */
export function useFound(typed: string, limit: number): FoundList {
  const { t } = useTranslation('shell');
  const { index, revision } = useSearchIndex();
  const { organization } = useSpace();
  const open = useOpenHit();
  const hits = index.find(typed, { organizationId: organization.id, limit });
  const { organizations } = useSwitcher();
  const elsewhere = ({ organizationId: place }: SearchHit) => {
    if (place === null || place === organization.id) return '';
    const there = organizations.find(each => each.organization.id === place)?.organization;
    return there?.kind === 'private' ? t('switcher.privateSpace') : (there?.name ?? '');
  };
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
