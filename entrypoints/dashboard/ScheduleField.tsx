import { Choice } from '#components/Field.tsx';
import { useText } from '#components/language.ts';
import type { Schedule, Scope } from '#lib/rounds/types.ts';
import { windowAt } from '#lib/rounds/windows.ts';
import { localOffset } from '../background/schedule.ts';
import { ask } from '../views/worker.ts';
import { useDashboard } from './context.ts';

/** Hours that divide a day, so that every window is as long as the others. */
const HOURS = [1, 2, 3, 4, 6, 8, 12];
const NINE: Schedule = { every: 'day', hour: 9 };

/** When rounds of a scope start by themselves, and when the next one does. */
export function ScheduleField({ scope }: { scope: Scope }) {
  const text = useText();
  const { now, run, tell } = useDashboard();
  const { schedule } = scope;
  const next = (of: Schedule): string => text.time(windowAt(of, now, localOffset).end, now);
  const set = (wanted: Schedule | null): void =>
    void run(async () => {
      await ask('updateScope', { scope: scope.id, schedule: wanted });
      tell(
        wanted ? text('scheduleSaved', scope.name, next(wanted)) : text('scheduleTurnedOff', scope.name),
        async () => void (await ask('updateScope', { scope: scope.id, schedule: schedule ?? null })),
      );
    });
  const hours =
    schedule?.every === 'hours' ? [...new Set([...HOURS, schedule.hours])].toSorted((a, b) => a - b) : HOURS;
  return (
    <div class="line schedule">
      <Choice
        label={text('schedule')}
        value={!schedule ? 'off' : schedule.every === 'day' ? 'day' : String(schedule.hours)}
        options={[
          { value: 'off', text: text('scheduleOff') },
          { value: 'day', text: text('scheduleDay') },
          ...hours.map((count) => ({ value: String(count), text: text('scheduleHours', count) })),
        ]}
        onChange={(value) => {
          if (value === 'off') set(null);
          else set(value === 'day' ? NINE : { every: 'hours', hours: Number(value) });
        }}
      />
      {schedule?.every === 'day' && (
        <Choice
          label={text('scheduleAt')}
          value={String(schedule.hour)}
          options={Array.from({ length: 24 }, (_, hour) => ({
            value: String(hour),
            text: `${String(hour).padStart(2, '0')}:00`,
          }))}
          onChange={(value) => set({ every: 'day', hour: Number(value) })}
        />
      )}
      {schedule && <span class="soft">{text('scheduleNext', next(schedule))}</span>}
    </div>
  );
}
