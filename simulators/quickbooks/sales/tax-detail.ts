/** The tax lines of a transaction: calculated, or the caller's within the tolerance. */
import type { CompanyStore } from '../company-store.ts'
import { centsOf, dollarsOf } from '../fraction.ts'
import { businessFault, unknownReference } from '../refusal.ts'
import type { RateTax } from './tax.ts'

type GivenLine = { Amount: string; TaxLineDetail: { TaxRateRef: { value: string } } }

/**
 * The caller's amount for a rate replaces the computed one. It may differ by one cent per line with that rate, because of rounding line by
 * line.
 *
 * @throws Refusal, code 6000 for a larger difference, 2500 for an unknown rate.
 */
export function taxDetail(
  store: CompanyStore,
  computed: readonly RateTax[],
  given: readonly GivenLine[],
): { detail: object; totalTax: bigint } {
  const amounts = new Map<string, bigint>()
  for (const { Amount, TaxLineDetail } of given) {
    const id = TaxLineDetail.TaxRateRef.value
    amounts.set(id, (amounts.get(id) ?? 0n) + centsOf(Amount))
  }
  for (const [id, cents] of amounts) {
    const rate = store.find('TaxRate', id)
    if (!rate) throw unknownReference('TaxRate', id)
    const own = computed.find((tax) => tax.rate.id === id)
    const difference = cents - (own?.cents ?? 0n)
    if ((difference < 0n ? -difference : difference) > BigInt(own?.lines ?? 0)) {
      const ours = `${dollarsOf(own?.cents ?? 0n)} is expected for ${String(rate.Name)}, not ${dollarsOf(cents)}`
      throw businessFault(`The tax amount is not valid: ${ours}. Enter a tax amount that matches the rate.`)
    }
  }
  const lines = computed.map((tax) => ({ tax, cents: amounts.get(tax.rate.id) ?? tax.cents }))
  const totalTax = lines.reduce((sum, { cents }) => sum + cents, 0n)
  const TaxLine = lines.map(({ tax, cents }) => ({
    Amount: dollarsOf(cents),
    DetailType: 'TaxLineDetail',
    TaxLineDetail: {
      TaxRateRef: { value: tax.rate.id },
      PercentBased: true,
      TaxPercent: Number(tax.rate.percent),
      NetAmountTaxable: dollarsOf(tax.netCents),
      ...(cents !== tax.cents && { OverrideDeltaAmount: dollarsOf(cents - tax.cents) }),
    },
  }))
  return { detail: { TotalTax: dollarsOf(totalTax), ...(TaxLine.length > 0 && { TaxLine }) }, totalTax }
}
