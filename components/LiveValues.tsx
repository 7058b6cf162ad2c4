import './LiveValues.css';
import { useState } from 'preact/hooks';
import type { LiveValue, Threshold } from '#lib/content/live.ts';
import { Button } from './Button.tsx';
import { NumberField } from './Field.tsx';
import type { Text } from './i18n.ts';
import { useText } from './language.ts';
import { Sparkline } from './Sparkline.tsx';

interface LiveValuesProps {
  values: readonly LiveValue[];
  now: number;
  thresholds?: readonly Threshold[] | undefined;
  /** Sets the limit of one value; without bounds it is taken away. Absent where nothing is watched. */
  onLimit?: (threshold: Threshold) => void;
}

const MOST_SHOWN = 50;

/** Numbers that change by themselves: last, least, greatest, a line of the last looks, and when they are to be news. */
export function LiveValues({ values, now, thresholds = [], onLimit }: LiveValuesProps) {
  const text = useText();
  const [edited, setEdited] = useState<string>();
  if (values.length === 0) return null;
  return (
    <section class="live-values" data-testid="live-values">
      <h2>
        {text('liveValues')} <span class="soft">{text('liveValuesHint', values.length)}</span>
      </h2>
      <div class="wide-list" role="region" aria-label={text('liveValues')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{text('value')}</th>
              <th scope="col" class="number">
                {text('lastValue')}
              </th>
              <th scope="col" class="number">
                {text('leastValue')}
              </th>
              <th scope="col" class="number">
                {text('greatestValue')}
              </th>
              <th scope="col">{text('lastLooks')}</th>
              {onLimit && <th scope="col">{text('reportWhen')}</th>}
            </tr>
          </thead>
          <tbody>
            {values.slice(0, MOST_SHOWN).map((value) => {
              const limit = thresholds.find((one) => one.value === value.name);
              return (
                <Value
                  key={value.name}
                  value={value}
                  limit={limit}
                  now={now}
                  edited={edited === value.name}
                  onEdit={(open) => setEdited(open ? value.name : undefined)}
                  onLimit={onLimit}
                />
              );
            })}
          </tbody>
        </table>
      </div>
      {values.length > MOST_SHOWN && <p class="soft">{text('andMore', values.length - MOST_SHOWN)}</p>}
    </section>
  );
}

function Value({
  value,
  limit,
  now,
  edited,
  onEdit,
  onLimit,
}: {
  value: LiveValue;
  limit: Threshold | undefined;
  now: number;
  edited: boolean;
  onEdit: (open: boolean) => void;
  onLimit: ((threshold: Threshold) => void) | undefined;
}) {
  const text = useText();
  const shown = (number: number): string => `${text.number(number)}${value.unit}`;
  const beyond = limit !== undefined && isBeyond(value.last, limit);
  return (
    <>
      <tr>
        <th scope="row">
          <bdi>{value.label}</bdi>
        </th>
        <td class="number last">
          <span class={beyond ? 'beyond' : ''}>{shown(value.last)}</span>
          {beyond && <span class="unseen"> {text('beyondLimit')}</span>}
        </td>
        <td class="number">{shown(value.least)}</td>
        <td class="number">{shown(value.greatest)}</td>
        <td>
          <Sparkline
            values={value.points}
            label={text(
              'sparkWords',
              value.points.length,
              text.time(value.since, now),
              shown(value.points[0]!),
              shown(value.last),
            )}
          />
        </td>
        {onLimit && (
          <td>
            <Button
              compact
              kind={limit ? 'plain' : 'quiet'}
              label={text('limitOf', value.label, limit ? limitWords(limit, text) : text('setLimit'))}
              onClick={() => onEdit(!edited)}
            >
              {limit ? limitWords(limit, text) : text('setLimit')}
            </Button>
          </td>
        )}
      </tr>
      {edited && onLimit && (
        <tr>
          <td colSpan={6}>
            <LimitForm
              name={value.name}
              label={value.label}
              limit={limit}
              onLimit={(threshold) => {
                onLimit(threshold);
                onEdit(false);
              }}
              onCancel={() => onEdit(false)}
            />
          </td>
        </tr>
      )}
    </>
  );
}

export function isBeyond(value: number, { above, below }: Threshold): boolean {
  return (above !== undefined && value > above) || (below !== undefined && value < below);
}

function limitWords({ above, below }: Threshold, text: Text): string {
  const words = [
    ...(above === undefined ? [] : [text('aboveLimit', above)]),
    ...(below === undefined ? [] : [text('belowLimit', below)]),
  ];
  return words.join(text('listComma'));
}

function LimitForm({
  name,
  label,
  limit,
  onLimit,
  onCancel,
}: {
  name: string;
  label: string;
  limit: Threshold | undefined;
  onLimit: (threshold: Threshold) => void;
  onCancel: () => void;
}) {
  const text = useText();
  const [above, setAbove] = useState(limit?.above);
  const [below, setBelow] = useState(limit?.below);
  return (
    <form
      class="limit-form"
      aria-label={text('limitOf', label, text('limit'))}
      onSubmit={(event) => {
        event.preventDefault();
        onLimit({
          value: name,
          ...(above !== undefined && { above }),
          ...(below !== undefined && { below }),
        });
      }}
    >
      <bdi class="whole">{label}</bdi>
      <NumberField label={text('above')} value={above} focus onInput={setAbove} />
      <NumberField label={text('below')} value={below} onInput={setBelow} />
      <Button submit kind="primary">
        {text('save')}
      </Button>
      {limit && <Button onClick={() => onLimit({ value: name })}>{text('removeLimit')}</Button>}
      <Button kind="quiet" onClick={onCancel}>
        {text('cancel')}
      </Button>
    </form>
  );
}
