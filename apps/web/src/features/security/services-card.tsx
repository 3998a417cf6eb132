import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Card, List, Row } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { providerName } from '../../shared/auth/provider-name.ts';
import { RefusalBanner } from '../../shared/auth/refusal-banner.tsx';
import { useAuthCall } from '../../shared/auth/use-auth-call.ts';
import { useSecurity } from './security-context.ts';
import { useAsked } from './use-asked.ts';

/** Sign-in services of this account. Absent where the server knows none and the account has none. */
export function ServicesCard() {
  const { t } = useTranslation('security');
  const { flows, returnTo } = useSecurity();
  const known = useAsked('providers', ways => ways.providers());
  const own = useAsked('identities', ways => ways.identities());
  const { run, busy, refusal } = useAuthCall();
  const linked = (own.data ?? []).filter(({ provider }) => provider !== 'email' && provider !== 'phone');
  const free = (known.data ?? []).filter(name => name !== 'phone' && !linked.some(({ provider }) => provider === name));
  if (linked.length + free.length === 0) return null;
  const unlink = (id: string, name: string) =>
    run(async () => {
      await (await flows()).unlinkIdentity(id);
      await own.refetch();
      toast({ title: t('services.unlinked', { name }) });
    });
  return (
    <Card label={t('services.title')} className="security-card">
      <h2 className="h2">{t('services.title')}</h2>
      <p className="muted sm">{t('services.text')}</p>
      <RefusalBanner title={t('failed')} refusal={refusal} />
      {linked.length > 0 && (
        <List label={t('services.title')}>
          {linked.map(({ id, provider, email }) => {
            const name = providerName(provider);
            return (
              <Row
                key={id}
                title={name}
                detail={email}
                end={
                  <Button
                    size="sm"
                    busy={busy}
                    aria-label={t('services.unlinkNamed', { name })}
                    onClick={() => unlink(id, name)}
                  >
                    {t('services.unlink')}
                  </Button>
                }
              />
            );
          })}
        </List>
      )}
      <div className="row wrap">
        {free.map(name => (
          <Button key={name} busy={busy} onClick={() => run(async () => (await flows()).linkIdentity(name, returnTo))}>
            {t('services.link', { name: providerName(name) })}
          </Button>
        ))}
      </div>
    </Card>
  );
}
