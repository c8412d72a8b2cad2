import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compare, digestBytes, gapsIn } from './seal-rules.ts'

const digest = (n: number) => Buffer.alloc(digestBytes, n % 256)

describe('changes to sealed entries', () => {
  const range = fc.record({ fromId: fc.integer({ min: 1, max: 1_000 }), present: fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }) })
  const sealOf = ({ fromId, present }: { fromId: number; present: boolean[] }) => {
    const ids = present.flatMap((is, i) => (is ? [fromId + i] : []))
    const toId = fromId + present.length - 1
    const seal = { fromId, toId, gaps: gapsIn(ids, fromId, toId), digests: Buffer.concat(ids.map(digest)) }
    return { seal, ids, now: new Map(ids.map((id) => [id, digest(id)])) }
  }

  it('covers the range with gaps and entries', () => {
    fc.assert(
      fc.property(range, (given) => {
        const { seal, ids } = sealOf(given)
        expect([...seal.gaps, ...ids].toSorted((a, b) => a - b)).toEqual(given.present.map((_, i) => given.fromId + i))
      }),
    )
  })

  it('reports nothing for an intact log, and exactly the entries that were altered, removed or inserted', () => {
    fc.assert(
      fc.property(range, fc.nat(), (given, pick) => {
        const { seal, ids, now } = sealOf(given)
        expect(compare(seal, now)).toEqual({ altered: [], missing: [], added: [] })
        const id = ids[pick % Math.max(1, ids.length)]
        if (id !== undefined) {
          expect(compare(seal, new Map(now).set(id, digest(id + 1)))).toEqual({ altered: [id], missing: [], added: [] })
          const without = new Map(now)
          without.delete(id)
          expect(compare(seal, without)).toEqual({ altered: [], missing: [id], added: [] })
        }
        const gap = seal.gaps[pick % Math.max(1, seal.gaps.length)]
        if (gap !== undefined) expect(compare(seal, new Map(now).set(gap, digest(gap)))).toEqual({ altered: [], missing: [], added: [gap] })
      }),
    )
  })
})
