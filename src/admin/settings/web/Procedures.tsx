import { useParams } from '@tanstack/react-router'
import { PriceListPage } from '../../../billing/price-lists/web/embed/PriceListPage.tsx'
import { CheckInsCard } from '../../../care/check-ins/web/embed/CheckInsCard.tsx'
import { ProceduresCard } from '../../../crm/procedures/web/embed/ProceduresCard.tsx'

/** The list of procedures, or the price list of one. */
export function Procedures() {
  const { item } = useParams({ strict: false })
  if (item !== undefined) return <PriceListPage key={item} id={item} />
  return (
    <>
      <ProceduresCard />
      <CheckInsCard />
    </>
  )
}
