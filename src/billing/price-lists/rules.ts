import type { Procedure } from '../../crm/procedures/contract.ts'
import { formatLength } from '../../crm/procedures/rules.ts'
import type { LineKind } from '../quotes/rules.ts'

/** A default line of a quote. */
export interface DefaultPrice {
  kind: LineKind
  description: string
  quantity: number
  /** Before tax. Null: not entered yet. */
  unitPriceCents: number | null
  taxCodeId: string | null
}

/**
 * The default price list: the surgeon's fee at the procedure's default price, facility, anaesthesia and implants. A procedure outside the
 * operating room has a single fee.
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
