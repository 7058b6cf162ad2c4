import { Button } from '#components/Button.tsx';
import type { TextKey } from '#components/i18n.ts';
import { useText } from '#components/language.ts';
import { KEPT_BACKUPS } from '#lib/store/kept-backups.ts';
import { formatRoute } from './route.ts';

const STORED: { what: TextKey; where: TextKey; howLong: TextKey }[] = [
  { what: 'privacyPages', where: 'privacyDatabase', howLong: 'privacyUntilRound' },
  { what: 'privacyVisits', where: 'privacyDatabase', howLong: 'privacyUntilRound' },
  { what: 'privacyLinks', where: 'privacyDatabase', howLong: 'privacyUntilRound' },
  { what: 'privacyTexts', where: 'privacyDatabase', howLong: 'privacyUntilTexts' },
  { what: 'privacySets', where: 'privacyDatabase', howLong: 'privacyUntilPages' },
  { what: 'privacyTrash', where: 'privacyDatabase', howLong: 'privacyThirtyDays' },
  { what: 'privacyBackups', where: 'privacyFiles', howLong: 'privacyUntilSeven' },
  { what: 'privacySettings', where: 'privacyStorage', howLong: 'privacyUntilChanged' },
];

const SECTIONS: { title: TextKey; says: TextKey[] }[] = [
  { title: 'privacyNever', says: ['privacyNever1', 'privacyNever2', 'privacyNever3'] },
  { title: 'privacyLeaves', says: ['privacyLeaves1', 'privacyLeaves2'] },
  { title: 'privacyAsks', says: ['privacyAsks1'] },
  { title: 'privacyDelete', says: ['privacyDelete1'] },
];

/** What is stored, where, how long, and what leaves the machine; docs/privacy.md says the same. */
export function PrivacyPage() {
  const text = useText();
  return (
    <div class="sheet">
      <div class="title-line">
        <h1>{text('privacy')}</h1>
      </div>
      <p class="prose">{text('privacyLead')}</p>
      <section aria-labelledby="stored">
        <h2 id="stored">{text('privacyStored')}</h2>
        <div class="wide-list" tabIndex={0} role="group" aria-labelledby="stored">
          <table>
            <thead>
              <tr>
                <th>{text('privacyWhat')}</th>
                <th>{text('privacyWhere')}</th>
                <th>{text('privacyHowLong')}</th>
              </tr>
            </thead>
            <tbody>
              {STORED.map(({ what, where, howLong }) => (
                <tr key={what}>
                  <td>{text(what)}</td>
                  <td>{text(where)}</td>
                  <td>{text(howLong, KEPT_BACKUPS)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
      {SECTIONS.map(({ title, says }) => (
        <section key={title} aria-labelledby={title}>
          <h2 id={title}>{text(title)}</h2>
          {says.map((one) => (
            <p key={one} class="prose">
              {text(one)}
            </p>
          ))}
        </section>
      ))}
      <div class="actions">
        <Button href={formatRoute({ view: 'data' })}>{text('toData')}</Button>
      </div>
    </div>
  );
}
