import { deflateRawSync, inflateRawSync } from 'node:zlib';

// Most answers of a batch are alike: a thousand of them take a few hundred bytes.

export const packAnswers = (answers: Buffer): Buffer => deflateRawSync(answers, { level: 1 });

export const unpackAnswers = (packed: Uint8Array): Buffer => inflateRawSync(packed);
