import { useParams } from '@tanstack/react-router'
import { PriceListPage } from '../../../billing/price-lists/web/embed/PriceListPage.tsx'
import { ProceduresCard } from '../../../crm/procedures/web/embed/ProceduresCard.tsx'

/** The list of procedures, or the price list of one. */
export function Procedures() {
  const { item } = useParams({ strict: false })
  return item === undefined ? <ProceduresCard /> : <PriceListPage key={item} id={item} />
}
