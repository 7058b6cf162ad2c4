export function findChromium(): string;
export function onPath(command: string): boolean;
export function ensureChromium(options?: { extra?: Record<string, string> }): string;
