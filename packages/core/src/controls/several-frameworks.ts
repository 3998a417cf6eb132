import { compareNames } from '@cairn/base/order.ts';
import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';

/** Until then an import linked a policy in every framework that had a control of the name (ISO 8601). */
const LINKED_IN_ALL_UNTIL = '2026-12-03T00:00:00Z';

export type SeveralFrameworks = {
  policy: { id: string; title: string };
  /** What the controls are called in each of the frameworks. */
  label: string;
  /** At least two, by the framework's title. */
  links: { controlId: string; framework: string }[];
};

const isPresent = <R extends { deleted_at: string | null }>(row: R | undefined): row is R => row?.deleted_at === null;

/**
 * Policies that earlier builds linked to controls of one name in several frameworks of an organisation, though they mean one of
 * them: what the import could not know it guessed, and which one was meant is not stored. By the policy's title.
 */
export function linkedInSeveral(organizationId: string): Query<SeveralFrameworks[]> {
  return {
    key: `controls/linkedInSeveral/${organizationId}`,
    tables: ['control_links', 'controls', 'frameworks', 'policies'],
    async read(tx) {
      const [links, frameworks] = await Promise.all([tx.all('control_links'), tx.all('frameworks')]);
      const titles = new Map(frameworks.filter(isPresent).map(({ id, title }) => [id, title]));
      const guessed = links.filter(link => isPresent(link) && isGuess(link, organizationId));
      const found = new Map<string, SeveralFrameworks>();
      for (const { target_id: policyId, control_id: controlId } of guessed) {
        const [policy, control] = await Promise.all([tx.get('policies', policyId), tx.get('controls', controlId)]);
        const framework = control && titles.get(control.framework_id);
        if (!isPresent(policy) || !isPresent(control) || framework === undefined) continue;
        const { id, title } = policy;
        const key = `${id}/${control.label.toLowerCase()}`;
        const entry = found.get(key) ?? { policy: { id, title }, label: control.label, links: [] };
        entry.links.push({ controlId, framework });
        found.set(key, entry);
      }
      return [...found.values()]
        .filter(({ links: each }) => each.length > 1)
        .map(inOrder)
        .toSorted(byPolicy);
    },
  };
}

const isGuess = (link: Row<'control_links'>, organizationId: string): boolean =>
  link.organization_id === organizationId &&
  link.target_table === 'policies' &&
  Date.parse(link.created_at) < Date.parse(LINKED_IN_ALL_UNTIL);

const inOrder = (entry: SeveralFrameworks): SeveralFrameworks => ({
  ...entry,
  links: entry.links.toSorted((a, b) => compareNames(a.framework, b.framework)),
});

const byPolicy = (a: SeveralFrameworks, b: SeveralFrameworks): number =>
  compareNames(a.policy.title, b.policy.title) || compareNames(a.label, b.label);
