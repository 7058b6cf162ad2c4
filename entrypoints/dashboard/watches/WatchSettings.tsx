import { useState } from 'preact/hooks';
import { Button } from '#components/Button.tsx';
import { Switch, TextField } from '#components/Field.tsx';
import { useText } from '#components/language.ts';
import type { Watch } from '#lib/content/watch.ts';
import { mayNotify } from '../../views/watches.ts';
import { ask } from '../../views/worker.ts';
import { useDashboard } from '../context.ts';

/** 22:00 to 07:00, in minutes of the day. */
const NIGHT = { from: 22 * 60, to: 7 * 60 };

/** Label, notifications, quiet hours, and the end of a watch. */
export function WatchSettings({ watch }: { watch: Watch }) {
  const text = useText();
  const { go, run, tell } = useDashboard();
  const [label, setLabel] = useState(watch.label);
  const { id, notify, quietHours } = watch;
  const setNotify = (wanted: boolean): void => {
    // Asked first: the browser wants the click itself.
    const allowed = wanted ? mayNotify() : Promise.resolve(true);
    void run(async () => {
      if (await allowed) await ask('changeWatch', { watch: id, notify: wanted });
      else tell(text('notificationsRefused'));
    });
  };
  const setQuiet = (hours: Watch['quietHours'] | null): void =>
    void run(() => ask('changeWatch', { watch: id, quietHours: hours ?? null }));
  return (
    <div class="stack watch-settings">
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault();
          const words = label.trim();
          if (words === '' || words === watch.label) return;
          const before = watch.label;
          void run(async () => {
            await ask('changeWatch', { watch: id, label: words });
            tell(text('optionSaved', text('watchLabel')), async () => {
              await ask('changeWatch', { watch: id, label: before });
              setLabel(before);
            });
          });
        }}
      >
        <TextField label={text('watchLabel')} value={label} onInput={setLabel} />
        <Button submit off={label.trim() === '' || label.trim() === watch.label}>
          {text('save')}
        </Button>
      </form>
      <Switch label={text('notify')} on={notify} onChange={setNotify} />
      {notify && (
        <>
          <Switch
            label={text('quietHours')}
            on={quietHours !== undefined}
            onChange={(wanted) => setQuiet(wanted ? NIGHT : null)}
          />
          {quietHours && (
            <p class="line">
              <Time
                label={text('quietFrom')}
                minute={quietHours.from}
                onChange={(from) => setQuiet({ ...quietHours, from })}
              />
              <Time
                label={text('quietTo')}
                minute={quietHours.to}
                onChange={(to) => setQuiet({ ...quietHours, to })}
              />
            </p>
          )}
        </>
      )}
      <p>
        <Button
          icon="trash"
          onClick={() =>
            void run(async () => {
              const { undo } = await ask('removeWatch', { watch: id });
              go({ view: 'watches' });
              tell(text('watchRemoved', watch.label), undo);
            })
          }
        >
          {text('removeWatch')}
        </Button>
      </p>
    </div>
  );
}

/** A time of day, as the clock of the person shows it. */
function Time({
  label,
  minute,
  onChange,
}: {
  label: string;
  minute: number;
  onChange: (minute: number) => void;
}) {
  const two = (value: number): string => String(value).padStart(2, '0');
  return (
    <label class="line">
      <span class="soft">{label}</span>
      <span class="field">
        <input
          type="time"
          value={`${two(Math.floor(minute / 60))}:${two(minute % 60)}`}
          onChange={({ currentTarget }) => {
            const [hours = NaN, minutes = NaN] = currentTarget.value.split(':').map(Number);
            if (Number.isInteger(hours) && Number.isInteger(minutes)) onChange(hours * 60 + minutes);
          }}
        />
      </span>
    </label>
  );
}
