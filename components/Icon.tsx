import './controls.css';

const PATHS = {
  arrow: 'M2.5 8h10.5M9.2 4.2 13 8l-3.8 3.8',
  check: 'm3 8.5 3.2 3.2L13 4.8',
  close: 'm4 4 8 8M12 4l-8 8',
  compare: 'M5 3 2.2 5.8 5 8.6M2.5 5.8h8M11 7.4l2.8 2.8-2.8 2.8M13.5 10.2h-8',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  data: 'M2.5 4c0-1.2 2.5-2.2 5.5-2.2s5.5 1 5.5 2.2-2.5 2.2-5.5 2.2S2.5 5.2 2.5 4v8c0 1.2 2.5 2.2 5.5 2.2s5.5-1 5.5-2.2V4M2.5 8c0 1.2 2.5 2.2 5.5 2.2s5.5-1 5.5-2.2',
  down: 'm4.5 6.5 3.5 3.5 3.5-3.5',
  end: 'M3.5 3.5h9v9h-9z',
  export: 'M8 10V2M5 4.8 8 1.8l3 3M2.5 9.5v4h11v-4',
  help: 'M1.8 8a6.2 6.2 0 1 0 12.4 0A6.2 6.2 0 1 0 1.8 8M6.2 6.2a1.8 1.8 0 1 1 2.6 1.6c-.5.3-.8.6-.8 1.2M8 11.4v.1',
  ignore:
    'M2.5 2.5l11 11M6.2 6.3A2.4 2.4 0 0 0 9.7 9.7M4.3 4.7C2.5 6 1.5 8 1.5 8S4 12.2 8 12.2c1.2 0 2.3-.4 3.2-.9M6.6 4C7 3.9 7.5 3.8 8 3.8c4 0 6.5 4.2 6.5 4.2s-.6 1.1-1.8 2.2',
  import: 'M8 2v8M5 7.2l3 3 3-3M2.5 9.5v4h11v-4',
  lock: 'M3.5 7h9v6.5h-9zM5.5 7V4.8a2.5 2.5 0 0 1 5 0V7',
  minus: 'M3 8h10',
  move: 'M8 2v12M5 4.8 8 1.8l3 3M5 11.2l3 3 3-3',
  options:
    'M2 4.5h7M12 4.5h2M2 11.5h2M7 11.5h7M9 4.5a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0M4 11.5a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0',
  pages: 'M4 1.8h5.2L12.5 5v9.2H4zM9 2v3.3h3.3',
  panel: 'M1.8 2.8h12.4v10.4H1.8zM9.8 3v10',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  pencil: 'm3 13 .7-2.9L11 2.8l2.2 2.2-7.3 7.3z',
  play: 'M5 3.2v9.6L12.5 8z',
  plus: 'M8 3v10M3 8h10',
  right: 'm6.5 4.5 3.5 3.5-3.5 3.5',
  rounds: 'M13.5 8a5.5 5.5 0 1 1-1.6-3.9M13.5 2v3h-3',
  rules: 'M3 4.5h6M3 8h10M3 11.5h4M11.5 2.8v3.4M9.5 9.8v3.4',
  search: 'M2.5 7a4.5 4.5 0 1 0 9 0 4.5 4.5 0 1 0-9 0M10.5 10.5 14 14',
  target: 'M3 8a5 5 0 1 0 10 0A5 5 0 1 0 3 8M8 1.2v3.3M8 11.5v3.3M1.2 8h3.3M11.5 8h3.3',
  trash: 'M3 4.5h10M6.5 4.5V2.8h3v1.7M4.2 4.5l.6 8.7h6.4l.6-8.7',
  tree: 'M3.5 2.5v10M3.5 6h5M3.5 12.5h5M10.5 6h3M10.5 12.5h3',
  warning: 'M8 2 14.5 13.5h-13zM8 6.5v3.2M8 11.6v.1',
  watch:
    'M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8M6.2 8a1.8 1.8 0 1 0 3.6 0 1.8 1.8 0 1 0-3.6 0',
} as const;

export type IconName = keyof typeof PATHS;

/** A drawing that repeats what the words beside it say. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The sign of the product: a round that is nearly closed, and the one page left. */
export function Brand() {
  return (
    <span class="brand">
      <svg viewBox="0 0 18 18" width="18" height="18" aria-hidden="true">
        <path
          d="M15.5 7.2A6.8 6.8 0 1 1 11.4 2.7"
          fill="none"
          stroke="currentColor"
          stroke-width="2"
          stroke-linecap="round"
        />
        <circle cx="14.2" cy="4.2" r="1.9" fill="currentColor" />
      </svg>
      <span translate={false}>Onceover</span>
    </span>
  );
}
