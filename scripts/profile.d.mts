export function extensionId(folder: string): string;
export function writeProfile(
  profile: string,
  folder: string,
  options: { grant: 'none' | 'click' | 'sites' | 'start'; apis?: string[]; hosts?: string[] },
): void;
