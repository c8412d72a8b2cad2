/** In bytes: half of a SHA-256, because full digests of ten million entries would take 160 MB more. */
export const digestBytes = 16

/** A seal as stored. */
export interface Seal {
  fromId: number
  toId: number
  gaps: readonly number[]
  digests: Buffer
  previous: string
}

/** The input of a seal. */
export const sealedText = ({ fromId, toId, gaps, digests, previous }: Seal): string =>
  JSON.stringify([previous, fromId, toId, gaps, digests.toString('base64')])

/** The numbers in a range that are missing from this ascending list. */
export function gapsIn(ids: readonly number[], fromId: number, toId: number): number[] {
  const gaps: number[] = []
  let next = fromId
  for (const id of [...ids, toId + 1]) {
    for (; next < id; next++) gaps.push(next)
    next = id + 1
  }
  return gaps
}

export interface Found {
  altered: number[]
  missing: number[]
  /** Inserted after sealing. */
  added: number[]
}

/** What changed among the entries of a sealed range. */
export function compare(seal: Pick<Seal, 'fromId' | 'toId' | 'gaps' | 'digests'>, now: ReadonlyMap<number, Buffer>): Found {
  const found: Found = { altered: [], missing: [], added: [] }
  const gaps = new Set(seal.gaps)
  let place = 0
  for (let id = seal.fromId; id <= seal.toId; id++) {
    const digest = now.get(id)
    if (gaps.has(id)) {
      if (digest) found.added.push(id)
      continue
    }
    const sealed = seal.digests.subarray(place, place + digestBytes)
    place += digestBytes
    if (!digest) found.missing.push(id)
    else if (!digest.equals(sealed)) found.altered.push(id)
  }
  return found
}
