import fc from 'fast-check'
import { expect, it } from 'vitest'
import { spreadPrepaid } from './prepaid.ts'

it('takes from each balance at most what it has, and never more than the total (issue 29)', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(10_000), { maxLength: 10 }), fc.nat(50_000), (balances, total) => {
      const choices = balances.map((balanceCents, index) => ({ label: String(index), balanceCents }))
      const { paid, moneyCents } = spreadPrepaid(choices, total)
      expect(paid.reduce((sum, part) => sum + part, moneyCents)).toBe(total)
      for (const [index, part] of paid.entries()) expect(part <= balances[index]! && part >= 0).toBe(true)
    }),
  )
})
