import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Round, Scope } from '#lib/rounds/types.ts';
import type { Settings } from '#lib/settings.ts';
import type { Route } from './route.ts';

export type Undo = string | (() => Promise<void>);

/** What every page of the dashboard stands on. */
export interface DashboardContext {
  route: Route;
  /** Goes somewhere else. `replace` leaves no step for the back button: for text that is being typed. */
  go: (route: Route, how?: 'push' | 'replace') => void;
  settings: Settings;
  scopes: Scope[];
  /** All rounds, latest first. */
  rounds: Round[];
  /** The round looked at. */
  round: Round | undefined;
  /** How many watches changed since the person looked. */
  unseen: number;
  now: number;
  /** Says what happened; `undo` takes it back, or is an id that the worker takes back. */
  tell: (message: string, undo?: Undo) => void;
  /** Runs a command and says what went wrong. Answers whether it went well. */
  run: (command: () => Promise<unknown>) => Promise<boolean>;
}

export const Context = createContext<DashboardContext | undefined>(undefined);

export function useDashboard(): DashboardContext {
  const context = useContext(Context);
  if (!context) throw new Error('Used outside the dashboard.');
  return context;
}
