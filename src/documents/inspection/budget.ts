/** Thrown when reading a file costs more than any real document or photo would. */
export class FileTooComplex extends Error {}

/** The limits for one file, far above what cameras, scanners and office software produce. */
const max = {
  /** Segments, chunks and boxes skipped, including bytes that look like the start of one. */
  parts: 100_000,
  /** Blocks of metadata parsed. */
  blocks: 500,
  /** Directory entries in them. */
  entries: 50_000,
  /** Scans of a progressive image. */
  scans: 100,
  /** Bytes of metadata unpacked, joined, searched or moved. */
  metadata: 32 * 1024 * 1024,
}

/** Tracks what reading one file has cost. */
export type Budget = ReturnType<typeof createBudget>

export function createBudget() {
  const spent = { parts: 0, blocks: 0, entries: 0, scans: 0, metadata: 0 }
  return {
    spent: spent as Readonly<typeof spent>,
    /** @throws FileTooComplex if the limit is exceeded. */
    spend(kind: keyof typeof max, amount = 1): void {
      spent[kind] += amount
      if (spent[kind] > max[kind]) throw new FileTooComplex(kind)
    },
  }
}
