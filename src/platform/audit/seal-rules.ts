/** In bytes: half of a SHA-256, whose whole length a log of ten million entries would pay for with 160 MB. */
export const digestBytes = 16

/** A seal as it is kept. */
export interface Seal {
  fromId: number
  toId: number
  gaps: readonly number[]
  digests: Buffer
  previous: string
}

/** What a seal is made over. */
export const sealedText = ({ fromId, toId, gaps, digests, previous }: Seal): string =>
  JSON.stringify([previous, fromId, toId, gaps, digests.toString('base64')])

/** The numbers from one to another that are not among these, which ascend. */
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
  /** Put in afterwards. */
  added: number[]
}

/** What has become of the entries of a seal's range since. */
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
