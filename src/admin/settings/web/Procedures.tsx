import { useParams } from '@tanstack/react-router'
import { PriceListPage } from '../../../billing/price-lists/web/embed/PriceListPage.tsx'
import { ProceduresCard } from '../../../crm/procedures/web/embed/ProceduresCard.tsx'

/** What the practice does; each procedure has a page for its price list. */
export function Procedures() {
  const { item } = useParams({ strict: false })
  return item === undefined ? <ProceduresCard /> : <PriceListPage key={item} id={item} />
}
