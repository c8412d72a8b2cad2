/** A file is more than anyone's document or photograph is. */
export class FileTooComplex extends Error {}

/** The most that is done for one file, far above what cameras, scanners and office programs write. */
const max = {
  /** Segments, chunks and boxes that are stepped over, and places that look like the beginning of one. */
  parts: 100_000,
  /** Blocks of metadata that are looked into. */
  blocks: 500,
  /** Entries in their directories. */
  entries: 50_000,
  /** Times that a picture is drawn over itself. */
  scans: 100,
  /** Bytes of metadata that are unpacked, put together, searched or moved. */
  metadata: 32 * 1024 * 1024,
}

/** What reading one file has cost so far. */
export type Budget = ReturnType<typeof createBudget>

export function createBudget() {
  const spent = { parts: 0, blocks: 0, entries: 0, scans: 0, metadata: 0 }
  return {
    spent: spent as Readonly<typeof spent>,
    /** @throws FileTooComplex when it is more than the file may cost. */
    spend(kind: keyof typeof max, amount = 1): void {
      spent[kind] += amount
      if (spent[kind] > max[kind]) throw new FileTooComplex(kind)
    },
  }
}
