import { useState } from 'preact/hooks';
import { Button } from '#components/Button.tsx';
import { Choice, Switch, TextField } from '#components/Field.tsx';
import { useText } from '#components/language.ts';
import type { Scope } from '#lib/rounds/types.ts';
import { TeamClient } from '#lib/team/client.ts';
import {
  newBinding,
  TEAM_FORM,
  TEAM_NAME,
  teamPlace,
  type Binding,
  type Pairing,
} from '#lib/team/pairing.ts';
import { useLive } from '../views/live.ts';
import { loadPairing, loadServiceStatus, savePairing, serviceFetch } from '../views/service.ts';
import { causeWords, TEST_PATIENCE } from '../views/service-words.ts';
import { ask } from '../views/worker.ts';
import { useDashboard } from './context.ts';

interface ScopeBindingProps {
  scope: Scope;
  pairing: Pairing;
  onChange: () => void;
}

/** Whether and how a project takes part: its namespace, the team's round, and whether addresses go along. */
export function ScopeBinding({ scope, pairing, onChange }: ScopeBindingProps) {
  const text = useText();
  const { rounds, run, tell, now } = useDashboard();
  const stored = pairing.scopes[scope.id];
  const [draft, setDraft] = useState<Binding>(stored ?? { ...newBinding(scope), on: false });
  const [said, setSaid] = useState('');
  /** A namespace that would do, where the one that was wished is bound to other rules. */
  const [instead, setInstead] = useState<string>();
  const status = useLive(loadServiceStatus, []);
  const latest = rounds.find((round) => round.scope === scope.id);
  const place = latest && stored && teamPlace(pairing, latest);
  const pulled = status.value?.pulled?.[scope.id];

  const save = async (wanted: Binding): Promise<void> => {
    setDraft(wanted);
    setInstead(undefined);
    setSaid('');
    if (!TEAM_NAME.test(wanted.ns) || !TEAM_NAME.test(wanted.round)) return setSaid(text('teamBadName'));
    try {
      if (wanted.on) {
        const client = new TeamClient(pairing, serviceFetch(TEST_PATIENCE));
        const bound = await client.namespace(wanted.ns);
        if (bound && (bound.policy !== wanted.policy || bound.form !== TEAM_FORM)) {
          setInstead(`${wanted.ns.slice(0, 100)}.${wanted.policy}`);
          return setSaid(text('teamOtherRules', wanted.ns, bound.policy, wanted.policy));
        }
        if (wanted.addresses && bound?.addresses !== true)
          await client.configure(wanted.ns, { policy: wanted.policy, form: TEAM_FORM, addresses: true });
      }
      // Read again: another project may have been changed meanwhile.
      const current = (await loadPairing()) ?? pairing;
      await savePairing({ ...current, scopes: { ...current.scopes, [scope.id]: wanted } });
      if (wanted.on && latest && latest.state !== 'ended' && !stored?.on)
        await ask('queueRound', { round: latest.id });
      onChange();
    } catch (error) {
      setSaid(causeWords(error, pairing.address, text));
    }
  };

  const kind = draft.round === 'all' || draft.round === 'day' ? draft.round : 'name';
  const fields = ['on', 'ns', 'policy', 'round', 'addresses'] as const;
  const isSaved = stored !== undefined && fields.every((field) => stored[field] === draft[field]);
  return (
    <div class="stack" role="group" aria-label={scope.name} data-testid="scope-binding">
      <Switch
        label={text('teamTakesPart', scope.name)}
        on={stored?.on ?? false}
        onChange={(on) => void save({ ...draft, on, policy: on ? scope.policyVersion : draft.policy })}
      />
      {(stored?.on || said !== '') && (
        <div class="stack">
          <TextField
            label={text('teamNamespace')}
            hint={text('teamNamespaceHint')}
            value={draft.ns}
            address
            onInput={(ns) => setDraft({ ...draft, ns })}
          />
          <div class="actions">
            <Choice
              label={text('teamRound')}
              value={kind}
              options={[
                { value: 'day', text: text('teamRoundDay') },
                { value: 'all', text: text('teamRoundAll') },
                { value: 'name', text: text('teamRoundName') },
              ]}
              onChange={(chosen) => setDraft({ ...draft, round: chosen === 'name' ? '' : chosen })}
            />
          </div>
          {kind === 'name' && (
            <TextField
              label={text('teamRoundNamed')}
              value={draft.round}
              onInput={(round) => setDraft({ ...draft, round })}
            />
          )}
          <Switch
            label={text('teamAddresses')}
            on={draft.addresses}
            onChange={(addresses) => setDraft({ ...draft, addresses })}
          />
          {place && place.ns !== stored?.ns && (
            <p class="soft small whole">{text('teamOwnNamespace', place.policy, place.ns)}</p>
          )}
          {pulled && (
            <p class="soft small" data-testid="team-pulled">
              {text.sentences(
                text('teamPulled', pulled.pages),
                text('teamPulledAt', text.time(pulled.at, now)),
              )}
            </p>
          )}
          <div class="actions">
            <Button
              kind="primary"
              off={isSaved}
              testid="binding-save"
              onClick={() => void save({ ...draft, on: true, policy: scope.policyVersion })}
            >
              {text('teamSave')}
            </Button>
            {instead !== undefined && (
              <Button
                testid="binding-instead"
                onClick={() => void save({ ...draft, ns: instead, on: true, policy: scope.policyVersion })}
              >
                {text('teamUseInstead', instead)}
              </Button>
            )}
            {stored?.on && latest && (
              <Button
                testid="binding-resend"
                onClick={() =>
                  void run(async () => {
                    const { queued } = await ask('queueRound', { round: latest.id });
                    tell(text('teamQueued', queued));
                  })
                }
              >
                {text('teamSendAgain')}
              </Button>
            )}
          </div>
        </div>
      )}
      <p role="status" class="prose small">
        {said}
      </p>
    </div>
  );
}
