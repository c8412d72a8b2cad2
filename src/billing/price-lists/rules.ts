import type { Procedure } from '../../crm/procedures/contract.ts'
import { formatLength } from '../../crm/procedures/rules.ts'
import type { LineKind } from '../quotes/rules.ts'

/** A line that a quote begins with. */
export interface DefaultPrice {
  kind: LineKind
  description: string
  quantity: number
  /** Before tax. Null: someone still has to enter it. */
  unitPriceCents: number | null
  taxCodeId: string | null
}

/**
 * What a price list starts from: the surgeon's fee at the procedure's usual price, facility, anaesthesia and implants. What is not done in an
 * operating room has its own fee alone.
 */
export function defaultPrices({
  name,
  priceCents,
  minutes,
  taxCodeId,
  isSurgical,
}: Pick<Procedure, 'name' | 'priceCents' | 'minutes' | 'taxCodeId' | 'isSurgical'>): DefaultPrice[] {
  const line = (kind: LineKind, description: string, unitPriceCents: number | null = null): DefaultPrice => ({
    kind,
    description,
    quantity: 1,
    unitPriceCents,
    taxCodeId,
  })
  if (!isSurgical) return [line('surgeon', name, priceCents)]
  return [
    line('surgeon', `${name}, surgeon’s fee`, priceCents),
    line('facility', minutes === null ? 'Operating room and recovery' : `Operating room and recovery, ${formatLength(minutes)}`),
    line('anaesthesia', 'Anaesthesia'),
    line('implants', 'Implants'),
  ]
}
