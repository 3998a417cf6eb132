import { useCallback, useState } from 'react';
import { Link2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { Card, List, Row } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { useSpace } from '../../shared/session/space.ts';
import { FromServer } from './from-server.tsx';
import { TokenOnce } from './token-once.tsx';
import { useServerAction, useServerQuery } from './use-server.ts';

type PartnerLink = {
  id: string;
  name: string;
  uses: number;
  max_uses: number | null;
  expires_at: string;
  revoked_at: string | null;
};

const CHANGES = ['links'];
const revokeOne = (calls: ServerCalls, id: string) => calls.call('revoke_partner_link', { p_id: id });

/** Links through which many people join as members. */
export function PartnerLinks() {
  const { t } = useTranslation('spaces');
  const { organization } = useSpace();
  const id = organization.id;
  const [making, setMaking] = useState(false);
  const revoking = useServerAction(revokeOne, { operation: t('invitations.revoke'), changes: CHANGES });
  const query = useServerQuery(
    ['links', id],
    useCallback(
      (calls: ServerCalls) =>
        calls.rows<PartnerLink>({ table: 'partner_links', filter: { organization_id: id }, newestBy: 'created_at' }),
      [id],
    ),
  );
  return (
    <div className="spaces-part">
      <div className="row wrap between">
        <p className="muted sm">{t('links.text')}</p>
        <Button icon={Link2} onClick={() => setMaking(true)}>
          {t('links.new')}
        </Button>
      </div>
      {revoking.problem && <Banner tone="bad" title={revoking.problem} />}
      <FromServer query={query}>
        {all => <LinkList links={all.filter(isOpen)} busy={revoking.busy} onRevoke={one => void revoking.run(one)} />}
      </FromServer>
      {making && <NewLink onClose={() => setMaking(false)} />}
    </div>
  );
}

const isOpen = ({ revoked_at: revoked, expires_at: end }: PartnerLink): boolean =>
  revoked === null && Date.parse(end) > Date.now();

type ListProps = { links: readonly PartnerLink[]; busy: boolean; onRevoke: (id: string) => void };

function LinkList({ links, busy, onRevoke }: ListProps) {
  const { t } = useTranslation('spaces');
  const { formatDate } = useFormat();
  if (links.length === 0) return <EmptyState title={t('links.none')}>{t('links.noneText')}</EmptyState>;
  const usesOf = ({ uses, max_uses: most }: PartnerLink) =>
    most === null ? t('links.uses', { count: uses }) : t('links.usesOf', { uses, most });
  return (
    <Card flush>
      <List label={t('links.tab')}>
        {links.map(link => (
          <Row
            key={link.id}
            title={link.name}
            detail={`${usesOf(link)} · ${t('invitations.until', { date: formatDate(new Date(link.expires_at)) })}`}
            end={
              <Button size="sm" variant="plain" busy={busy} onClick={() => onRevoke(link.id)}>
                {t('invitations.revoke')}
              </Button>
            }
          />
        ))}
      </List>
    </Card>
  );
}

function NewLink({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('spaces');
  const { organization } = useSpace();
  const [draft, setDraft] = useState({ name: '', most: '', days: '90' });
  const [token, setToken] = useState<string | null>(null);
  const make = useCallback(
    async (calls: ServerCalls, { name, most, days }: typeof draft) => {
      const made = await calls.call<{ token: string }>('create_partner_link', {
        p_organization: organization.id,
        p_name: name,
        p_max_uses: most === '' ? null : Number(most),
        p_days: Number(days),
      });
      setToken(made.token);
    },
    [organization.id],
  );
  const words = useCallback(({ code }: { code: string }) => (code === '22023' ? t('links.invalid') : null), [t]);
  const making = useServerAction(make, { operation: t('links.make'), changes: CHANGES, words });
  const field = (key: keyof typeof draft) => ({
    value: draft[key],
    onChange: (event: { target: { value: string } }) => setDraft({ ...draft, [key]: event.target.value }),
  });
  if (token)
    return (
      <TokenOnce
        title={t('links.made')}
        parameter="partner_link_token"
        token={token}
        note={t('links.handOn')}
        onClose={onClose}
      />
    );
  return (
    <FormSheet
      title={t('links.new')}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t('links.make')}
      busy={making.busy}
      onSave={() => void making.run(draft)}
    >
      <Input label={t('links.name')} hint={t('links.nameHint')} {...field('name')} />
      <Input type="number" min={1} label={t('links.most')} hint={t('links.mostHint')} {...field('most')} />
      <Input type="number" min={1} max={366} label={t('links.days')} {...field('days')} />
      {making.problem && <Banner tone="bad" title={making.problem} />}
    </FormSheet>
  );
}
