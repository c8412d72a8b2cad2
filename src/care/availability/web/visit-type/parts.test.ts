import { describe, expect, it } from 'vitest'
import { isInPart, partOf, parts } from './parts.ts'

describe('the parts of a visit type', () => {
  it('opens the first part that has a problem, also of an item of a field (issue 29)', () => {
    expect(partOf(['seriesWeeks', 'noticeHours'])).toBe('online')
    expect(partOf(['formIds.0'])).toBe('online')
    expect(partOf(['lateFeeCents', 'name'])).toBe('visit')
    expect(partOf(['form'])).toBeUndefined()
  })

  it('puts each field into one part, and what it does not know into the first (issue 29)', () => {
    for (const field of ['name', 'bufferAfter', 'isOnline', 'depositCents', 'seriesVisits', 'invented'])
      expect(parts.filter((part) => isInPart(field, part))).toHaveLength(1)
    expect(isInPart('invented', 'visit')).toBe(true)
  })
})
