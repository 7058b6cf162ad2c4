export { roundKey, type RoundKey } from '#lib/team/windows.ts';
