import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Card, RowFace } from '@cairn/ui/layout/surface.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useSpace } from '../../shared/session/space.ts';
import { allLocalDrafts, type LocalPackDraft } from './local-draft.ts';

/** Packs of which something was typed on this device that is in no version. */
function useLocalPackDrafts(): readonly LocalPackDraft[] {
  const { unfinished } = useSignedIn().engine;
  const organizationId = useSpace().organization.id;
  const [found, setFound] = useState<readonly LocalPackDraft[]>([]);
  const [bug, setBug] = useState<{ error: unknown } | null>(null);
  if (bug) throw bug.error;
  useEffect(() => {
    let left = false;
    allLocalDrafts(unfinished, organizationId).then(
      all => left || setFound(all),
      (error: unknown) => left || setBug({ error }),
    );
    return () => {
      left = true;
    };
  }, [unfinished, organizationId]);
  return found;
}

/** Says on a pack's page that something of it is unsent. @param way to where it stands */
export function LocalDraftNotice({ packId, way }: { packId: string; way: ReactNode }) {
  const { t } = useTranslation('marketplace');
  const isThere = useLocalPackDrafts().some(each => each.packId === packId);
  return isThere && <Banner title={t('adrift.there')} action={way} />;
}

type ListProps = { renderWrite: (packId: string, face: ReactNode) => ReactNode };

/** What is unsent of any pack, also of one that is gone. */
export function LocalDraftList({ renderWrite }: ListProps) {
  const { t } = useTranslation('marketplace');
  const packs = useLocalPackDrafts();
  if (packs.length === 0) return null;
  return (
    <section className="stack market-stack">
      <h2 className="h2">{t('adrift.there')}</h2>
      <Card flush>
        <ul className="list">
          {packs.map(({ packId, draft }) => (
            <li key={packId}>
              {renderWrite(
                packId,
                <RowFace title={draft.facts.name} detail={t('version', { number: draft.number })} />,
              )}
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}
