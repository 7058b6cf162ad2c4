export function extensionId(folder: string): string;
export function writeProfile(
  profile: string,
  folder: string,
  options?: { apis?: string[]; hosts?: string[]; grant?: 'click' | 'sites' | 'start' },
): void;
