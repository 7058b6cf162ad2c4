import { useState } from 'preact/hooks';
import { Button } from '#components/Button.tsx';
import type { TextKey } from '#components/i18n.ts';
import { useText } from '#components/language.ts';
import { FAULTS, repair, type Fault, type Repaired } from '#lib/store/repair.ts';
import { alone, tellWritten } from '../views/writer.ts';
import { useWork } from './use-work.tsx';

const WORDS: Record<Fault, TextKey> = {
  numbers: 'faultNumbers',
  lostScopes: 'faultLostScopes',
  lostRounds: 'faultLostRounds',
  openRounds: 'faultOpenRounds',
  pages: 'faultPages',
  counters: 'faultCounters',
  baseSizes: 'faultBaseSizes',
  sets: 'faultSets',
  orphans: 'faultOrphans',
};

/** Holds what is stored against what must be true of it, and says what was found and done. */
export function Repair() {
  const text = useText();
  const { isGoing, start, bar } = useWork();
  const [repaired, setRepaired] = useState<Repaired>();
  const check = (): void => {
    setRepaired(undefined);
    start('repairing', 'repairStopped', async (progress) => {
      setRepaired(await repair({ now: Date.now(), alone, ...progress }));
      tellWritten(0, []);
    });
  };
  const found = FAULTS.filter((fault) => repaired && repaired.found[fault] > 0);
  return (
    <section aria-labelledby="repair">
      <h2 id="repair">{text('repairTitle')}</h2>
      <p class="soft prose">{text('repairHint')}</p>
      <div class="actions">
        <Button off={isGoing} testid="repair" onClick={check}>
          {text('repairStart')}
        </Button>
      </div>
      {bar}
      {repaired && (
        <div class="stack" role="status" data-testid="repaired">
          <p>{found.length === 0 ? text('repairNothing') : text('repairMended')}</p>
          <ul class="stack">
            {found.map((fault) => (
              <li key={fault}>{text(WORDS[fault], repaired.found[fault])}</li>
            ))}
          </ul>
          <p class="soft">
            {text('repairChecked', repaired.checked.pages, repaired.checked.visits, repaired.checked.rounds)}
          </p>
        </div>
      )}
    </section>
  );
}
