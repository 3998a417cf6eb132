import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CircleRole } from '@cairn/core/roles/role-names.ts';
import { circleRoles } from '@cairn/core/support-circle/visibility.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { RadioCards } from '@cairn/ui/controls/choice.tsx';
import { CodeBlock } from '@cairn/ui/data/code-block.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { useCircleLabels } from './circle-labels.ts';
import { GrantChoice, type WantedGrant } from './grant-choice.tsx';
import { useCircleCall } from './use-circle-calls.ts';

type Props = { onClose: () => void; onMade: () => void };

type InviteRequest = { role: CircleRole; purpose: string; wanted: readonly WantedGrant[] };

const invite = (calls: ServerCalls, { role, purpose, wanted }: InviteRequest) =>
  calls.call<{ token: string }>('invite_to_circle', {
    p_role: role,
    p_purpose: purpose,
    p_wanted: wanted.map(({ scope, level, itemIds }) => ({ scope, level, item_ids: itemIds })),
  });

const linkOf = (token: string): string => `${location.origin}/support-circle/join?token=${token}`;

/** Invites somebody by a link: who they are, what they will see, in their words. */
export function InviteSheet({ onClose, onMade }: Props) {
  const { t } = useTranslation('circle');
  const [role, setRole] = useState<CircleRole>('accountability_partner');
  const [purpose, setPurpose] = useState('');
  const [wanted, setWanted] = useState<WantedGrant[]>([]);
  const [token, setToken] = useState<string | null>(null);
  const making = useCircleCall(invite);
  const make = async () => {
    const made = await making.run({ role, purpose, wanted });
    if (!made) return;
    setToken(made.answer.token);
    onMade();
  };
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={t('invite.title')}
      closeLabel={t('close')}
      actions={
        token === null ? (
          <Button variant="primary" size="lg" block busy={making.busy} onClick={() => void make()}>
            {t('invite.make')}
          </Button>
        ) : (
          <Button variant="primary" size="lg" block onClick={onClose}>
            {t('invite.done')}
          </Button>
        )
      }
    >
      <div className="parts">
        {token === null ? (
          <>
            <RadioCards
              label={t('invite.role')}
              options={circleRoles.map(value => ({ value, label: t(`role.${value}`), hint: t(`roleHint.${value}`) }))}
              value={role}
              onChange={value => {
                setRole(circleRoles.find(each => each === value) ?? role);
                setWanted([]);
              }}
            />
            <Input
              label={t('invite.purpose')}
              hint={t('invite.purposeHint')}
              value={purpose}
              maxLength={500}
              onChange={event => setPurpose(event.target.value)}
            />
            <GrantChoice role={role} wanted={wanted} onChange={setWanted} />
            <Preview role={role} wanted={wanted} />
            {making.problem && <Banner tone="bad" title={making.problem} />}
          </>
        ) : (
          <>
            <p>{t('invite.once')}</p>
            <CodeBlock
              label={t('invite.link')}
              code={linkOf(token)}
              copyLabel={t('invite.copy')}
              copiedLabel={t('invite.copied')}
              failedLabel={t('invite.copyFailed')}
            />
          </>
        )}
      </div>
    </Sheet>
  );
}

/** In plain words, before anything is sent. */
function Preview({ role, wanted }: { role: CircleRole; wanted: readonly WantedGrant[] }) {
  const { t } = useTranslation('circle');
  const words = useCircleLabels();
  return (
    <div className="parts circle-preview">
      <p className="t">{t('invite.preview', { role: words.role(role) })}</p>
      {wanted.length === 0 ? (
        <p className="muted sm">{t('sees.nothing')}</p>
      ) : (
        <ul>
          {wanted.map(each => (
            <li key={`${each.scope}${each.level}`}>
              {words.sees({ ...each, items: each.itemIds?.length ?? 0, until: null })}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
